/** The prices of favourites, out of the file of all stations: nobody learns which ones somebody has. */
import { type MapFile, type MapPrice, type MapRow, priceText } from './map-stations.ts';

/** What the home page tells the list of favourites. */
export type FavouriteSettings = {
  /** Address of the file. */
  readonly file: string;
  /** The name of each fuel of the file, in a sentence; empty = not shown. */
  readonly fuels: readonly string[];
  readonly texts: Readonly<Record<'remove' | 'removeOne' | 'lowest' | 'none', string>>;
};

const CITY = /^\/preturi-carburanti\/([^/]+)$/;
const STATION = /^\/statie\/(?:.*-)?([^-/]+)$/;

/**
 * The prices of the page at a Romanian path, in words: of a station its own, of a city the lowest; empty for any other
 * page.
 */
export function priceWords(
  path: string,
  file: MapFile,
  { fuels, texts }: Pick<FavouriteSettings, 'fuels' | 'texts'>,
  language: string,
): string {
  const city = CITY.exec(path)?.[1];
  const station = STATION.exec(path)?.[1];
  if (city === undefined && station === undefined) return '';
  const places = file.places.map(([slug]) => slug);
  const rows = file.stations.filter(([id, , , , place]) => id === station || (city && places[place] === city));
  const known = fuels.flatMap((name, fuel) => {
    const price = name === '' ? null : lowest(rows, fuel);
    return price === null ? [] : [`${name} ${priceText(price, language)}`];
  });
  if (known.length === 0) return texts.none;
  return `${city === undefined ? '' : texts.lowest}${known.join(' · ')}`;
}

function lowest(rows: readonly MapRow[], fuel: number): number | null {
  const prices = rows.map(([, , , , , prices]): MapPrice => prices[fuel] ?? null);
  const counted = prices.filter((price) => typeof price === 'number');
  return counted.length === 0 ? null : Math.min(...counted);
}

let reading: Promise<MapFile | null> | null = null;

/** The file, read once for a page; `null` = it cannot be read now. */
export function readPrices(address: string): Promise<MapFile | null> {
  reading ??= fetch(address)
    .then(async (response) => (response.ok ? ((await response.json()) as MapFile) : null))
    .catch(() => null)
    .then((file) => {
      if (file === null) reading = null;
      return file;
    });
  return reading;
}
