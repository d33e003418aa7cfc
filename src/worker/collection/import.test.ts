import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import {
  at,
  COLLECTION_SETTINGS,
  failingAtCommit,
  setUpCollector,
  storedState,
} from '../../../test/support/collection/collector-fixture.ts';
import { readHistory, readPrices, readStations } from '../../sources/manual/import-rows.ts';
import { BadFile } from '../../sources/manual/import-table.ts';
import { importHistory, importPrices, importStations } from './import.ts';

const { database, fakeSource, bench } = setUpCollector();

beforeEach(async () => {
  fakeSource.respondsWith({ R1: { petrol: 7_000 } });
  await bench.run('2026-11-20T07:00Z');
});

const NOW = at('2026-11-20T08:00Z');
const LATER = at('2026-11-20T10:00Z');

const STATIONS = 'key,brand,city,county,lat,lng,fuels,services\n';
const stations = (rows: string, now = NOW) =>
  importStations(
    database.kysely,
    readStations('s.csv', `${STATIONS}${rows}`, COLLECTION_SETTINGS.gazetteer),
    COLLECTION_SETTINGS,
    now,
  );
const prices = (rows: string, now = NOW) =>
  importPrices(
    database.kysely,
    readPrices('p.csv', `station,fuel,price,observed_at\n${rows}`, COLLECTION_SETTINGS.ranges, now),
    COLLECTION_SETTINGS,
    now,
  );
const history = (rows: string, now = NOW) =>
  importHistory(
    database.kysely,
    readHistory('h.csv', `date,station,fuel,price\n${rows}`, now),
    COLLECTION_SETTINGS,
    now,
  );

/** The errors with which an import is refused; checks that nothing of it is stored. */
async function refused(attempt: () => Promise<unknown>): Promise<readonly string[]> {
  const earlier = await storedState(database);
  let problems: readonly string[] = [];
  await assert.rejects(attempt, (error) => {
    assert.ok(error instanceof BadFile, `${error}`);
    problems = error.problems;
    return true;
  });
  assert.deepEqual(await storedState(database), earlier, 'all or nothing');
  return problems;
}

const manual = async () => (await storedState(database)).prices.filter(({ source }) => source === 'manual');
const registerStation = async () =>
  (await storedState(database)).stations.find(({ siruta }) => siruta === 1)?.id as string;

describe('import stations', () => {
  test('creates a station with its unpriced fuels and publishes at once', async () => {
    await stations('A,Petrom,Bucuresti,B,44.43,26.10,gpl;benzina_standard,Spălătorie;Magazin\n');
    const world = await storedState(database);
    assert.equal(world.version, 2);
    assert.equal(world.publishedAt, NOW);
    assert.equal(world.updatedAt, at('2026-11-20T07:00Z'), 'an import is not a collection');
    const made = world.stations.find(({ manual }) => manual !== null);
    assert.equal(made?.brand, 'Petrom');
    assert.deepEqual(made?.services, ['Spălătorie', 'Magazin']);
    assert.deepEqual(
      (await manual()).map(({ station, fuel, price }) => [station === made?.id, fuel, price]),
      [
        [true, 'petrol', null],
        [true, 'lpg', null],
      ],
    );
  });

  test('updates a station by its key, wherever it has moved, and its unpriced fuels', async () => {
    await stations('A,Petrom,Bucuresti,B,44.43,26.10,,\n');
    const id = (await manual())[0]?.station;
    await prices(`manual:A,benzina_standard,7.50,2026-11-20T09:00:00+02:00\n`);
    await stations('A,MOL,Cluj-Napoca,CJ,46.77,23.60,gpl,\n', LATER);
    const world = await storedState(database);
    assert.deepEqual(
      world.stations.filter(({ manual }) => manual !== null).map(({ id, brand, lat }) => [id, brand, lat]),
      [[id, 'MOL', 46.77]],
    );
    assert.deepEqual(
      (await manual()).map(({ fuel, price }) => [fuel, price]),
      [
        ['petrol', 7_500],
        ['lpg', null],
      ],
      'the unpriced diesel goes, the price of petrol stays',
    );
  });

  test('links a place to the station of the register that stands there', async () => {
    await stations('A,Petrom,Bucuresti,B,44.501,26.1001,,\n');
    assert.equal((await storedState(database)).stations.length, 1);
    assert.equal((await manual())[0]?.station, await registerStation());
  });

  test('refuses a place that could be either of two stations, and names its line', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000 }, R2: { petrol: 7_000 } }, { north: { R2: -11_119.5 + 300 } });
    await bench.run('2026-11-20T07:30Z');
    const problems = await refused(() =>
      stations('B,OMV,Iasi,IS,47.16,27.58,,\nA,Petrom,Bucuresti,B,44.5013,26.1,,\n'),
    );
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /^line 3: "A" could be any of the stations [0-9a-f]{12}, [0-9a-f]{12}: give more/);
  });

  test('names every bad row by its line and imports none', async () => {
    const problems = await refused(() =>
      stations(
        [
          'A,Petrom,Bucuresti,B,44.43,26.10,,',
          'B,,Bucuresti,B,44.43,26.10,,',
          'C,Petrom,Nicaieri,B,44.43,26.10,,',
          'D,Petrom,Bucuresti,XX,44.43,26.10,,',
          'E,Petrom,Bucuresti,B,"44,43",26.10,,',
          'F,Petrom,Bucuresti,B,44.43,190,,',
          'A,Petrom,Bucuresti,B,44.43,26.10,,',
          'G,Petrom,Bucuresti,B,44.43,26.10,kerosen,',
          'H,Petrom,Bucuresti',
        ].join('\n'),
      ),
    );
    assert.deepEqual(
      problems.map((problem) => problem.slice(0, 7)),
      [3, 4, 5, 6, 7, 8, 9, 10].map((line) => `line ${line}:`.slice(0, 7)),
    );
  });
});

describe('import prices', () => {
  test('accepts a report by our id or by manual:KEY, with its own time', async () => {
    await stations('A,Petrom,Bucuresti,B,44.43,26.10,,\n');
    const id = await registerStation();
    const { older } = await prices(
      `manual:A,benzina_standard,7.505,2026-11-20T09:00:00+02:00\n${id},gpl,3.5,2026-11-20T07:10Z\n`,
    );
    assert.equal(older, 0);
    const priced = (await manual()).filter(({ price }) => price !== null);
    assert.deepEqual(priced.map(({ fuel, price, observed }) => [fuel, price, observed?.at]).sort(), [
      ['lpg', 3_500, at('2026-11-20T07:10Z')],
      ['petrol', 7_505, at('2026-11-20T07:00Z')],
    ]);
  });

  test('a report older than the known one changes nothing, and is counted', async () => {
    const id = await registerStation();
    await prices(`${id},gpl,3.5,2026-11-20T07:10Z\n`);
    const { older } = await prices(`${id},gpl,3.6,2026-11-20T07:05Z\n`, LATER);
    assert.equal(older, 1);
    assert.equal((await manual())[0]?.price, 3_500);
  });

  test('names every bad row by its line, whatever its fault, and imports none', async () => {
    await stations('A,Petrom,Bucuresti,B,44.501,26.1001,,\n');
    const id = await registerStation();
    const problems = await refused(() =>
      prices(
        [
          `${id},benzina_standard,7.50,2026-11-20T07:10Z`,
          'nobody,gpl,3.5,2026-11-20T07:10Z',
          `${id},gpl,"3,5",2026-11-20T07:10Z`,
          `${id},motorina_standard,50,2026-11-20T07:10Z`,
          `${id},adblue,5.00,2026-11-20T08:10:01Z`,
          `${id},motorina_premium,8.5,2026-11-20 07:10`,
          'manual:A,benzina_standard,7.60,2026-11-20T07:20Z',
          'manual:B,benzina_standard,7.60,2026-11-20T07:20Z',
        ].join('\n'),
      ),
    );
    assert.deepEqual(problems, [
      'line 3: station "nobody" is not known; give the id of a /statii record or manual:KEY',
      'line 4: price "3,5" must be from 2.50 to 6.00, with a dot',
      'line 5: price "50" must be from 5.50 to 13.00, with a dot',
      'line 6: observed_at "2026-11-20T08:10:01Z" lies in the future',
      'line 7: observed_at "2026-11-20 07:10" must be ISO 8601 with an offset, such as 2026-11-20T08:30:00+02:00',
      'line 8: it repeats line 2, which names the same station',
      'line 9: station "manual:B" is not known; give the id of a /statii record or manual:KEY',
    ]);
  });

  test('accepts a report ten minutes ahead of the clock', async () => {
    const id = await registerStation();
    await prices(`${id},gpl,3.5,2026-11-20T08:10:00Z\n`);
    assert.equal((await manual()).length, 1);
  });
});

describe('import history', () => {
  test('publishes which days changed, and the first day with a price', async () => {
    const id = await registerStation();
    await history(`2024-02-29,${id},gpl,3.10\n2026-11-19,${id},benzina_standard,7.20\n`);
    const { days, version } = await storedState(database);
    assert.equal(version, 2);
    assert.deepEqual(
      days.map(({ day, petrol, lpg }) => [day, petrol, lpg]),
      [
        ['2024-02-29', null, 3_100],
        ['2026-11-19', 7_200, null],
        ['2026-11-20', 7_000, null],
      ],
    );
    const changed = await database.kysely.selectFrom('changed_days').select('day').orderBy('day').execute();
    assert.deepEqual(
      changed.map(({ day }) => day),
      ['2024-02-29', '2026-11-19'],
    );
    const { first_day, fuels } = await database.kysely
      .selectFrom('stations')
      .select(['first_day', 'fuels'])
      .executeTakeFirstOrThrow();
    assert.deepEqual([first_day, fuels], ['2024-02-29', 0b010001]);
  });

  test('a later import of the same days replaces the earlier one', async () => {
    const id = await registerStation();
    await history(`2026-11-10,${id},gpl,3.10\n2026-11-10,${id},adblue,5.10\n`);
    await history(`2026-11-10,${id},gpl,3.20\n`);
    const [day] = (await storedState(database)).days;
    assert.deepEqual([day?.lpg, day?.adblue], [3_200, 5_100]);
  });

  test('names every bad row by its line and imports none', async () => {
    const id = await registerStation();
    const problems = await refused(() =>
      history(
        `2026-02-30,${id},gpl,3.10\n2026-11-21,${id},gpl,3.10\n2026-11-19,${id},gpl,-1\n2026-11-19,x,gpl,3\n` +
          `2026-11-18,${id},gpl,3\n2026-11-18,${id},gpl,3\n`,
      ),
    );
    assert.deepEqual(problems, [
      'line 2: date "2026-02-30" must be a day such as 2026-11-20',
      'line 3: date "2026-11-21" lies in the future',
      'line 4: price "-1" must be from 0.50 to 50.00, with a dot',
      'line 5: station "x" is not known; give the id of a /statii record or manual:KEY',
      'line 7: it repeats the date, station and fuel of line 6',
    ]);
  });
});

describe('an import that is cut off before its end', () => {
  test('stores nothing, whatever it imports', async () => {
    const id = await registerStation();
    const earlier = await storedState(database);
    await failingAtCommit(database, async () => {
      await assert.rejects(stations('A,Petrom,Bucuresti,B,44.43,26.10,gpl,\n'), /cut_off/);
      await assert.rejects(prices(`${id},gpl,3.5,2026-11-20T07:50:00Z\n`), /cut_off/);
      await assert.rejects(history(`2026-11-01,${id},gpl,3.5\n`), /cut_off/);
    });
    assert.deepEqual(await storedState(database), earlier);
  });
});
