/** Reports of drivers that a price is wrong: their kinds, their limits, and how long an accepted one holds. Rule 44. */
import { bucharestDay, type DayNumber, dayNumber } from './days.ts';
import type { Fuel, MilliPrice } from './fuel.ts';

/** Another price at the pump; the fuel is not sold or sold out; the station is closed; anything else. */
export const REPORT_KINDS = ['price', 'no_fuel', 'closed', 'other'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** Characters as people see them. */
export const MAX_REPORT_LENGTH = 300;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** Reports of a client and of a network within 24 hours, and open ones of a network about one station within 7 days. */
export const MAX_REPORTS_PER_DAY = 10;
const MAX_NETWORK_REPORTS_PER_DAY = 100;
const MAX_NETWORK_REPORTS_PER_STATION = 10;
/**
 * Reports of a client about one station within 7 days: fewer than a network's, so that no address uses up its share.
 */
const MAX_CLIENT_REPORTS_PER_STATION = 2;

/** How the report that somebody posted ended, which the next page says in words. */
export type ReportOutcome =
  | 'received'
  /** The client, or its network, has reported this already, or too much. */
  | 'limited'
  /** A text without a valid captcha. */
  | 'no captcha'
  /** A page of another site posted it. */
  | 'other site'
  /** A field is missing or malformed. */
  | 'malformed'
  | 'unknown station'
  /** The page has no price of this fuel. */
  | 'unknown fuel'
  /** The price on the page is another one by now. */
  | 'price changed'
  /** Not a number, or not a valid price of this fuel. */
  | 'invalid price'
  /** The price that the page shows already. */
  | 'price as shown'
  | 'text too long'
  /** The database does not answer. */
  | 'unavailable';

/** What the limits must know of a report; `fuel` `null` = it is about the whole station. */
export type ReportSubject = { readonly station: string; readonly fuel: Fuel | null };

/** A report received earlier; `at` in epoch ms. */
export type EarlierReport = ReportSubject & { readonly at: number; readonly state: 'open' | 'accepted' | 'rejected' };

/**
 * How long a client must wait before it may report something, ms, given what it and its network reported earlier; 0 =
 * no wait. An accepted report does not stand in the way of the next one about the same station: it was right, and the
 * next price may be wrong as well. What a moderator has rejected takes nothing from others of the network.
 */
export function reportWaitMs(
  {
    ofClient,
    ofNetwork,
  }: { readonly ofClient: readonly EarlierReport[]; readonly ofNetwork: readonly EarlierReport[] },
  { station, fuel }: ReportSubject,
  now: number,
): number {
  const ownOfStation = ofClient.filter((each) => each.station === station && each.state !== 'accepted');
  const same = ownOfStation.filter((each) => each.fuel === fuel);
  const ofStation = ofNetwork.filter((each) => each.station === station && each.state === 'open');
  return Math.max(
    waitFor(same, 1, WEEK_MS, now),
    waitFor(ownOfStation, MAX_CLIENT_REPORTS_PER_STATION, WEEK_MS, now),
    waitFor(ofClient, MAX_REPORTS_PER_DAY, DAY_MS, now),
    waitFor(ofStation, MAX_NETWORK_REPORTS_PER_STATION, WEEK_MS, now),
    waitFor(ofNetwork, MAX_NETWORK_REPORTS_PER_DAY, DAY_MS, now),
  );
}

/** How long until fewer than `max` reports are within the last `periodMs`, ms. */
function waitFor(reports: readonly EarlierReport[], max: number, periodMs: number, now: number): number {
  const newestFirst = reports.map(({ at }) => at).sort((a, b) => b - a);
  const decisive = newestFirst[max - 1];
  return decisive === undefined ? 0 : Math.max(0, decisive + periodMs - now);
}

/** A report that a moderator accepted. */
export type AcceptedReport = {
  readonly kind: ReportKind;
  /** `null` = about the whole station. */
  readonly fuel: Fuel | null;
  /** As the page showed it; `null` = none. */
  readonly shownPrice: MilliPrice | null;
  /** `null` = the driver did not say. */
  readonly seenPrice: MilliPrice | null;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly decidedAt: number;
};

/**
 * An accepted report that the page tells of. One of "something else" says what is wrong only in its text, which the
 * moderator alone reads.
 */
export type PublicReport = AcceptedReport & { readonly kind: Exclude<ReportKind, 'other'> };

/** Whether the page of its station may show an accepted report, as long as it holds. */
export function isPublicReport(report: AcceptedReport): report is PublicReport {
  return report.kind !== 'other';
}

/** A price as the page shows it now. */
export type ShownPrice = {
  /** `null` = none. */
  readonly price: MilliPrice | null;
  /** The day on which its source changed it last; `null` = not known. */
  readonly changedOn: DayNumber | null;
};

/**
 * Whether an accepted report still holds: until a source publishes another price of that fuel, or of any fuel where it
 * is about the whole station, and for as long as it is kept. Rule 44.
 */
export function stillHolds(
  { fuel, shownPrice, createdAt }: AcceptedReport,
  prices: ReadonlyMap<Fuel, ShownPrice>,
): boolean {
  const reportedOn = dayNumber(bucharestDay(createdAt));
  const isUnchanged = ({ changedOn }: ShownPrice) => changedOn === null || changedOn <= reportedOn;
  if (fuel === null) return [...prices.values()].every(isUnchanged);
  const shown = prices.get(fuel);
  return shown !== undefined && shown.price === shownPrice && isUnchanged(shown);
}
