import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { NOON, TODAY } from '../../../test/support/builders/snapshot-builders.ts';
import { factsOf, historyOf, syntheticCountry } from '../../../test/support/builders/synthetic-country.ts';
import { RUN } from '../../../test/support/run-settings.ts';
import { aWaitingSite } from '../../../test/support/service/site-builders.ts';
import { Body } from '../../api/encoding/body.ts';
import { DEFAULT_RANGES } from '../../domain/fuel.ts';
import { matchRoute } from '../../domain/pages/routes.ts';
import type { DayStatistics } from '../../domain/prices/day-statistics.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { buildSnapshot } from '../../snapshot/build.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { stationOf } from './station/station-data.ts';
import { stationTitle } from './station/station-title.ts';

/** As many records as Romania has, of about 1,400 stations, and ten times as many. */
const COUNTRIES = { 'of real size': 5_800, 'with ten times the stations': 58_000 };
/** Bytes of a page as browsers get it. */
const MOST_BYTES = 15_000;
/** The documentation describes every operation of the API: docs/decisions/0035-weight-of-the-documentation.md. */
const MOST_BYTES_OF_DOCS = 24_000;
const PAST_DAYS = 400;
/** Of so many pages of stations, and of those in English, one is read whole. */
const PAGES_PER_SAMPLE = 29;
/** Of so many pages of places, one is read; the longer forms read all. */
const PLACES_PER_SAMPLE = RUN.length === 'short' ? 5 : 1;

/** A page of each kind: of places, the one with the most on it. */
const PAGES = [
  ...[
    '/',
    '/harta',
    '/azi',
    '/zi',
    '/autostrazi',
    '/statistici',
    '/alerte',
    '/stare',
    '/metodologie',
    '/date',
    '/widget?oras=bucuresti',
    '/planuri',
  ],
  ...['/termeni', '/confidentialitate', '/germania', '/traseu', '/langa-mine', '/cautare?q=cluj', '/fara-conexiune'],
  ...[
    '/preturi-carburanti/bucuresti',
    '/preturi-carburanti/bucuresti/benzina',
    '/judet/prahova',
    '/judet/arges',
    '/retea/petrom',
  ],
  ...['/langa-mine?lat=44.43&lng=26.10', '/traseu/bucuresti/cluj-napoca'],
];
/** A file per browser, loaded once. */
const MOST_STYLE_BYTES = 6_000;

for (const [country, records] of Object.entries(COUNTRIES)) {
  describe(`in a country ${country}`, () => assertWeights(records));
}

function assertWeights(records: number): void {
  let read: ReturnType<typeof aWaitingSite>;
  let snapshot: Snapshot;
  before(() => {
    const world = syntheticCountry(records, NOON);
    const built = buildSnapshot({
      facts: factsOf(world),
      now: NOON,
      ranges: DEFAULT_RANGES,
      gazetteer: loadGazetteer(),
      history: historyOf(world),
      inService: ['register'],
    });
    snapshot = { ...built, statistics: () => PAST };
    read = aWaitingSite({ snapshot, simulated: true });
  });

  for (const path of PAGES) {
    it(`${path} weighs at most ${MOST_BYTES} bytes`, async () => assertWeight(path, MOST_BYTES));
  }

  it(`/docs weighs at most ${MOST_BYTES_OF_DOCS} bytes`, async () => assertWeight('/docs', MOST_BYTES_OF_DOCS));

  it('the page of a station does, too', async () => {
    const city = (await read('/preturi-carburanti/bucuresti/benzina')).body.toString();
    const [, station = ''] = / href="(\/statie\/[^"]+)"/.exec(city) ?? [];
    await assertWeight(station, MOST_BYTES);
  });

  it(`the style sheet weighs at most ${MOST_STYLE_BYTES} bytes`, async () => {
    const [, style = ''] = / href="(\/b\/[^"]+\/style\.css)"/.exec((await read('/')).body.toString()) ?? [];
    await assertWeight(style, MOST_STYLE_BYTES);
  });

  const titlesDiffer = async () => {
    const titles = new Map<string, string>();
    const note = (path: string, title: string) => {
      assert.equal(titles.get(title) ?? path, path, title);
      titles.set(title, path);
      assert.ok(title.length <= 70, `${path}: ${title}`);
    };
    const gazetteer = loadGazetteer();
    for (const [index, path] of (await pagesOfPlaces()).entries()) {
      const route = matchRoute(path);
      const details = stationOf(route?.parameters.station ?? '', { snapshot, gazetteer });
      if (route?.name === 'station' && details !== null) note(path, stationTitle(details, route.language));
      // Of a station the title is enough; what differs in one language differs in the other.
      const isOfPlace = route?.name !== 'station' && route?.language === 'ro';
      if (index % (isOfPlace ? PLACES_PER_SAMPLE : PAGES_PER_SAMPLE) === 0) await assertShownWhole(path, note);
    }
    assert.ok(titles.size > 3_000);
  };
  // Ten times the stations have no other titles.
  if (records === COUNTRIES['of real size'])
    it('titles tell pages of a language apart, and descriptions are shown whole', titlesDiffer);

  async function assertShownWhole(path: string, note: (path: string, title: string) => void): Promise<void> {
    const text = (await read(path)).body.toString();
    const [, title = ''] = /<title>([^<]+)/.exec(text) ?? [];
    const [, description = ''] = /<meta name="description" content="([^"]+)"/.exec(text) ?? [];
    const [, canonical = path] = /<link rel="canonical" href="https?:\/\/[^/]+([^"]*)"/.exec(text) ?? [];
    if (canonical === path) note(path, title);
    assert.ok(description.length <= 165, `${path}: ${description.length} ${description}`);
  }

  /** What the sitemap names. */
  async function pagesOfPlaces(): Promise<string[]> {
    const locations = async (path: string) =>
      [...(await read(path)).body.toString().matchAll(/<loc>https?:\/\/[^/<]+([^<]*)<\/loc>/g)].map(
        ([, each = '']) => each,
      );
    const maps = (await locations('/sitemap.xml')).filter((each) => each.endsWith('.xml'));
    return (await Promise.all(maps.map(locations))).flat();
  }

  async function assertWeight(path: string, most: number): Promise<void> {
    const { status, body, singleUse } = await read(path);
    assert.equal(status, 200, path);
    // As it is sent: a page of one visitor is compressed fast, one that others get too, better.
    const sent = singleUse === true ? Body.singleUse(body.toString()) : Body.shared(body);
    const bytes = (await sent.encoded('br')).length;
    assert.ok(bytes > 0 && bytes <= most, `${path} weighs ${bytes} bytes`);
  }
}

/** Prices that move every day. */
const PAST: DayStatistics[] = Array.from({ length: PAST_DAYS }, (_, index) => {
  const mean = 7_400 + 10 * Math.round(20 * Math.sin(index / 9) + 5 * Math.sin(index));
  const around = { min: mean - 250, p10: mean - 120, median: mean + 10, p90: mean + 130, max: mean + 270 };
  return { day: TODAY - PAST_DAYS + 1 + index, stations: 1_400, mean, ...around };
});
