/** Finds stations by the words of their network, address and place. */
import { firstIndexThat } from '../../algorithms/binary-search.ts';
import { foldName } from '../../domain/places/place-names.ts';
import type { StationPrices } from './station-prices.ts';

/** Whether every given word, folded, begins a word of the station with a number: its place in the list. */
export type StationWords = (words: readonly string[]) => (index: number) => boolean;

/** The text by whose words a station is found. */
export function stationText({ station }: StationPrices): string {
  const { network, address, city, countyName, name } = station;
  return [network.name, address, city, countyName, name ?? ''].join(' ');
}

/** Builds the index, a station's text a step. The work for a word grows with the number of stations that have it. */
export function* stationWords(texts: readonly string[]): Generator<void, StationWords, void> {
  const holders = new Map<string, number[]>();
  for (const [index, text] of texts.entries()) {
    for (const word of new Set(foldName(text).split(' '))) {
      const known = holders.get(word);
      if (known) known.push(index);
      else holders.set(word, [index]);
    }
    yield;
  }
  const sorted = yield* sortedInSlices([...holders.keys()]);
  return (words) => {
    // How many of the words so far each station has.
    const had = new Uint8Array(texts.length);
    for (const [count, word] of words.entries()) {
      const first = firstIndexThat((at) => (sorted[at] as string) >= word, 0, sorted.length);
      for (let at = first; sorted[at]?.startsWith(word); at += 1)
        for (const index of holders.get(sorted[at] as string) as number[])
          if (had[index] === count) had[index] = count + 1;
    }
    return (index) => had[index] === words.length;
  };
}

/** Sorts words by code units, those of one first letter a step. */
function* sortedInSlices(words: readonly string[]): Generator<void, string[], void> {
  const sorted: string[] = [];
  const byLetter = Map.groupBy(words, (word) => word.charAt(0));
  for (const letter of [...byLetter.keys()].sort()) {
    yield;
    sorted.push(...(byLetter.get(letter) as string[]).sort());
  }
  return sorted;
}
