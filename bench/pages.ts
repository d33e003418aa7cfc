/**
 * CPU per page of the site: rendered from a new snapshot, within this process; and kept, as a server sends it, compared
 * with nginx sending the same bytes from a file; widgets also with `/preturi/minime`. `--long`: longer rounds.
 */
import { createJourneyPlanner } from '../src/app/routing-service.ts';
import { FUEL_SLUG } from '../src/domain/pages/fuel-slug.ts';
import { routePath } from '../src/domain/pages/routes.ts';
import { loadGazetteer } from '../src/geodata/load-gazetteer.ts';
import { countySlug } from '../src/site/lookup/place-slugs.ts';
import { stationLookup } from '../src/site/lookup/station-prices.ts';
import { prepareBaseMap } from '../src/site/map/base-map.ts';
import { createSite, type Site } from '../src/site/pages/site.ts';
import type { Snapshot } from '../src/snapshot/snapshot.ts';
import {
  finishReport,
  heading,
  LONG,
  median,
  note,
  reportMetric,
  withTempFolder,
} from '../test/support/benchmark-report.ts';
import { startChild, waitUntilIdle } from '../test/support/processes/child-process.ts';
import { GENERATOR, type LoadTarget, runLoad } from './harness/load.ts';
import { NGINX_MISSING, NGINX_VERSION, startNginx } from './harness/nginx.ts';
import type { ApiPorts } from './processes/api.ts';
import { syntheticSnapshot } from './processes/synthetic-snapshot.ts';

const RECORDS = 6_000;
const ROUNDS = LONG ? 15 : 5;
const SECONDS = LONG ? 4 : 1;
const WARM_UP_ROUNDS = 3;
/** Pages of one kind in a round; the home page exists once. */
const PAGES = 40;
const NGINX_PORT = 18_091;
const MOST_MS = { rendered: 3, kept: 0.1 };
const MOST_OF_MINIME = 1.5;
const MINIME = '/api/v1/preturi/minime';

heading(`Pages over ${RECORDS} records; load by ${GENERATOR}; peer ${NGINX_VERSION ?? NGINX_MISSING}`);
const snapshot = syntheticSnapshot(RECORDS);
const kinds = pathsByKind(snapshot);
await measureRendered();
await withTempFolder(measureKept);
finishReport();

/** Each round has a snapshot of its own, so that no page is kept from the one before. */
async function measureRendered(): Promise<void> {
  await prepareBaseMap();
  for (const [kind, paths] of Object.entries(kinds)) {
    const costs: number[] = [];
    // As many pages of each kind, also where a snapshot has one only.
    const times = Math.round(PAGES / paths.length);
    for (let round = -WARM_UP_ROUNDS * times; round < ROUNDS * times; round += 1) {
      const site = aSite({ ...snapshot });
      // What all pages of a snapshot share is not part of one of them.
      render(site, routePath('network', 'ro', { network: snapshot.networks[0]?.network.slug ?? '' }));
      const before = process.cpuUsage();
      for (const path of paths) render(site, path);
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) costs.push((user + system) / 1000 / paths.length);
    }
    reportMetric(`${kind}, rendered`, median(costs), 'ms CPU', { most: MOST_MS.rendered });
  }
}

/** In rounds that alternate with the peer's, so that other load on the machine affects both. */
async function measureKept(folder: string): Promise<void> {
  const server = startChild('bench/processes/api.ts', [String(RECORDS)]);
  try {
    const { open } = await server.next<ApiPorts>();
    await waitUntilIdle(server.pid);
    const cases = Object.entries(kinds).map(([kind, [path = '']], index) => ({
      kind,
      name: `case${index}`,
      target: { port: open, paths: [path], coding: 'br' } satisfies LoadTarget,
    }));
    for (const { target } of cases) await runLoad(folder, target, SECONDS, [server.pid]);
    const copied = cases.map(({ name, target: { port, paths, coding } }) => ({
      ...{ name, port, coding },
      path: paths[0] ?? '',
    }));
    const peer = NGINX_VERSION === null ? null : await startNginx(folder, NGINX_PORT, copied);
    try {
      for (const { kind, name, target } of cases) {
        const own: number[] = [];
        const theirs: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          own.push(perRequest(await runLoad(folder, target, SECONDS, [server.pid])));
          if (peer === null) continue;
          const copy = { ...target, port: peer.port, paths: [`/${name}`] };
          theirs.push(perRequest(await runLoad(folder, copy, SECONDS, peer.pids)));
        }
        reportMetric(`${kind}, kept, br`, median(own), 'ms CPU', { most: MOST_MS.kept });
        if (peer !== null) {
          const ratio = median(own.map((cost, round) => cost / (theirs[round] as number)));
          note(`  nginx ${median(theirs).toFixed(4)} ms: ${ratio.toFixed(2)} ×`);
        }
      }
    } finally {
      await peer?.end();
    }
    await compareWidgets(folder, open, server.pid);
  } finally {
    await server.end();
  }
}

/** What other sites show, beside the cheapest answer of the API, by turns on one server. */
async function compareWidgets(folder: string, port: number, pid: number): Promise<void> {
  const targetOf = (path: string): LoadTarget => ({ port, paths: [path], coding: 'br' });
  const [place = ''] = kinds['widget of a city'] ?? [];
  for (const [kind, path] of Object.entries({ widget: `${place}?carburant=motorina`, 'price file': `${place}.json` })) {
    await runLoad(folder, targetOf(path), SECONDS, [pid]);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const minime = perRequest(await runLoad(folder, targetOf(MINIME), SECONDS, [pid]));
      ratios.push(perRequest(await runLoad(folder, targetOf(path), SECONDS, [pid])) / minime);
    }
    reportMetric(`${kind}, kept, compared with /preturi/minime`, median(ratios), '×', { most: MOST_OF_MINIME });
  }
}

function perRequest({ cpuMs, requests }: { readonly cpuMs: number; readonly requests: number }): number {
  return cpuMs / requests;
}

function aSite(shown: Snapshot): Site {
  return createSite({
    publicUrl: () => 'http://127.0.0.1',
    simulated: false,
    snapshot: () => shown,
    gazetteer: loadGazetteer(),
    journeys: createJourneyPlanner(loadGazetteer()),
    api: () => ({ endpoints: [], refusals: [] }),
  });
}

function render(site: Site, path: string): void {
  const response = site(path, new URLSearchParams(), { headers: {}, peer: {} });
  if (response instanceof Promise || response.status !== 200) throw new Error(`no page at ${path}`);
}

function pathsByKind(shown: Snapshot): Readonly<Record<string, readonly string[]>> {
  const cities = shown.cities.slice(0, PAGES).map(({ slug }) => slug);
  const stations = stationLookup(shown).stations;
  const step = Math.max(1, Math.floor(stations.length / PAGES));
  const some = stations.filter((_, index) => index % step === 0).slice(0, PAGES);
  const counties = loadGazetteer().counties.map((county) => countySlug(county));
  return {
    'home page': [routePath('home', 'ro')],
    city: cities.map((city) => routePath('city', 'ro', { city })),
    'fuel in a city': cities.map((city) => routePath('cityFuel', 'ro', { city, fuel: FUEL_SLUG.ro.petrol })),
    station: some.map(({ slug }) => routePath('station', 'ro', { station: slug })),
    'widget of a city': cities.map((city) => `/widget/oras/${city}`),
    county: counties.slice(0, PAGES).map((county) => routePath('county', 'ro', { county })),
  };
}
