/**
 * Each client's and each network's share of a turn of the event loop. A flood from one address over many connections
 * then costs the requests of others some tenths of a millisecond (3 ms if it searches 50 km with a key), and one from a
 * whole network some milliseconds. Prerendered responses need no share: they cost a few microseconds.
 */
import { BoundedMap } from '../../../concurrency/bounded-map.ts';
import { FairTurns } from '../../../concurrency/fair-turns.ts';
import { clientNetwork } from '../../../domain/access/client-network.ts';
import type { Caller } from '../../request/caller.ts';

/** Of a request on the fast path, 25 µs (a search of 50 km: 150 to 430), and of one that Fastify routes, 100 to 200. */
const COST = { fast: 1, routed: 5 };
const COST_PER_TURN = { perClient: 8, perNetwork: 32 };
/**
 * Clients whose networks are remembered, because finding one takes some microseconds. With more than 8,192, V8 gives
 * the map twice the memory.
 */
const MAX_KNOWN_CLIENTS = 8_000;

export type RequestTurns = {
  /** `null` = the request goes on at once; else it waits for a turn of its client. */
  enter(caller: Caller, kind: keyof typeof COST): Promise<void> | null;
};

/** @param clientOf the client that a request counts for. */
export function createRequestTurns(clientOf: (caller: Caller) => string): RequestTurns {
  const turns = new FairTurns(COST_PER_TURN);
  const networks = new BoundedMap<string>(MAX_KNOWN_CLIENTS);
  const networkOf = (client: string) => {
    const known = networks.get(client);
    if (known !== undefined) return known;
    const network = clientNetwork(client);
    networks.set(client, network);
    return network;
  };
  return {
    enter: (caller, kind) => {
      const client = clientOf(caller);
      return turns.enter({ client, network: networkOf(client) }, COST[kind]);
    },
  };
}
