/** Stations of no network in the register, for the manual import: rows in the format of the operations page. */
import { isoInstant } from '../../domain/days.ts';
import type { MilliPrice } from '../../domain/fuel.ts';
import type { Country } from './country.ts';
import { bucharestTime } from './simulated-prices.ts';
import { SIMULATED_MARK } from './station-names.ts';

/** A row of `import stations`; `''` = not given. */
export type ManualStationRow = {
  readonly key: string;
  readonly brand: string;
  readonly name: string;
  readonly address: string;
  readonly city: string;
  readonly county: string;
  readonly lat: number;
  readonly lng: number;
  readonly franchise: boolean;
  readonly price_note: string;
  readonly hours: string;
  readonly services: string;
  readonly phone: string;
  readonly fuels: string;
};

/** A row of `import prices`. */
export type ManualPriceRow = {
  readonly station: string;
  readonly fuel: string;
  readonly price: number;
  readonly observed_at: string;
};

const NOTHING = { franchise: false, price_note: '', hours: '', services: '', phone: '' };

const STATIONS: readonly ManualStationRow[] = [
  {
    ...NOTHING,
    key: 'oscar-slatina',
    brand: 'OSCAR',
    name: `Oscar Slatina ${SIMULATED_MARK}`,
    address: `${SIMULATED_MARK} Str. Pitesti nr. 118`,
    city: 'Slatina',
    county: 'OT',
    lat: 44.4402,
    lng: 24.3815,
    hours: 'Non-Stop',
    services: 'Magazin;Toaleta',
    phone: '0249 000 000',
    fuels: 'benzina_standard;motorina_standard;gpl',
  },
  {
    ...NOTHING,
    key: 'oscar-bacau-diesel',
    brand: 'OSCAR',
    name: `Oscar Diesel Bacau ${SIMULATED_MARK}`,
    address: `${SIMULATED_MARK} Calea Romanului nr. 154`,
    city: 'Bacău',
    county: 'BC',
    lat: 46.6012,
    lng: 26.9138,
    hours: '06:00-22:00',
    services: 'Parcare camioane',
    fuels: 'motorina_standard;adblue',
  },
  {
    ...NOTHING,
    key: 'oscar-franciza-medgidia',
    brand: 'Oscar',
    name: `Oscar Partener Medgidia ${SIMULATED_MARK}`,
    address: `${SIMULATED_MARK} DN 22C, km 28+400`,
    city: 'Medgidia',
    county: 'CT',
    lat: 44.2421,
    lng: 28.2896,
    franchise: true,
    price_note: 'Stație în franciză: rețeaua nu publică prețul, îl vedeți la pompă.',
    hours: '06:00-22:00',
    services: 'Magazin',
    fuels: 'benzina_standard;motorina_standard',
  },
  {
    ...NOTHING,
    key: 'demo-oil-fagaras',
    brand: 'Demo Oil',
    name: `Demo Oil Fagaras ${SIMULATED_MARK}`,
    address: `${SIMULATED_MARK} Sos. Sibiului nr. 7`,
    city: 'Făgăraș',
    county: 'BV',
    lat: 45.8391,
    lng: 24.9602,
    hours: 'L-V 07:00-20:00',
    services: 'Spalatorie;Magazin',
    phone: '0268 000 000',
    fuels: 'benzina_standard;benzina_premium;motorina_standard;adblue',
  },
];

/** Two Oscar stations, a franchise without a published price, and an independent; AdBlue at two of them. */
export function manualStations(): readonly ManualStationRow[] {
  return STATIONS;
}

/** The price of AdBlue hardly changes. */
const ADBLUE: MilliPrice = 4_890;
const HOUR_MS = 3_600_000;

/**
 * Reports of the manual stations' prices, observed at the last full hour before `now`: a little higher or lower than
 * Petrom's nationwide prices of that day. The franchise has none.
 */
export function manualPrices(country: Country, now: number): ManualPriceRow[] {
  const observed = Math.floor(now / HOUR_MS) * HOUR_MS;
  const near = (fuel: 'petrol' | 'petrol_premium' | 'diesel' | 'lpg', by: MilliPrice) =>
    levelAt(country, fuel, observed) + by;
  const row = (key: string, fuel: string, milli: MilliPrice) => priceRow(key, fuel, milli, observed);
  return [
    row('oscar-slatina', 'benzina_standard', near('petrol', -60)),
    row('oscar-slatina', 'motorina_standard', near('diesel', -80)),
    row('oscar-slatina', 'gpl', near('lpg', 50)),
    row('oscar-bacau-diesel', 'motorina_standard', near('diesel', -110)),
    row('oscar-bacau-diesel', 'adblue', ADBLUE),
    row('demo-oil-fagaras', 'benzina_standard', near('petrol', 40)),
    row('demo-oil-fagaras', 'benzina_premium', near('petrol_premium', 20)),
    row('demo-oil-fagaras', 'motorina_standard', near('diesel', 70)),
    row('demo-oil-fagaras', 'adblue', ADBLUE + 300),
  ];
}

const MINUTE_MS = 60_000;
/** By how much the moving price differs from its level, minute by minute: no two that follow each other are equal. */
const STEPS: readonly MilliPrice[] = [0, 10, 20, 30, 20, 10, 0, -10, -20, -30, -20, -10];

/** The only price that moves every minute, diesel at the Oscar of Slatina, observed at the last full minute. */
export function movingPrice(country: Country, now: number): ManualPriceRow {
  const observed = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const step = STEPS[(observed / MINUTE_MS) % STEPS.length] as MilliPrice;
  return priceRow('oscar-slatina', 'motorina_standard', levelAt(country, 'diesel', observed) - 80 + step, observed);
}

function levelAt(country: Country, fuel: 'petrol' | 'petrol_premium' | 'diesel' | 'lpg', at: number): MilliPrice {
  return country.levels.levelOn('PETROM', fuel, bucharestTime(at).day);
}

function priceRow(key: string, fuel: string, milli: MilliPrice, observed: number): ManualPriceRow {
  return { station: `manual:${key}`, fuel, price: milli / 1000, observed_at: isoInstant(observed) };
}
