/**
 * Turns for work that occupies the event loop for milliseconds: journeys, pages, and tiles with streets. While one
 * client asks for a lot, requests of others are still answered in between, and waiting networks are served in turn.
 */
import { FairSemaphore, type ReleaseSlot } from '../concurrency/fair-semaphore.ts';
import { type EndTurn, PacedTurns } from '../concurrency/paced-turns.ts';
import { clientNetwork } from '../domain/access/client-network.ts';

/** Whoever waits is within limits of requests. */
const ALL_MAY_WAIT = { maxWaiting: Number.POSITIVE_INFINITY, maxWaitingPerClient: Number.POSITIVE_INFINITY };
const ONE_AT_A_TIME = { slots: 1, slotsPerClient: 1, slotsPerNetwork: 1 };
const JOURNEY_SHARES = { ...ONE_AT_A_TIME, ...ALL_MAY_WAIT };

/** Resolves in the turn that belongs to this client; what it computes before it waits again has the turn to itself. */
export type JourneyTurns = (client: string) => Promise<void>;

/** One journey in a turn of the event loop, for all clients together. Rule 34. */
export function createJourneyTurns(): JourneyTurns {
  const slots = new FairSemaphore(JOURNEY_SHARES);
  return async (client) => {
    const release = (await slots.acquire(whoIs(client))) as ReleaseSlot;
    setImmediate(release);
  };
}

/** Rendering takes at most half of the time of the process: whoever asks, other requests come in between. */
const ALL_PAGES = { ...ONE_AT_A_TIME, ...ALL_MAY_WAIT, restFactor: 1, longestRestMs: 500 };
/**
 * Rendering for one network takes at most a fifth of the time. What a page costs besides, such as garbage collection
 * and sending it, comes to about half as much again.
 */
const NETWORK_PAGES = {
  ...{ slots: Number.POSITIVE_INFINITY, slotsPerClient: 1, slotsPerNetwork: 1 },
  ...{ maxWaiting: 2_000, maxWaitingPerClient: 100 },
  ...{ restFactor: 4, longestRestMs: 2_000 },
};

/** Resolves when it is the client's turn, with what ends the turn. `null` = too many wait, or the signal is aborted. */
export type PageTurns = (client: string, gone?: AbortSignal) => Promise<EndTurn | null>;

/** Turns for rendering what the site has not cached. */
export function createPageTurns(): PageTurns {
  const turns = new PacedTurns({ ...NETWORK_PAGES, common: new PacedTurns(ALL_PAGES) });
  return (client, gone) => turns.enter(whoIs(client), gone);
}

/** A view of the map asks for up to about 20 tiles at once. Drawing takes at most half of the time of the process. */
const STREET_TURNS = {
  ...ONE_AT_A_TIME,
  ...{ maxWaiting: 200, maxWaitingPerClient: 40 },
  ...{ restFactor: 1, longestRestMs: 500 },
};
/** What waits for its turn for longer is refused: its client may have gone. */
const STREET_WAIT_MS = 10_000;

/** Resolves when it is the client's turn; what it resolves with ends the turn. `null` = refused: too many wait. */
export type StreetTurns = (client: string) => Promise<EndTurn | null>;

/** Turns for drawing tiles with streets: one at a time, for all clients together. */
export function createStreetTurns(): StreetTurns {
  const turns = new PacedTurns(STREET_TURNS);
  return (client) => turns.enter(whoIs(client), AbortSignal.timeout(STREET_WAIT_MS));
}

function whoIs(client: string) {
  return { client, network: clientNetwork(client) };
}
