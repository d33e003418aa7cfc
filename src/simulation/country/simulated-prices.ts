/** What the register shows of a station at an instant: a pure function of the country and the instant. */
import type { DayNumber } from '../../domain/days.ts';
import type { MilliPrice, RoadFuel } from '../../domain/fuel.ts';
import type { Country } from './country.ts';
import { promotionOff } from './promotions.ts';
import { networkProfile } from './simulated-networks.ts';
import type { Anomaly, AnomalyKind, SimulatedStation } from './simulated-station.ts';

/** An instant in Bucharest's local time. */
export type BucharestTime = { readonly day: DayNumber; readonly minute: number };

/** What the register says of one fuel at one station; `unpriced` = a row whose price is 0 or missing. */
export type RegisterQuote =
  | { readonly kind: 'priced'; readonly price: MilliPrice }
  | { readonly kind: 'unpriced'; readonly sentPrice: 0 | null }
  | { readonly kind: 'absent' };

const ABSENT: RegisterQuote = { kind: 'absent' };
const BELOW_STANDARD: MilliPrice = 100;

/** Wall clock of Bucharest at an instant, epoch ms. */
export function bucharestTime(instant: number): BucharestTime {
  const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('Europe/Bucharest');
  const day = Math.round(Date.UTC(local.year, local.month - 1, local.day) / 86_400_000);
  return { day, minute: 60 * local.hour + local.minute };
}

/** The Bucharest day of the newest report of the station that the register shows. */
export function reportDay(station: SimulatedStation, moment: BucharestTime): DayNumber {
  const today = moment.minute >= station.reportMinute ? moment.day : moment.day - 1;
  const shown = today - networkProfile(station.network).lagDays;
  const stale = anomalyOf(station, 'stale', null);
  return stale?.since == null ? shown : Math.min(shown, stale.since);
}

/** The register's row for a fuel at a station. */
export function registerQuote(
  country: Country,
  station: SimulatedStation,
  fuel: RoadFuel,
  moment: BucharestTime,
): RegisterQuote {
  if (!station.fuels.includes(fuel)) return ABSENT;
  for (const anomaly of station.anomalies) {
    if ((anomaly.fuel !== null && anomaly.fuel !== fuel) || moment.day < (anomaly.since ?? 0)) continue;
    const odd = anomalousQuote(country, station, fuel, anomaly, moment);
    if (odd) return odd;
  }
  return { kind: 'priced', price: ownPrice(country, station, fuel, reportDay(station, moment)) };
}

/** The price the register shows for a fuel at a station at an instant, believable or not; `null` = none. */
export function priceAt(
  country: Country,
  station: SimulatedStation,
  fuel: RoadFuel,
  instant: number,
): MilliPrice | null {
  const posting = registerQuote(country, station, fuel, bucharestTime(instant));
  return posting.kind === 'priced' ? posting.price : null;
}

/** Whether the register fails to answer for a unit on a day. */
export function isUnitFailing(country: Country, siruta: number, day: DayNumber): boolean {
  return country.anomalies.some(
    (anomaly) => anomaly.kind === 'ill-unit' && anomaly.siruta === siruta && day >= (anomaly.since ?? 0),
  );
}

/** A station's anomaly of a kind for a fuel. */
export function anomalyOf(station: SimulatedStation, kind: AnomalyKind, fuel: RoadFuel | null): Anomaly | undefined {
  return station.anomalies.find((anomaly) => anomaly.kind === kind && (anomaly.fuel === null || anomaly.fuel === fuel));
}

function anomalousQuote(
  country: Country,
  station: SimulatedStation,
  fuel: RoadFuel,
  { kind, since, price }: Anomaly,
  moment: BucharestTime,
): RegisterQuote | null {
  const day = reportDay(station, moment);
  switch (kind) {
    case 'orphan':
      return ABSENT;
    case 'price-zero':
      return { kind: 'unpriced', sentPrice: 0 };
    case 'price-missing':
      return { kind: 'unpriced', sentPrice: null };
    case 'out-of-range':
      return { kind: 'priced', price: price ?? 0 };
    case 'stuck':
      return { kind: 'priced', price: ownPrice(country, station, fuel, Math.min(day, since ?? day)) };
    case 'premium-below-standard': {
      const standard = fuel === 'petrol_premium' ? 'petrol' : 'diesel';
      return { kind: 'priced', price: ownPrice(country, station, standard, day) - BELOW_STANDARD };
    }
    default:
      return null;
  }
}

/** The network's price of that day with the station's own difference, less its promotion. */
function ownPrice(country: Country, station: SimulatedStation, fuel: RoadFuel, day: DayNumber): MilliPrice {
  const local = fuel === 'lpg' ? station.localLpg : station.localRoad - promotionOff(station, day, country.seed);
  return country.levels.levelOn(station.network, fuel, day) + local;
}
