/** Finds stations by the words of their network, address and place. */
import { firstIndexThat } from '../../algorithms/binary-search.ts';
import { foldName } from '../../domain/places/place-names.ts';
import type { StationPrices } from './station-prices.ts';

/** Whether every given word, folded, begins a word of the station with a number: its place in the list. */
export type StationWords = (words: readonly string[]) => (index: number) => boolean;

/** Builds the index. The work for a word grows with the number of stations that have it. */
export function stationWords(stations: readonly StationPrices[]): StationWords {
  const holders = new Map<string, number[]>();
  for (const [index, { station }] of stations.entries()) {
    const { network, address, city, countyName, name } = station;
    const text = foldName([network.name, address, city, countyName, name ?? ''].join(' '));
    for (const word of new Set(text.split(' '))) {
      const known = holders.get(word);
      if (known) known.push(index);
      else holders.set(word, [index]);
    }
  }
  const sorted = [...holders.keys()].sort();
  return (words) => {
    // How many of the words so far each station has.
    const had = new Uint8Array(stations.length);
    for (const [count, word] of words.entries()) {
      const first = firstIndexThat((at) => (sorted[at] as string) >= word, 0, sorted.length);
      for (let at = first; sorted[at]?.startsWith(word); at += 1)
        for (const index of holders.get(sorted[at] as string) as number[])
          if (had[index] === count) had[index] = count + 1;
    }
    return (index) => had[index] === words.length;
  };
}
