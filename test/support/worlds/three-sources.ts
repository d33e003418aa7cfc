/** Three price sources and a locator over a few stations of three cities, each answering in its real shape. */
import { NoResponse, type ReceivedResponse } from '../../../src/clients/http/response.ts';
import { bucharestDay } from '../../../src/domain/days.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import { wigeogisRow } from '../../../src/simulation/feeds/simulated-locators.ts';
import { rompetrolRow } from '../../../src/simulation/feeds/simulated-rompetrol.ts';
import { ProgrammableRegister } from '../../../src/simulation/register/programmable-register.ts';
import { locatorSource } from '../../../src/sources/locators/locators.ts';
import { priceListSource } from '../../../src/sources/price-list/price-list.ts';
import { registerSource } from '../../../src/sources/register/register.ts';
import { rompetrolSource } from '../../../src/sources/rompetrol/rompetrol.ts';
import type { Fetch, Source } from '../../../src/sources/source.ts';
import type { ConfiguredSource } from '../../../src/worker/collection/collect.ts';

export const LIST = 'prices:petrom';
export const SOURCES = ['register', 'rompetrol', LIST, 'locator:petrom'];

const CLUJ = { lat: 46.7712, lng: 23.6236, unit: 54_975 };
const IASI = { lat: 47.1585, lng: 27.6014, unit: 95_060 };
const BUCHAREST = { lat: 44.4325, lng: 26.1039, unit: 179_132 };

/** The register's petrol prices in RON, and the stations' positions: `km` north of the city. */
const REGISTERED = [
  { id: 'P1', network: 'PETROM', ...CLUJ, km: 0, petrol: 7.4 },
  { id: 'O1', network: 'OMV', ...CLUJ, km: 2, petrol: 7.6 },
  { id: 'P3', network: 'PETROM', ...IASI, km: 0, petrol: 7.5 },
  { id: '041B12', network: 'ROMPETROL', ...BUCHAREST, km: 1, petrol: 7.55 },
] as const;

export class ThreeSources {
  /** Petrom's own list: `cheap` at a station that the register also has, `only` at one that no other source has. */
  list: { cheap: number; only: number } | null = { cheap: 6.5, only: 6.6 };

  readonly configuredSources: readonly ConfiguredSource[];

  /** The sources answer as of `now()`. */
  constructor(now: () => number) {
    this.configuredSources = [
      configuredSource(registerSource({ units: [CLUJ.unit, IASI.unit, BUCHAREST.unit] }), (target) =>
        registerAt(now()).fetch(target),
      ),
      configuredSource(rompetrolSource(loadGazetteer()), async () => json([ROMPETROL])),
      configuredSource(priceListSource({ name: LIST, map: null, gazetteer: loadGazetteer() }), async () =>
        this.#listed(now()),
      ),
      configuredSource(locatorSource('petrom'), async () => json(PINS)),
    ];
  }

  #listed(now: number): ReceivedResponse {
    if (this.list === null) throw new NoResponse('no answer: the connection was refused');
    const day = bucharestDay(now);
    const row = (station: string, price: number, km: number, { lat, lng } = CLUJ) =>
      `PETROM,${station},benzina_standard,${price.toFixed(2)},${day},Petrom ${station},Strada ${station},,,${north(lat, km)},${lng}`;
    const head = 'brand,station,fuel,price,observed_at,name,address,city,county,lat,lng';
    const rows = [row('cheap', this.list.cheap, 0), row('only', this.list.only, 1, IASI), row('third', 7.48, 0, IASI)];
    return { status: 200, contentType: 'text/csv', body: Buffer.from(`${[head, ...rows].join('\n')}\n`) };
  }
}

const ROMPETROL = rompetrolRow({
  ...{ id: 1, name: 'Rompetrol Iași', city: 'Iași', county: 'Iași', address: 'Bd. Carol 1' },
  ...{ lat: north(IASI.lat, 1.5), lng: IASI.lng, services: ['Shop'], hours: 'Non-Stop', phone: '0232000000' },
  prices: { 'Efix Benzina 95': '7.45 LEI/L', 'Efix Motorina': '7.95 LEI/L' },
});

/** One station for which others have prices, one that no other source knows. */
const PINS = [pin('S1', 'Cluj-Napoca', CLUJ, 0), pin('S2', 'București', BUCHAREST, 4)];

function pin(id: string, town: string, { lat, lng }: typeof CLUJ, km: number) {
  return wigeogisRow({ id, brand: 'PETROM', town, address: `Strada ${id}`, postcode: '1', lat: north(lat, km), lng });
}

function registerAt(now: number): ProgrammableRegister {
  const [year, month, day] = bucharestDay(now).split('-');
  const overrides = { updatedate: `${day}/${month}/${year} 00:30 ` };
  return new ProgrammableRegister().add(
    ...REGISTERED.map(({ petrol, km, lat, ...station }) => ({
      ...station,
      lat: north(lat, km),
      overrides,
      prices: { petrol },
    })),
  );
}

function configuredSource(source: Source, fetch: Fetch): ConfiguredSource {
  return { source, parallel: 4, connect: () => ({ fetch, close: async () => undefined }) };
}

function json(body: unknown): ReceivedResponse {
  return { status: 200, contentType: 'application/json', body: Buffer.from(JSON.stringify(body)) };
}

function north(lat: number, km: number): number {
  return lat + km / 111.195;
}
