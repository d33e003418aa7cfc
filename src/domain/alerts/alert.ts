/**
 * When a price alert is sent. Only like is compared with like: stations whose price was trusted both then and now,
 * from the same source. `docs/ALERTS.md` explains the rules to the public; the numbers are defined only here.
 */
import { runToEnd } from '../../algorithms/run-to-end.ts';
import { bucharestDay, bucharestHour, bucharestInstant, type DayNumber, dayNumber, dayText } from '../days.ts';
import type { MilliPrice } from '../fuel.ts';

/** A trusted price of one station. */
export type TrustedPrice = {
  readonly price: MilliPrice;
  /** The source of the price; `null` = imported as a daily price, source unknown. */
  readonly source: string | null;
};

/** The trusted prices of one fuel in one place, by station id. */
export type TrustedPrices = ReadonlyMap<string, TrustedPrice>;

/** The prices of a day, as of its last publication; of the day that is judged, only `first` counts. */
export type PastDay = {
  readonly day: DayNumber;
  readonly prices: TrustedPrices;
  /** The prices of stations that returned on this day, as of their first publication on it. */
  readonly first?: TrustedPrices;
};

/** Which rule fired: the lowest of 30 days, a drop since the previous publication day, or below the mean of 7 days. */
export type AlertRule = 'lowest' | 'day' | 'mean';

export type PriceDrop = {
  readonly rule: AlertRule;
  readonly station: string;
  readonly price: MilliPrice;
  /** How far the price is below the price that the rule compares it with. */
  readonly change: MilliPrice;
  /** For the rule `day`: the day it is compared with; else `null`. */
  readonly since: DayNumber | null;
};

/** How far below the price is with which each rule compares it, over how many days, and how many must be known. */
export const ALERT_RULES = {
  lowest: { below: 50, days: 30, known: 7 },
  day: { below: 150 },
  mean: { below: 200, days: 7 },
} as const;

/** How many days an alert looks back. */
export const ALERT_DAYS = ALERT_RULES.lowest.days;

/**
 * The drop to report for the prices `now` on the day `today`; `null` = none. `past` may hold days in any order; days
 * after `today`, and days more than 30 days before it, are ignored.
 */
export function findDrop(now: TrustedPrices, past: readonly PastDay[], today: DayNumber): PriceDrop | null {
  return runToEnd(findDropInSlices(now, past, today));
}

/**
 * Work in slices: with a thousand stations, all past days at once would take too long for one turn of the event loop.
 */
type Steps<R> = Generator<void, R, void>;

function* findDropInSlices(now: TrustedPrices, past: readonly PastDay[], today: DayNumber): Steps<PriceDrop | null> {
  const days = past
    .filter(({ day, prices }) => day < today && day >= today - ALERT_DAYS && prices.size > 0)
    .sort((a, b) => b.day - a.day);
  const since = days[0] === undefined ? null : yield* dropSince(now, days[0], days, today);
  if (since !== null) return since;
  const first = past.find(({ day }) => day === today)?.first ?? new Map();
  return yield* returnedDrop(now, { day: today, prices: first }, days, today);
}

/**
 * The drop of a station that was not trusted on the previous publication day, or by another source, since it was first
 * published today: then it must also be the cheapest of all, and cheaper than it was then.
 */
function* returnedDrop(
  now: TrustedPrices,
  first: PastDay,
  days: readonly PastDay[],
  today: DayNumber,
): Steps<PriceDrop | null> {
  const returned = [...first.prices].filter(
    ([station]) => !isComparable(now.get(station), days[0]?.prices.get(station)),
  );
  if (returned.length === 0) return null;
  const ordinary = [...(days[0]?.prices ?? [])].filter(([station, price]) => isComparable(now.get(station), price));
  const then = { day: today, prices: new Map([...ordinary, ...returned]) };
  yield;
  const drop = yield* dropSince(now, then, [then, ...days], today);
  const earlier = drop && first.prices.get(drop.station);
  return earlier && returned.some(([station]) => station === drop.station) && earlier.price > drop.price ? drop : null;
}

function* dropSince(
  now: TrustedPrices,
  previous: PastDay,
  days: readonly PastDay[],
  today: DayNumber,
): Steps<PriceDrop | null> {
  const comparablePrices = new Map<string, TrustedPrice>();
  for (const [station, price] of now)
    if (isComparable(price, previous.prices.get(station))) comparablePrices.set(station, price);
  yield;
  const cheapest = yield* cheapestOf(comparablePrices, days);
  if (cheapest === null) return null;
  const { station, price } = cheapest;
  yield;
  const known: KnownDay[] = [];
  for (const { day, prices } of days) {
    if (!isComparable(comparablePrices.get(station), prices.get(station))) continue;
    known.push({ day, below: lowestPriceOfDay(comparablePrices, prices) - price });
    yield;
  }
  const rule = lowestRule(known) ?? dayRule(known, previous.day) ?? meanRule(known, today);
  return rule && { ...rule, station, price };
}

type KnownDay = { readonly day: DayNumber; readonly below: MilliPrice };
type FiredRule = Pick<PriceDrop, 'rule' | 'change' | 'since'>;

function lowestRule(known: readonly KnownDay[]): FiredRule | null {
  const change = Math.min(...known.map(({ below }) => below));
  return known.length >= ALERT_RULES.lowest.known && change >= ALERT_RULES.lowest.below
    ? { rule: 'lowest', change, since: null }
    : null;
}

function dayRule(known: readonly KnownDay[], previous: DayNumber): FiredRule | null {
  const then = known.find(({ day }) => day === previous);
  return then && then.below >= ALERT_RULES.day.below ? { rule: 'day', change: then.below, since: previous } : null;
}

function meanRule(known: readonly KnownDay[], today: DayNumber): FiredRule | null {
  const week = known.filter(({ day }) => day >= today - ALERT_RULES.mean.days);
  const sum = week.reduce((total, { below }) => total + below, 0);
  const fires = week.length > 0 && sum >= ALERT_RULES.mean.below * week.length;
  return fires ? { rule: 'mean', change: Math.round(sum / week.length), since: null } : null;
}

/** Whether two prices of a station come from the same source, as far as known. */
export function isComparable(a: TrustedPrice | undefined, b: TrustedPrice | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.source === b.source || a.source === null || b.source === null;
}

/** The cheapest station; among several the one known for longest, then the first by id. */
function* cheapestOf(
  comparablePrices: TrustedPrices,
  days: readonly PastDay[],
): Steps<{ station: string; price: MilliPrice } | null> {
  let price = Number.POSITIVE_INFINITY;
  for (const each of comparablePrices.values()) price = Math.min(price, each.price);
  let cheapest: { station: string; days: number } | null = null;
  for (const [station, each] of comparablePrices) {
    if (each.price !== price) continue;
    const known = days.filter(({ prices }) => isComparable(each, prices.get(station))).length;
    const isBetter =
      cheapest === null || known > cheapest.days || (known === cheapest.days && station < cheapest.station);
    if (isBetter) cheapest = { station, days: known };
    yield;
  }
  return cheapest && { station: cheapest.station, price };
}

/** The lowest price of a day among the comparable stations. */
function lowestPriceOfDay(comparablePrices: TrustedPrices, then: TrustedPrices): MilliPrice {
  let lowest = Number.POSITIVE_INFINITY;
  for (const [station, price] of comparablePrices) {
    const earlier = then.get(station);
    if (earlier !== undefined && earlier.price < lowest && isComparable(price, earlier)) lowest = earlier.price;
  }
  return lowest;
}

/** How long no other alert is sent for the same place and fuel, unless the price is this much lower. */
export const ALERT_COOLDOWN = { ms: 24 * 3_600_000, unlessBelow: 50 } as const;
export const MAX_ALERTS_PER_DAY = 2;
/** Hours in Bucharest. */
export const QUIET_HOURS = { from: 22, to: 7 } as const;

export type SentAlert = { readonly at: number; readonly price: MilliPrice };

/** The alerts sent for a place and fuel, and the one deferred until the morning. */
export type AlertState = {
  /** At least those of the last 24 hours and of the current day. */
  readonly sent: readonly SentAlert[];
  /** The day on which a deferred alert was found. */
  readonly deferredFrom: DayNumber | null;
};

export type AlertVerdict =
  | { readonly kind: 'none'; readonly why: 'no trusted price' | 'nothing to compare with' | 'no drop' }
  | { readonly kind: 'send'; readonly drop: PriceDrop }
  /** A drop that is not reported now: it waits for the morning, to be judged as of `day`. */
  | { readonly kind: 'defer'; readonly drop: PriceDrop; readonly day: DayNumber }
  | { readonly kind: 'suppress'; readonly drop: PriceDrop; readonly why: 'sent recently' | 'daily limit' };

/** Judges one place and fuel at the moment `at`, epoch ms. At night a deferred alert stays deferred. */
export function judgeAlert(at: number, now: TrustedPrices, past: readonly PastDay[], state: AlertState): AlertVerdict {
  return runToEnd(judgeAlertInSlices(at, now, past, state));
}

/** The same, in slices: about one for each past day. */
export function* judgeAlertInSlices(
  at: number,
  now: TrustedPrices,
  past: readonly PastDay[],
  state: AlertState,
): Steps<AlertVerdict> {
  const today = dayNumber(bucharestDay(at));
  const found = yield* findDropInSlices(now, past, today);
  const drop = found ?? (isNight(at) ? null : yield* deferredDrop(now, past, state.deferredFrom, today));
  if (drop === null) return { kind: 'none', why: whyNone(now, past, today) };
  if (isNight(at)) return { kind: 'defer', drop, day: today };
  const last = state.sent.reduce<SentAlert | null>(
    (latest, alert) => (latest && latest.at > alert.at ? latest : alert),
    null,
  );
  const isCoolingDown = last !== null && at - last.at < ALERT_COOLDOWN.ms;
  if (isCoolingDown && drop.price > last.price - ALERT_COOLDOWN.unlessBelow)
    return { kind: 'suppress', drop, why: 'sent recently' };
  const sentToday = state.sent.filter((alert) => dayNumber(bucharestDay(alert.at)) === today);
  if (sentToday.length >= MAX_ALERTS_PER_DAY) return { kind: 'suppress', drop, why: 'daily limit' };
  return { kind: 'send', drop };
}

/** Why there is no drop to report. */
function whyNone(
  now: TrustedPrices,
  past: readonly PastDay[],
  today: DayNumber,
): Extract<AlertVerdict, { kind: 'none' }>['why'] {
  if (now.size === 0) return 'no trusted price';
  const days = past.filter(({ day }) => day < today && day >= today - ALERT_DAYS);
  const isComparedWith = ({ prices }: PastDay) =>
    [...now].some(([station, price]) => isComparable(price, prices.get(station)));
  return days.some(isComparedWith) ? 'no drop' : 'nothing to compare with';
}

/** The drop found in the night before, at the current prices; anything found earlier is obsolete. */
function* deferredDrop(
  now: TrustedPrices,
  past: readonly PastDay[],
  waiting: DayNumber | null,
  today: DayNumber,
): Steps<PriceDrop | null> {
  if (waiting === null || waiting < today - 1) return null;
  return yield* findDropInSlices(now, past, waiting);
}

/** The day of the alert still deferred after a verdict at `at`: at night the newest found, by day `null`. */
export function deferredAfter(verdict: AlertVerdict, waiting: DayNumber | null, at: number): DayNumber | null {
  if (verdict.kind === 'defer') return verdict.day;
  return isNight(at) ? waiting : null;
}

/** The end of the night that `at` lies in or before. */
export function nextMorning(at: number): number {
  const today = dayNumber(bucharestDay(at));
  const day = Temporal.PlainDate.from(dayText(bucharestHour(at) < QUIET_HOURS.to ? today : today + 1));
  return bucharestInstant(day.toPlainDateTime({ hour: QUIET_HOURS.to }));
}

/** Whether it is night in Bucharest, when no alerts are sent. */
export function isNight(at: number): boolean {
  const hour = bucharestHour(at);
  return hour >= QUIET_HOURS.from || hour < QUIET_HOURS.to;
}
