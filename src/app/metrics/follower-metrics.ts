/** Metrics of servers that follow each other: of the one that is followed, and of those that follow this one. */
import type { Registry } from 'prom-client';
import { registerGauge, single } from './scraped-metrics.ts';

/** What the metrics read of the server at `FOLLOW_URL`. */
export type FollowedReading = {
  /** `ready` = it answers, and relays what a database has. */
  readonly state: 'connecting' | 'ready' | 'unavailable';
  /** When a publication was last taken from it, epoch ms; `null` = none was. */
  readonly takenAt: number | null;
};

export function registerFollowed(registry: Registry, followed: FollowedReading): void {
  // Of several processes the one that is behind counts.
  const gauge = (name: string, help: string, read: () => number | null) =>
    registerGauge(registry, { name, help, aggregator: 'min' }, () => single(read()));
  gauge(
    'pompa_followed_up',
    'Whether the server at FOLLOW_URL answers, and has its publication from a database: 1 or 0.',
    () => (followed.state === 'ready' ? 1 : 0),
  );
  gauge(
    'pompa_followed_taken_timestamp_seconds',
    'When a publication was last taken from the server at FOLLOW_URL; absent until one was.',
    () => (followed.takenAt === null ? null : followed.takenAt / 1000),
  );
}

export function registerRelay(registry: Registry, relay: { readonly waiting: number }): void {
  registerGauge(
    registry,
    { name: 'pompa_followers_waiting', help: 'Followers that wait for the next publication now.', aggregator: 'sum' },
    () => [[{}, relay.waiting]],
  );
}
