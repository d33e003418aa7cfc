/** One address asks for pages that nobody has cached, without end: what others get meanwhile. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createPageTurns } from '../../src/app/client-turns.ts';
import { createJourneyPlanner } from '../../src/app/routing-service.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import type { Visitor } from '../../src/site/frame/journey-planner.ts';
import { createSite } from '../../src/site/pages/site.ts';
import { API_DESCRIPTION } from '../support/service/real-api-description.ts';
import { world } from '../support/worlds/contract-world.ts';

const FLOOD = 60;
/** Of another network in each test, so that none still rests after the one before. */
let floods = 0;
const newFlood = () => {
  floods += 1;
  return { flooder: `198.51.${floods}.66`, neighbour: `198.51.${floods}.67`, other: `203.0.${floods}.1` };
};
/** Pages of the flood that may come before that of another network: what was under way when it asked. */
const MOST_BEFORE = 3;

/** Pages whose text may be the name of a place that is misspelt. */
const GUESSES: readonly [what: string, path: (text: string) => string][] = [
  ['the form of a journey', (text) => `/traseu?de=${text}&la=Cluj`],
  ['the search', (text) => `/cautare?q=${text}`],
  ['suggestions', (text) => `/sugestii?q=${text}`],
];
/** Of a client; then one a second. */
const SEARCHES_AT_ONCE = 10;

const snapshot = world();
const gazetteer = loadGazetteer();
let searches = 0;
const countedSearch = (text: string) => {
  searches += 1;
  return gazetteer.suggestPlaces(text);
};
const clientOf = ({ headers }: Visitor) => String(headers['x-forwarded-for']);
const pageTurns = createPageTurns();
const site = createSite({
  ...{ gazetteer, clientOf, simulated: false, snapshot: () => snapshot, api: () => API_DESCRIPTION },
  publicUrl: () => 'http://pompa.example',
  journeys: createJourneyPlanner({ ...gazetteer, suggestPlaces: countedSearch }, null, clientOf),
  takeTurn: (visitor) => pageTurns(clientOf(visitor), visitor.gone),
});
const ask = async (target: string, from: string, gone?: AbortSignal) => {
  const [path = '', query = ''] = target.split('?');
  return site(path, new URLSearchParams(query), {
    ...{ headers: { 'x-forwarded-for': from }, peer: {} },
    ...(gone === undefined ? {} : { gone }),
  });
};

const FLOODS: readonly [what: string, path: (at: number) => string][] = [
  ['pages of a query', (at) => `/harta?tip=motorina&oras=a${at}`],
  ['searches', (at) => `/cautare?q=petrom+${at}`],
  ['positions', (at) => `/langa-mine?lat=46.${at}&lng=23.6`],
  ['addresses without a page', (at) => `/nu-exista/${at}`],
  ['tiles', (at) => `/harta/9/${280 + at}/180.svg`],
];

describe(`while one address asks for ${FLOOD} pages at once`, () => {
  for (const [what, path] of FLOODS) {
    test(`${what}: a page of another network is rendered next, and all get theirs`, async () => {
      const { flooder, other } = newFlood();
      let answered = 0;
      const flood = Array.from({ length: FLOOD }, (_, at) =>
        ask(path(at), flooder).then(({ status }) => {
          answered += 1;
          return status;
        }),
      );
      const page = await ask(path(FLOOD + 1), other);
      const before = answered;
      const statuses = new Set(await Promise.all(flood));
      assert.ok(statuses.has(page.status));
      assert.ok(before <= MOST_BEFORE, `${before} of the flood came first`);
    });
  }

  test('a page of a neighbour in its network is rendered in turn with those of the flood', async () => {
    const { flooder, neighbour } = newFlood();
    let answered = 0;
    const flood = Array.from({ length: FLOOD }, (_, at) =>
      ask(`/langa-mine?lat=45.${at}&lng=23.6`, flooder).then(() => {
        answered += 1;
      }),
    );
    await ask('/langa-mine?lat=47&lng=23.6', neighbour);
    assert.ok(answered <= MOST_BEFORE, `after ${answered} of the flood`);
    await Promise.all(flood);
  });

  test('a page of one more network waits for one page of each other one, and for none that nobody awaits', async () => {
    const NETWORKS = 12;
    let rendered = 0;
    const floodFrom = (network: number, gone?: AbortSignal) =>
      Array.from({ length: 5 }, (_, at) =>
        ask(`/langa-mine?lat=${44 + network / 100}&lng=2${at}`, `192.${network}.2.${at + 1}`, gone).then(
          ({ status }) => {
            if (status === 200) rendered += 1;
          },
        ),
      );
    const left = new AbortController();
    const networks = Array.from({ length: NETWORKS }, (_, network) => network);
    const abandoned = networks.flatMap((network) => floodFrom(100 + network, left.signal));
    const awaited = networks.flatMap((network) => floodFrom(network));
    left.abort();
    await ask('/langa-mine?lat=47.5&lng=23.6', newFlood().other);
    assert.ok(rendered <= NETWORKS + MOST_BEFORE, `after ${rendered} of the flood`);
    await Promise.all([...abandoned, ...awaited]);
    assert.ok(rendered <= awaited.length + MOST_BEFORE, `${rendered} were rendered`);
  });

  for (const [what, path] of GUESSES) {
    test(`${what}: the spelling of few is searched, and another network still gets suggestions`, async () => {
      const { flooder, other } = newFlood();
      const before = searches;
      const begun = performance.now();
      const flood = Array.from({ length: FLOOD }, (_, at) => ask(path(`Craiovvaxx${what.length}${at}`), flooder));
      await Promise.all(flood);
      const allowed = SEARCHES_AT_ONCE + (performance.now() - begun) / 1000 + 1;
      assert.ok(searches - before <= allowed, `${searches - before} searches`);
      const { body } = await ask(path(`Craiovva${what.length}`), other);
      assert.match(body.toString(), /Craiova/);
    });
  }

  test('a page that is cached needs no turn, whatever parameters it is asked for with', async () => {
    const { flooder, other } = newFlood();
    await ask('/judet/cluj', other);
    let answered = 0;
    const flood = Array.from({ length: FLOOD }, (_, at) =>
      ask(`/judet/cluj?tip=motorina&x=${at}`, flooder).then(() => {
        answered += 1;
      }),
    );
    await ask('/judet/cluj?x=1', flooder);
    assert.ok(answered <= MOST_BEFORE, `after ${answered} of the flood`);
    await Promise.all(flood);
  });
});
