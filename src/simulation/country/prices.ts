/** What the register shows of a station at an instant: a pure function of the country and the instant. */
import type { DayNumber } from '../../domain/days.ts';
import type { Milli, RoadFuel } from '../../domain/fuel.ts';
import type { Country } from './country.ts';
import { habitsOf } from './networks.ts';
import type { Oddity, OddityKind, SimulatedStation } from './station.ts';

/** An instant as the clocks on the walls of Bucharest show it. */
export type Moment = { readonly day: DayNumber; readonly minute: number };

/** What the register says of one fuel at one station; `unpriced` = a row whose price is 0 or not there at all. */
export type Posting =
  | { readonly kind: 'priced'; readonly price: Milli }
  | { readonly kind: 'unpriced'; readonly wire: 0 | null }
  | { readonly kind: 'absent' };

const ABSENT: Posting = { kind: 'absent' };
const BELOW_STANDARD: Milli = 100;

/** Wall clock of Bucharest at an instant, epoch ms. */
export function momentOf(instant: number): Moment {
  const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('Europe/Bucharest');
  const day = Math.round(Date.UTC(local.year, local.month - 1, local.day) / 86_400_000);
  return { day, minute: 60 * local.hour + local.minute };
}

/** The Bucharest day of the newest report of the station that the register shows. */
export function reportDay(station: SimulatedStation, moment: Moment): DayNumber {
  const today = moment.minute >= station.reportMinute ? moment.day : moment.day - 1;
  const shown = today - habitsOf(station.network).lagDays;
  const stale = oddityOf(station, 'stale', null);
  return stale?.since == null ? shown : Math.min(shown, stale.since);
}

/** The register's row for a fuel at a station. */
export function postingOf(country: Country, station: SimulatedStation, fuel: RoadFuel, moment: Moment): Posting {
  if (!station.fuels.includes(fuel)) return ABSENT;
  for (const oddity of station.oddities) {
    if ((oddity.fuel !== null && oddity.fuel !== fuel) || moment.day < (oddity.since ?? 0)) continue;
    const odd = oddPosting(country, station, fuel, oddity, moment);
    if (odd) return odd;
  }
  return { kind: 'priced', price: ownPrice(country, station, fuel, reportDay(station, moment)) };
}

/** The price the register shows for a fuel at a station at an instant, believable or not; `null` = none. */
export function priceAt(country: Country, station: SimulatedStation, fuel: RoadFuel, instant: number): Milli | null {
  const posting = postingOf(country, station, fuel, momentOf(instant));
  return posting.kind === 'priced' ? posting.price : null;
}

/** Whether the register answers for a unit, or has been ill since a day of its own. */
export function isIll(country: Country, siruta: number, day: DayNumber): boolean {
  return country.oddities.some(
    (oddity) => oddity.kind === 'ill-unit' && oddity.siruta === siruta && day >= (oddity.since ?? 0),
  );
}

/** The oddity of a kind that a station has for a fuel. */
export function oddityOf(station: SimulatedStation, kind: OddityKind, fuel: RoadFuel | null): Oddity | undefined {
  return station.oddities.find((oddity) => oddity.kind === kind && (oddity.fuel === null || oddity.fuel === fuel));
}

function oddPosting(
  country: Country,
  station: SimulatedStation,
  fuel: RoadFuel,
  { kind, since, price }: Oddity,
  moment: Moment,
): Posting | null {
  const day = reportDay(station, moment);
  switch (kind) {
    case 'orphan':
      return ABSENT;
    case 'price-zero':
      return { kind: 'unpriced', wire: 0 };
    case 'price-missing':
      return { kind: 'unpriced', wire: null };
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

/** The network's price of that day with the station's own difference. */
function ownPrice(country: Country, station: SimulatedStation, fuel: RoadFuel, day: DayNumber): Milli {
  const local = fuel === 'lpg' ? station.localLpg : station.localRoad;
  return country.levels.on(station.network, fuel, day) + local;
}
