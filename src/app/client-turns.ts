/**
 * Turns for work that occupies the event loop for milliseconds: journeys, pages, and tiles with streets. While one
 * client asks for a lot, requests of others are still answered in between, and waiting networks are served in turn.
 */
import { FairSemaphore, type ReleaseSlot } from '../concurrency/fair-semaphore.ts';
import { type EndTurn, PacedTurns } from '../concurrency/paced-turns.ts';
import { clientNetwork } from '../domain/access/client-network.ts';

/** Those that wait hold nothing but their connection: they are within the limits of requests. */
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

/**
 * Rendering for one network takes at most a fifth of the time of the process. What a page costs besides, such as
 * garbage collection and sending it, comes to about as much again as half of it.
 */
const PAGE_TURNS = {
  ...{ slots: Number.POSITIVE_INFINITY, slotsPerClient: 1, slotsPerNetwork: 1 },
  ...ALL_MAY_WAIT,
  ...{ restFactor: 4, longestRestMs: 500 },
};

/** Resolves when it is the client's turn; what it resolves with ends the turn. */
export type PageTurns = (client: string) => Promise<EndTurn>;

/** Turns for rendering what the site has not cached. */
export function createPageTurns(): PageTurns {
  const turns = new PacedTurns(PAGE_TURNS);
  return async (client) => (await turns.enter(whoIs(client))) as EndTurn;
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
