/** The numbers of the changes of each city and station, so that the newest of a quiet one are found at once. */
import type { FilteredFields } from './change-filter.ts';

/** A city by its slug, or a station by its id. */
export type ChangedPlace = { readonly city: string } | { readonly station: string };

type Numbered = Pick<FilteredFields, 'city' | 'station'> & { readonly seq: number };

export class PlaceIndex {
  readonly #numbers = new Map<string, number[]>();

  /** Adds changes, which come after all that are in it. */
  add(changes: readonly Numbered[]): void {
    for (const { seq, city, station } of changes) {
      this.#append(nameOf({ station }), seq);
      if (city !== '') this.#append(nameOf({ city }), seq);
    }
  }

  /** Removes what was added of changes up to a number; they are the oldest in it. */
  remove(changes: readonly Numbered[]): void {
    const names = new Map<string, number>();
    for (const { city, station } of changes)
      for (const name of [nameOf({ station }), nameOf({ city })]) names.set(name, (names.get(name) ?? 0) + 1);
    for (const [name, count] of names) {
      const left = this.#numbers.get(name)?.slice(count) ?? [];
      if (left.length === 0) this.#numbers.delete(name);
      else this.#numbers.set(name, left);
    }
  }

  clear(): void {
    this.#numbers.clear();
  }

  /** The numbers of the newest changes of a place, newest first, at most `most`. */
  newest(place: ChangedPlace, most: number): readonly number[] {
    return (this.#numbers.get(nameOf(place)) ?? []).slice(-most).reverse();
  }

  #append(name: string, seq: number): void {
    const known = this.#numbers.get(name);
    if (known === undefined) this.#numbers.set(name, [seq]);
    else known.push(seq);
  }
}

const nameOf = (place: ChangedPlace) => ('city' in place ? `city ${place.city}` : `station ${place.station}`);
