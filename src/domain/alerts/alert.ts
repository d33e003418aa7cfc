/**
 * When somebody is told of a price. Like is compared with like: only stations that were relied on then and now, by the
 * word of the same source. `docs/ALERTS.md` tells it to the public; the numbers stand here once.
 */
import { bucharestDay, bucharestHour, bucharestInstant, type DayNumber, dayNumber, dayText } from '../days.ts';
import type { Milli } from '../fuel.ts';

/** A relied-on price of one station. */
export type ReliedPrice = {
  readonly price: Milli;
  /** Whose word it is; `null` = imported as a daily price, of whatever source. */
  readonly source: string | null;
};

/** The relied-on prices of one fuel in one place, by station id. */
export type Prices = ReadonlyMap<string, ReliedPrice>;

/** An earlier day, at its last publication. */
export type PastDay = { readonly day: DayNumber; readonly prices: Prices };

/** Which rule fired: the lowest of 30 days, a drop since the previous publication day, or below the mean of 7 days. */
export type AlertRule = 'lowest' | 'day' | 'mean';

export type Drop = {
  readonly rule: AlertRule;
  readonly station: string;
  readonly price: Milli;
  /** How far the price lies below what the rule compares it with. */
  readonly change: Milli;
  /** Of the rule `day`: the day that is compared with; else `null`. */
  readonly since: DayNumber | null;
};

const LOWEST = { below: 50, days: 30, known: 7 } as const;
const DAY = { below: 150 } as const;
const MEAN = { below: 200, days: 7 } as const;

/** How many days an alert looks back. */
export const ALERT_DAYS = LOWEST.days;

/**
 * What is to be told of the prices `now`, as of the day `today`; `null` = nothing. `past` may hold days in any order;
 * those from `today` on, and those more than 30 days before it, are passed over.
 */
export function findDrop(now: Prices, past: readonly PastDay[], today: DayNumber): Drop | null {
  const days = past
    .filter(({ day, prices }) => day < today && day >= today - ALERT_DAYS && prices.size > 0)
    .sort((a, b) => b.day - a.day);
  const [previous] = days;
  if (previous === undefined) return null;
  const steady = new Map([...now].filter(([station, price]) => comparable(price, previous.prices.get(station))));
  const cheapest = cheapestOf(steady, days);
  if (cheapest === null) return null;
  const { station, price } = cheapest;
  const known = days
    .filter(({ prices }) => comparable(steady.get(station), prices.get(station)))
    .map(({ day, prices }) => ({ day, below: lowestThen(steady, prices) - price }));
  const rule = lowestRule(known) ?? dayRule(known, previous.day) ?? meanRule(known, today);
  return rule && { ...rule, station, price };
}

type KnownDay = { readonly day: DayNumber; readonly below: Milli };
type Fired = Pick<Drop, 'rule' | 'change' | 'since'>;

function lowestRule(known: readonly KnownDay[]): Fired | null {
  const change = Math.min(...known.map(({ below }) => below));
  return known.length >= LOWEST.known && change >= LOWEST.below ? { rule: 'lowest', change, since: null } : null;
}

function dayRule(known: readonly KnownDay[], previous: DayNumber): Fired | null {
  const then = known.find(({ day }) => day === previous);
  return then && then.below >= DAY.below ? { rule: 'day', change: then.below, since: previous } : null;
}

function meanRule(known: readonly KnownDay[], today: DayNumber): Fired | null {
  const week = known.filter(({ day }) => day >= today - MEAN.days);
  const sum = week.reduce((total, { below }) => total + below, 0);
  const fires = week.length > 0 && sum >= MEAN.below * week.length;
  return fires ? { rule: 'mean', change: Math.round(sum / week.length), since: null } : null;
}

/** Whether two prices of a station are of the same source. */
function comparable(a: ReliedPrice | undefined, b: ReliedPrice | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.source === b.source || a.source === null || b.source === null;
}

/** The cheapest station; of several the one known for longest, then by id. */
function cheapestOf(steady: Prices, days: readonly PastDay[]): { station: string; price: Milli } | null {
  const price = Math.min(...[...steady.values()].map((each) => each.price));
  const knownDays = (station: string) =>
    days.filter(({ prices }) => comparable(steady.get(station), prices.get(station))).length;
  const [first] = [...steady]
    .filter(([, each]) => each.price === price)
    .map(([station]) => ({ station, days: knownDays(station) }))
    .sort((a, b) => b.days - a.days || (a.station < b.station ? -1 : 1));
  return first === undefined ? null : { station: first.station, price };
}

/** The lowest price of a day among the stations that can be compared. */
function lowestThen(steady: Prices, then: Prices): Milli {
  let lowest = Number.POSITIVE_INFINITY;
  for (const [station, price] of steady) {
    const earlier = then.get(station);
    if (earlier !== undefined && earlier.price < lowest && comparable(price, earlier)) lowest = earlier.price;
  }
  return lowest;
}

const SILENCE = { ms: 24 * 3_600_000, unlessBelow: 50 } as const;
const MOST_A_DAY = 2;
/** Hours in Bucharest. */
const NIGHT = { from: 22, to: 7 } as const;

export type Told = { readonly at: number; readonly price: Milli };

/** What was told of a place and fuel, and what waits for the morning. */
export type AlertState = {
  /** At least those of the last 24 hours and of the present day. */
  readonly told: readonly Told[];
  /** The day that a waiting alert was found on. */
  readonly waiting: DayNumber | null;
};

export type AlertVerdict =
  | { readonly kind: 'none' }
  | { readonly kind: 'tell'; readonly drop: Drop }
  /** True, but not told now: it waits for the morning as of `day`, or is dropped. */
  | { readonly kind: 'wait'; readonly drop: Drop; readonly day: DayNumber }
  | { readonly kind: 'silent'; readonly drop: Drop; readonly why: 'told lately' | 'twice a day' };

/** Judges one place and fuel at the moment `at`, epoch ms. At night what waits goes on waiting. */
export function judgeAlert(at: number, now: Prices, past: readonly PastDay[], state: AlertState): AlertVerdict {
  const today = dayNumber(bucharestDay(at));
  const drop = findDrop(now, past, today) ?? (isNight(at) ? null : waitingDrop(now, past, state.waiting, today));
  if (drop === null) return { kind: 'none' };
  if (isNight(at)) return { kind: 'wait', drop, day: today };
  const last = state.told.reduce<Told | null>((latest, told) => (latest && latest.at > told.at ? latest : told), null);
  const lately = last !== null && at - last.at < SILENCE.ms;
  if (lately && drop.price > last.price - SILENCE.unlessBelow) return { kind: 'silent', drop, why: 'told lately' };
  const toldToday = state.told.filter((told) => dayNumber(bucharestDay(told.at)) === today);
  if (toldToday.length >= MOST_A_DAY) return { kind: 'silent', drop, why: 'twice a day' };
  return { kind: 'tell', drop };
}

/** What was found in the night before, by the prices of now; what was found earlier is past. */
function waitingDrop(now: Prices, past: readonly PastDay[], waiting: DayNumber | null, today: DayNumber): Drop | null {
  if (waiting === null || waiting < today - 1) return null;
  return findDrop(now, past, waiting);
}

/** What waits after a verdict given at `at`: at night the newest that was found, by day nothing. */
export function waitingAfter(verdict: AlertVerdict, waiting: DayNumber | null, at: number): DayNumber | null {
  if (verdict.kind === 'wait') return verdict.day;
  return isNight(at) ? waiting : null;
}

/** The end of the night that `at` lies in or before. */
export function nextMorning(at: number): number {
  const today = dayNumber(bucharestDay(at));
  const day = Temporal.PlainDate.from(dayText(bucharestHour(at) < NIGHT.to ? today : today + 1));
  return bucharestInstant(day.toPlainDateTime({ hour: NIGHT.to }));
}

/** Whether it is night in Bucharest, when nobody is told anything. */
export function isNight(at: number): boolean {
  const hour = bucharestHour(at);
  return hour >= NIGHT.from || hour < NIGHT.to;
}
