/** Alerts as they would have been told over a stretch of time: the same judgement, moment after moment. */

import { bucharestDay, type DayNumber, dayNumber } from '../days.ts';
import {
  ALERT_DAYS,
  type AlertVerdict,
  judgeAlert,
  nextMorning,
  type PastDay,
  type Prices,
  type Told,
  waitingAfter,
} from './alert.ts';

/** A publication: the relied-on prices of one place and fuel at an instant, epoch ms. */
export type PublishedPrices = { readonly at: number; readonly prices: Prices };

export type Judged = { readonly at: number; readonly verdict: AlertVerdict };

/** More than the silence and the day need. */
const REMEMBERED = 4;

/** The verdict on every publication, in their order, and on every morning for which something waited. */
export function replayAlerts(publications: readonly PublishedPrices[], past: readonly PastDay[] = []): Judged[] {
  const days = new Map(past.map((each) => [each.day, each.prices]));
  const judged: Judged[] = [];
  let told: Told[] = [];
  let waiting: { day: DayNumber; until: number } | null = null;
  const judge = (at: number, prices: Prices) => {
    const oldest = dayNumber(bucharestDay(at)) - ALERT_DAYS - 1;
    const before = [...days].filter(([day]) => day >= oldest).map(([day, each]) => ({ day, prices: each }));
    const verdict = judgeAlert(at, prices, before, { told, waiting: waiting?.day ?? null });
    judged.push({ at, verdict });
    if (verdict.kind === 'tell') told = [...told, { at, price: verdict.drop.price }].slice(-REMEMBERED);
    const day = waitingAfter(verdict, waiting?.day ?? null, at);
    waiting = day === null ? null : { day, until: nextMorning(at) };
  };
  let latest: Prices = new Map();
  for (const { at, prices } of publications) {
    const morning = (waiting as { until: number } | null)?.until ?? at;
    if (morning < at) judge(morning, latest);
    judge(at, prices);
    latest = prices;
    days.set(dayNumber(bucharestDay(at)), prices);
  }
  return judged;
}
