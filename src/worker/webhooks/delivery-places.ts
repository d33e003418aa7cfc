/**
 * Which deliveries are under way, and for which others there is a place. Addresses that answer promptly have places of
 * their own: one that takes longer than expected is moved, while it is under way, to the places of slow ones. So it
 * keeps a prompt one waiting for no longer than that, however many are slow.
 */
import type { DueDelivery, Lane } from '../../store/webhooks/due-deliveries.ts';

/** Deliveries under way at a time. */
const PLACES: Readonly<Record<Lane, number>> = { prompt: 64, slow: 256 };
/** With those that were moved, which may be more than the slow ones have places. */
const MOST = 512;
/** Of one key, and to one host, in each lane. */
const PLACES_OF_KEY = 1;
const PLACES_OF_HOST = 8;

export type Place = { readonly due: DueDelivery; lane: Lane };

export class DeliveryPlaces {
  readonly #taken = new Map<number, Place>();
  readonly #counts: Readonly<Record<Lane, Counts>> = { prompt: new Counts(), slow: new Counts() };

  get isEmpty(): boolean {
    return this.#taken.size === 0;
  }

  /** The deliveries that have one. */
  get underWay(): number[] {
    return [...this.#taken.keys()];
  }

  /** The keys, and the hosts, that have as many as they may. */
  full(lane: Lane): { readonly keys: number[]; readonly hosts: string[] } {
    const { keys, hosts } = this.#counts[lane];
    return { keys: fullOnes(keys, PLACES_OF_KEY), hosts: fullOnes(hosts, PLACES_OF_HOST) };
  }

  hasFree(lane: Lane): boolean {
    return this.#counts[lane].all < PLACES[lane] && this.#taken.size < MOST;
  }

  /** Takes a place for a delivery; `null` = there is none for it now. */
  take(due: DueDelivery, lane: Lane): Place | null {
    const { keys, hosts } = this.#counts[lane];
    if (!this.hasFree(lane) || this.#taken.has(due.delivery)) return null;
    if ((keys.get(due.key) ?? 0) >= PLACES_OF_KEY || (hosts.get(due.host) ?? 0) >= PLACES_OF_HOST) return null;
    const place = { due, lane };
    this.#taken.set(due.delivery, place);
    this.#counts[lane].add(due, 1);
    return place;
  }

  /** The delivery takes long. */
  moveToSlow(place: Place): void {
    this.#counts[place.lane].add(place.due, -1);
    place.lane = 'slow';
    this.#counts.slow.add(place.due, 1);
  }

  release({ due, lane }: Place): void {
    this.#taken.delete(due.delivery);
    this.#counts[lane].add(due, -1);
  }
}

/** How many deliveries are under way in a lane: in all, of each key, to each host. */
class Counts {
  all = 0;
  readonly keys = new Map<number, number>();
  readonly hosts = new Map<string, number>();

  add({ key, host }: DueDelivery, by: 1 | -1): void {
    this.all += by;
    addTo(this.keys, key, by);
    addTo(this.hosts, host, by);
  }
}

function addTo<T>(counts: Map<T, number>, of: T, by: number): void {
  const count = (counts.get(of) ?? 0) + by;
  if (count === 0) counts.delete(of);
  else counts.set(of, count);
}

function fullOnes<T>(counts: ReadonlyMap<T, number>, most: number): T[] {
  return [...counts].flatMap(([each, count]) => (count >= most ? [each] : []));
}
