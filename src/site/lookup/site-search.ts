/** What a typed text finds: places, counties, networks and stations of one snapshot. */
import { runToEnd } from '../../algorithms/run-to-end.ts';
import { runInTimeSlices } from '../../concurrency/in-slices.ts';
import { ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import type { County } from '../../domain/places/county.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { Locality } from '../../domain/places/locality.ts';
import { foldName } from '../../domain/places/place-names.ts';
import type { NetworkPrices, Snapshot } from '../../snapshot/snapshot.ts';
import type { SearchText } from './search-text.ts';
import { groupsByPrice, type StationPrices, stationLookup } from './station-prices.ts';
import { type StationWords, stationText, stationWords } from './station-words.ts';

export type SearchResults = {
  /** With a station: those whose name begins with the text first, then by population. */
  readonly cities: readonly CityFound[];
  /** Without one. */
  readonly villages: readonly Locality[];
  readonly counties: readonly County[];
  readonly networks: readonly NetworkPrices[];
  /** Those with a trusted price of the fuel first, cheapest first. */
  readonly stations: readonly StationPrices[];
};

type CityFound = { readonly place: Locality; readonly label: string; readonly stationCount: number };

const LABELS_READ = 40;
const MOST_CITIES = 10;
const MOST_VILLAGES = 3;

type SearchIndex = {
  /** By label of the place. */
  readonly cities: ReadonlyMap<string, CityFound>;
  readonly counties: readonly { readonly county: County; readonly names: readonly string[] }[];
  readonly networks: readonly { readonly network: NetworkPrices; readonly names: readonly string[] }[];
  readonly stationMatches: StationWords;
  readonly stations: readonly StationPrices[];
  /** The numbers of all stations, those with a trusted price of the fuel first, cheapest first. */
  readonly cheapestFirst: (fuel: RoadFuel) => readonly number[];
};

const indexes = new WeakMap<Snapshot, SearchIndex>();

/** Everything that a text finds; a text that only names a fuel finds the largest cities. */
export function searchSite(text: SearchText, snapshot: Snapshot, gazetteer: Gazetteer): SearchResults {
  const index = indexOf(snapshot, gazetteer);
  const { words, fuel } = text;
  if (words.length === 0)
    return { ...NOTHING, cities: text.namesFuel ? largestCities(snapshot, gazetteer, index) : [] };
  const coded = gazetteer.countyByName(text.place);
  const matches = (names: readonly string[]) => words.every((word) => names.some((name) => name.startsWith(word)));
  return {
    ...placesFound(text.place, gazetteer, index),
    counties: index.counties
      .filter(({ county, names }) => county === coded || matches(names))
      .map(({ county }) => county),
    networks: index.networks.filter(({ names }) => matches(names)).map(({ network }) => network),
    stations: index
      .cheapestFirst(fuel)
      .filter(index.stationMatches(words))
      .map((number) => index.stations[number] as StationPrices),
  };
}

const NOTHING: SearchResults = { cities: [], villages: [], counties: [], networks: [], stations: [] };

/** Makes the index of a snapshot before a search needs it, without keeping the process from other work. */
export async function prepareSearch(snapshot: Snapshot, gazetteer: Gazetteer): Promise<void> {
  const made = await runInTimeSlices(indexInSlices(snapshot, gazetteer));
  if (!indexes.has(snapshot)) indexes.set(snapshot, made);
}

function indexOf(snapshot: Snapshot, gazetteer: Gazetteer): SearchIndex {
  const known = indexes.get(snapshot);
  if (known !== undefined) return known;
  const made = runToEnd(indexInSlices(snapshot, gazetteer));
  indexes.set(snapshot, made);
  return made;
}

function* indexInSlices(snapshot: Snapshot, gazetteer: Gazetteer): Generator<void, SearchIndex, void> {
  const { byCity, stations } = stationLookup(snapshot);
  const cities = [...byCity].flatMap(([slug, own]) => {
    const place = gazetteer.localityBySlug(slug);
    return place === undefined ? [] : [{ place, label: gazetteer.labelOf(place), stationCount: own.length }];
  });
  yield;
  const stationMatches = yield* wordsOf(stations);
  const cheapest = new Map<RoadFuel, readonly number[]>();
  const numbered = stations.map((each, number) => ({ ...each, number }));
  for (const fuel of ROAD_FUELS) {
    yield;
    cheapest.set(fuel, yield* cheapestFirst(numbered, fuel));
  }
  return {
    cities: new Map(cities.map((city) => [city.label, city])),
    counties: gazetteer.counties.map((county) => ({ county, names: foldName(county.name).split(' ') })),
    networks: snapshot.networks.map((network) => ({ network, names: foldName(network.network.name).split(' ') })),
    stations,
    stationMatches,
    cheapestFirst: (fuel) => cheapest.get(fuel) as readonly number[],
  };
}

let lastWords: { readonly texts: readonly string[]; readonly matches: StationWords } | undefined;

/** Most publications change prices alone: the words of the stations are those of the snapshot before. */
function* wordsOf(stations: readonly StationPrices[]): Generator<void, StationWords, void> {
  const texts = stations.map(stationText);
  yield;
  const isKnown = texts.length === lastWords?.texts.length && texts.every((text, at) => text === lastWords?.texts[at]);
  if (!isKnown) lastWords = { texts, matches: yield* stationWords(texts) };
  return (lastWords as NonNullable<typeof lastWords>).matches;
}

/** The gazetteer knows other names and older spellings; it lists the most populous first. */
function placesFound(
  text: string,
  gazetteer: Gazetteer,
  { cities }: SearchIndex,
): Pick<SearchResults, 'cities' | 'villages'> {
  const needle = foldName(text);
  const labels = gazetteer.search(text, LABELS_READ);
  const found = labels.flatMap((label) => cities.get(label) ?? []);
  const begins = found.filter(({ place }) => foldName(place.name).startsWith(needle));
  const others = found.filter((city) => !begins.includes(city));
  // A part of a village's name says little: only a village that begins with the text can be meant.
  const villages = labels.filter((label) => !cities.has(label) && foldName(label).startsWith(needle));
  return {
    cities: [...begins, ...others].slice(0, MOST_CITIES),
    villages: villages.slice(0, MOST_VILLAGES).flatMap((label) => gazetteer.findPlace(label) ?? []),
  };
}

function largestCities(snapshot: Snapshot, gazetteer: Gazetteer, { cities }: SearchIndex): CityFound[] {
  return snapshot.cities.slice(0, MOST_CITIES).flatMap(({ slug }) => {
    const place = gazetteer.localityBySlug(slug);
    return (place && cities.get(gazetteer.labelOf(place))) ?? [];
  });
}

type NumberedStation = StationPrices & { readonly number: number };

function* cheapestFirst(stations: readonly NumberedStation[], fuel: RoadFuel): Generator<void, number[], void> {
  const ranked: number[] = [];
  for (const [, same] of groupsByPrice(stations, fuel)) {
    ranked.push(...same.map(({ number }) => number));
    yield;
  }
  const others = stations.filter(({ verdicts }) => verdicts.get(fuel)?.kind !== 'trusted').map(({ number }) => number);
  return [...ranked, ...others];
}
