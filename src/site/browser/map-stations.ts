/**
 * The stations of the map as one file, small enough to send whole. Server and browser read it, so it imports nothing.
 */

export const MAP_FILE_PATH = '/harta/statii.json';

/** Why a price does not count. */
export type NotCounted = 'doubtful' | 'expired' | 'incoherent' | 'unknown';

/** Thousandths of a leu; a word = sold here without a price that counts; `null` = not sold here. */
export type MapPrice = number | NotCounted | null;

/** A part of an address, and the name that is shown. */
type Named = readonly [slug: string, name: string];

/**
 * `network` and `place` are positions in the lists of the file; of each fuel a price, and the days since it was seen,
 * or of an expired price, when a source last confirmed it (epoch seconds). A station whose coordinates cannot be right
 * has none.
 */
export type MapRow = readonly [
  id: string,
  lat: number | null,
  lng: number | null,
  network: number,
  place: number,
  prices: readonly MapPrice[],
  ages: readonly (number | null)[],
];

export type MapFile = {
  readonly networks: readonly Named[];
  readonly places: readonly Named[];
  readonly stations: readonly MapRow[];
};

export type MapStation = {
  /** The part of its page's address that names it. */
  readonly slug: string;
  readonly lat: number;
  readonly lng: number;
  /** Slug of the network. */
  readonly network: string;
  readonly name: string;
  /** The town. */
  readonly place: string;
  readonly prices: readonly MapPrice[];
  /** Days since each price was seen, or when an expired one was last confirmed, epoch seconds; `null` = not known. */
  readonly ages: readonly (number | null)[];
};

/** The stations of a file that have their place on a map. */
export function parseMapStations({ networks, places, stations }: MapFile): MapStation[] {
  return stations.flatMap(([id, lat, lng, networkAt, placeAt, prices, ages]) => {
    if (lat === null || lng === null) return [];
    const [network = '', name = ''] = networks[networkAt] ?? [];
    const [placeSlug = '', place = ''] = places[placeAt] ?? [];
    const slug = [network, placeSlug, id].filter((part) => part !== '').join('-');
    return [{ slug, lat, lng, network, name, place, prices, ages }];
  });
}

/** `9,59`, `9,595`: as all pages write prices. */
export function priceText(price: number, language: string): string {
  const text = (price / 1000).toFixed(3).replace(/0$/, '');
  return language === 'ro' ? text.replace('.', ',') : text;
}
