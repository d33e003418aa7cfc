/** The prices of a city as CSV (RFC 4180): one row a station and fuel, with the flags of the API. */
import { dayText } from '../../../domain/days.ts';
import { FUEL_NAME, FUELS } from '../../../domain/fuel.ts';
import type { PriceVerdict } from '../../../domain/prices/price-verdict.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { csvLines, csvPrice } from '../../html/csv.ts';
import { type City, cityOf } from './city-data.ts';

/** The columns, in order. */
export const CITY_CSV_COLUMNS = [
  ...(['ziua', 'statie_id', 'retea', 'adresa', 'lat', 'lng'] as const),
  ...(['carburant', 'pret_lei_l', 'stare', 'observat'] as const),
] as const;
export type CityCsvColumn = (typeof CITY_CSV_COLUMNS)[number];

/** The states of a price, as the column `stare` names them. */
const STATE: Readonly<Record<PriceVerdict['kind'], string>> = {
  trusted: 'sigur',
  doubtful: 'nesigur',
  expired: 'expirat',
  incoherent: 'retras',
  unknown: 'necunoscut',
};

/** The lines of the file of a city; `null` = no station is there. */
export function cityCsv(slug: string, data: SiteData): Iterable<string> | null {
  const city = cityOf(slug, data);
  if (city === null) return null;
  return csvLines(rowsOf(city, dayText(data.snapshot.today)));
}

function* rowsOf({ stations }: City, day: string): Generator<readonly (string | number)[], void, void> {
  yield CITY_CSV_COLUMNS;
  for (const { station, verdicts } of stations)
    for (const fuel of FUELS) {
      const verdict = verdicts.get(fuel);
      if (verdict === undefined) continue;
      const { network, address, lat, lng, id } = station;
      const [price, observed] = priced(verdict);
      const place = [id, network.name, address, lat, lng];
      yield [day, ...place, FUEL_NAME[fuel].ro, price, STATE[verdict.kind], observed];
    }
}

function priced(verdict: PriceVerdict): [price: string, observed: string] {
  if (verdict.kind !== 'trusted' && verdict.kind !== 'doubtful') return ['', ''];
  return [csvPrice(verdict.price), verdict.fact.observed?.day ?? ''];
}
