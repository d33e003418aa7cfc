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
const OF_KEY = 1;
const PLACES_OF_HOST = 8;

export type Place = { readonly due: DueDelivery; lane: Lane };

export class DeliveryPlaces {
  readonly #taken = new Map<number, Place>();

  get isEmpty(): boolean {
    return this.#taken.size === 0;
  }

  /** The deliveries that have one. */
  get underWay(): number[] {
    return [...this.#taken.keys()];
  }

  /** The keys, and the hosts, that have as many as they may. */
  full(lane: Lane): { readonly keys: number[]; readonly hosts: string[] } {
    const places = this.#of(lane);
    return {
      keys: fullOnes(places, ({ key }) => key, OF_KEY),
      hosts: fullOnes(places, ({ host }) => host, PLACES_OF_HOST),
    };
  }

  hasFree(lane: Lane): boolean {
    return this.#of(lane).length < PLACES[lane] && this.#taken.size < MOST;
  }

  /** Takes a place for a delivery; `null` = there is none for it now. */
  take(due: DueDelivery, lane: Lane): Place | null {
    if (!this.hasFree(lane) || this.#taken.has(due.delivery)) return null;
    const { keys, hosts } = this.full(lane);
    if (keys.includes(due.key) || hosts.includes(due.host)) return null;
    const place = { due, lane };
    this.#taken.set(due.delivery, place);
    return place;
  }

  /** The delivery takes long. */
  moveToSlow(place: Place): void {
    place.lane = 'slow';
  }

  release({ due }: Place): void {
    this.#taken.delete(due.delivery);
  }

  #of(lane: Lane): Place[] {
    return [...this.#taken.values()].filter((place) => place.lane === lane);
  }
}

/** What at least so many places have in common. */
function fullOnes<T>(places: readonly Place[], of: (due: DueDelivery) => T, most: number): T[] {
  const counts = new Map<T, number>();
  for (const { due } of places) counts.set(of(due), (counts.get(of(due)) ?? 0) + 1);
  return [...counts].flatMap(([each, count]) => (count >= most ? [each] : []));
}
