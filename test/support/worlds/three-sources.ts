/** Three price sources and a locator over a few stations of three cities, each answering in its real shape. */
import { bucharestDay } from '../../../src/domain/days.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import { wigeogisRow } from '../../../src/simulation/feeds/locators.ts';
import { rompetrolRow } from '../../../src/simulation/feeds/rompetrol.ts';
import { ProgrammableRegister } from '../../../src/simulation/register/programmable-register.ts';
import { locatorSource } from '../../../src/sources/locators/locators.ts';
import { priceListSource } from '../../../src/sources/price-list/price-list.ts';
import { registerSource } from '../../../src/sources/register/register.ts';
import { rompetrolSource } from '../../../src/sources/rompetrol/rompetrol.ts';
import { type Answer, type Ask, NoAnswer, type Source } from '../../../src/sources/source.ts';
import type { Feed } from '../../../src/worker/collection/collect.ts';

export const LIST = 'prices:petrom';
export const SOURCES = ['register', 'rompetrol', LIST, 'locator:petrom'];

const CLUJ = { lat: 46.7712, lng: 23.6236, unit: 54_975 };
const IASI = { lat: 47.1585, lng: 27.6014, unit: 95_060 };
const BUCHAREST = { lat: 44.4325, lng: 26.1039, unit: 179_132 };

/** The register's petrol prices in RON, and where the stations stand: `km` north of the city. */
const REGISTERED = [
  { id: 'P1', network: 'PETROM', ...CLUJ, km: 0, petrol: 7.4 },
  { id: 'O1', network: 'OMV', ...CLUJ, km: 2, petrol: 7.6 },
  { id: 'P3', network: 'PETROM', ...IASI, km: 0, petrol: 7.5 },
  { id: '041B12', network: 'ROMPETROL', ...BUCHAREST, km: 1, petrol: 7.55 },
] as const;

export class ThreeSources {
  /** Prices of Petrom's own list: `cheap` at a station the register knows too, `only` at one that nobody else prices. */
  list: { cheap: number; only: number } | null = { cheap: 6.5, only: 6.6 };

  readonly feeds: readonly Feed[];

  /** `now` tells the moment that the sources answer as of. */
  constructor(now: () => number) {
    this.feeds = [
      feedOf(registerSource({ units: [CLUJ.unit, IASI.unit, BUCHAREST.unit] }), (target) =>
        registerAt(now()).ask(target),
      ),
      feedOf(rompetrolSource(), async () => json([ROMPETROL])),
      feedOf(priceListSource({ name: LIST, map: null, gazetteer: loadGazetteer() }), async () => this.#listed(now())),
      feedOf(locatorSource('petrom'), async () => json(PINS)),
    ];
  }

  #listed(now: number): Answer {
    if (this.list === null) throw new NoAnswer('no answer: the connection was refused');
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

/** One where others have prices, one that nobody else knows. */
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

function feedOf(source: Source, ask: Ask): Feed {
  return { source, parallel: 4, open: () => ({ ask, close: async () => undefined }) };
}

function json(body: unknown): Answer {
  return { status: 200, contentType: 'application/json', body: Buffer.from(JSON.stringify(body)) };
}

function north(lat: number, km: number): number {
  return lat + km / 111.195;
}
