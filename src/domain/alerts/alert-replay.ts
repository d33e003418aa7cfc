/** Replays which alerts would have been sent over a period, with the same rules as the live service. */

import { runToEnd } from '../../algorithms/run-to-end.ts';
import { bucharestDay, type DayNumber, dayNumber } from '../days.ts';
import {
  ALERT_DAYS,
  type AlertVerdict,
  deferredAfter,
  judgeAlertInSlices,
  nextMorning,
  type PastDay,
  type SentAlert,
  type TrustedPrices,
} from './alert.ts';

/** A publication: the trusted prices of one place and fuel at an instant, epoch ms. */
export type PublishedPrices = { readonly at: number; readonly prices: TrustedPrices };

export type JudgedMoment = { readonly at: number; readonly verdict: AlertVerdict };

/** More than the cool-down and the daily limit need. */
const SENT_ALERTS_KEPT = 4;

/** The verdict on every publication, in order, and on every morning for which an alert was deferred. */
export function replayAlerts(publications: readonly PublishedPrices[], past: readonly PastDay[] = []): JudgedMoment[] {
  return runToEnd(replayAlertsInSlices(publications, past));
}

/** The same, in slices: about one for each past day of each publication. */
export function* replayAlertsInSlices(
  publications: Iterable<PublishedPrices>,
  past: readonly PastDay[],
): Generator<void, JudgedMoment[], void> {
  const days = new Map(past.map((each) => [each.day, each]));
  const judged: JudgedMoment[] = [];
  let sent: SentAlert[] = [];
  let deferred: { day: DayNumber; until: number } | null = null;
  const judge = function* (at: number, prices: TrustedPrices): Generator<void, void, void> {
    const oldest = dayNumber(bucharestDay(at)) - ALERT_DAYS - 1;
    const before = [...days].filter(([day]) => day >= oldest).map(([, each]) => each);
    const verdict = yield* judgeAlertInSlices(at, prices, before, { sent, deferredFrom: deferred?.day ?? null });
    judged.push({ at, verdict });
    if (verdict.kind === 'send') sent = [...sent, { at, price: verdict.drop.price }].slice(-SENT_ALERTS_KEPT);
    const day = deferredAfter(verdict, deferred?.day ?? null, at);
    deferred = day === null ? null : { day, until: nextMorning(at) };
  };
  let latest: TrustedPrices = new Map();
  for (const { at, prices } of publications) {
    const morning = (deferred as { until: number } | null)?.until ?? at;
    if (morning < at) yield* judge(morning, latest);
    yield* judge(at, prices);
    latest = prices;
    const day = dayNumber(bucharestDay(at));
    days.set(day, { day, prices, first: firstPrices(days.get(day)?.first, prices) });
    yield;
  }
  return judged;
}

/** The first price of each station on a day; a price from another source starts again. */
function firstPrices(first: TrustedPrices | undefined, prices: TrustedPrices): TrustedPrices {
  if (first === undefined) return prices;
  const begun = [...prices].filter(([station, price]) => first.get(station)?.source !== price.source);
  return new Map([...first, ...begun]);
}
