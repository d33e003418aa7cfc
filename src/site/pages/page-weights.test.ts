import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { aWaitingSite } from '../../../test/support/builders/site-builders.ts';
import { NOON, TODAY } from '../../../test/support/builders/snapshot-builders.ts';
import { factsOf, historyOf, syntheticCountry } from '../../../test/support/builders/synthetic-country.ts';
import { compressBrotliBest } from '../../api/encoding/best-compression.ts';
import { DEFAULT_RANGES } from '../../domain/fuel.ts';
import type { DayStatistics } from '../../domain/prices/day-statistics.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { buildSnapshot } from '../../snapshot/build.ts';

/** As many as Romania has: about 1,400 stations. */
const RECORDS = 5_800;
/** Bytes of a page as browsers get it. */
const MOST_BYTES = 15_000;
const PAST_DAYS = 400;

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
    '/docs',
    '/planuri',
  ],
  ...['/termeni', '/confidentialitate', '/germania', '/traseu', '/langa-mine', '/cautare?q=cluj', '/fara-conexiune'],
  ...['/preturi-carburanti/bucuresti', '/preturi-carburanti/bucuresti/benzina', '/judet/prahova', '/retea/petrom'],
  ...['/langa-mine?lat=44.43&lng=26.10', '/traseu/bucuresti/cluj-napoca'],
];
/** A file per browser, loaded once. */
const MOST_STYLE_BYTES = 6_000;

describe('over a country of real size', () => {
  let read: ReturnType<typeof aWaitingSite>;
  before(() => {
    const world = syntheticCountry(RECORDS, NOON);
    const built = buildSnapshot({
      facts: factsOf(world),
      now: NOON,
      ranges: DEFAULT_RANGES,
      gazetteer: loadGazetteer(),
      history: historyOf(world),
      inService: ['register'],
    });
    read = aWaitingSite({ snapshot: { ...built, statistics: () => PAST }, simulated: true });
  });

  for (const path of PAGES) {
    it(`${path} weighs at most ${MOST_BYTES} bytes`, async () => assertWeight(path, MOST_BYTES));
  }

  it('the page of a station does, too', async () => {
    const city = (await read('/preturi-carburanti/bucuresti/benzina')).body.toString();
    const [, station = ''] = / href="(\/statie\/[^"]+)"/.exec(city) ?? [];
    await assertWeight(station, MOST_BYTES);
  });

  it(`the style sheet weighs at most ${MOST_STYLE_BYTES} bytes`, async () => {
    const [, style = ''] = / href="(\/b\/[^"]+\/style\.css)"/.exec((await read('/')).body.toString()) ?? [];
    await assertWeight(style, MOST_STYLE_BYTES);
  });

  async function assertWeight(path: string, most: number): Promise<void> {
    const { status, body } = await read(path);
    assert.equal(status, 200, path);
    const bytes = (await compressBrotliBest(body, new AbortController().signal))?.length ?? 0;
    assert.ok(bytes > 0 && bytes <= most, `${path} weighs ${bytes} bytes`);
  }
});

/** Prices that move every day. */
const PAST: DayStatistics[] = Array.from({ length: PAST_DAYS }, (_, index) => {
  const mean = 7_400 + 10 * Math.round(20 * Math.sin(index / 9) + 5 * Math.sin(index));
  const around = { min: mean - 250, low: mean - 120, median: mean + 10, high: mean + 130, max: mean + 270 };
  return { day: TODAY - PAST_DAYS + 1 + index, stations: 1_400, mean, ...around };
});
