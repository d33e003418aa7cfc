/**
 * Evaluates alerts, once per publication and in the morning for those that waited, and stores them with their
 * deliveries.
 */

import type { Kysely } from 'kysely';
import { runInSlices } from '../../concurrency/in-slices.ts';
import {
  ALERT_DAYS,
  type AlertState,
  deferredAfter,
  isNight,
  judgeAlert,
  type PastDay,
  type PriceDrop,
  type TrustedPrice,
  type TrustedPrices,
} from '../../domain/alerts/alert.ts';
import { bucharestDay, type DayNumber, dayNumber, dayText } from '../../domain/days.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import type { PublishedFacts } from '../../domain/prices/facts.ts';
import { buildSnapshotInSlices } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';
import type { ServedStation, Snapshot } from '../../snapshot/snapshot.ts';
import {
  type AlertDetails,
  type AlertSubject,
  addAlert,
  alertsDue,
  alertsSince,
  loadPastPrices,
  saveJudgingState,
  subscribedSubjects,
  waitingAlerts,
  withJudgingLock,
} from '../../store/alerts/alerts.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { readFacts } from '../../store/prices/packed-facts.ts';
import { mergeFirstPrices, returnedSources, snapshotsOfDay } from './first-prices.ts';

export type AlertJudgeOptions = {
  readonly db: Kysely<Schema>;
  readonly settings: CollectionSettings;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly log: { info(message: string): void };
};

/** The silence after an alert lasts a day, and a day in Bucharest up to 25 hours. */
const COOLDOWN_LOOKBACK_MS = 26 * 3_600_000;

/**
 * Evaluates alerts if there is anything to evaluate; returns the number of messages to send. Skips what another process
 * is evaluating.
 */
export async function evaluateAlerts(options: AlertJudgeOptions): Promise<number> {
  if (!(await isDue(options.db, options))) return 0;
  const messages = await withJudgingLock(options.db, async (tx, read) =>
    // Another process may have evaluated them since.
    (await isDue(read, options)) ? judgeSubjects(tx, read, options) : 0,
  );
  if (messages !== null && messages > 0) options.log.info(`price alerts: ${messages} messages to send`);
  return messages ?? 0;
}

async function isDue(db: Kysely<Schema>, { clock }: AlertJudgeOptions): Promise<boolean> {
  const { published, waiting } = await alertsDue(db);
  return published || (waiting && !isNight(clock()));
}

async function judgeSubjects(
  tx: Kysely<Schema>,
  read: Kysely<Schema>,
  { settings, clock }: AlertJudgeOptions,
): Promise<number> {
  const facts = await readFacts(read);
  const subjects = await subscribedSubjects(read);
  const deferred = await waitingAlerts(read);
  const at = clock();
  const stillDeferred: (AlertSubject & { day: DayNumber })[] = [];
  let messages = 0;
  if (subjects.length > 0) {
    const snapshot = await runInSlices(
      buildSnapshotInSlices({ ...settings, facts, now: at, history: new PriceHistory() }),
    );
    const recentAlerts = await alertsSince(read, at - COOLDOWN_LOOKBACK_MS);
    const pricesFor = await pricesOf(read, snapshot, subjects);
    const firstPricesOf = firstPricesLookup(read, facts, settings);
    for (const subject of subjects) {
      const { now, past: before } = pricesFor(subject);
      const deferredSince = deferred.find((each) => isSame(each, subject))?.day ?? null;
      const days = [dayNumber(bucharestDay(at)), ...(deferredSince === null ? [] : [deferredSince])];
      const past = await withFirstPrices(subject, now, before, days, firstPricesOf);
      const state: AlertState = {
        sent: recentAlerts.filter((each) => isSame(each, subject)),
        deferredFrom: deferredSince,
      };
      const verdict = judgeAlert(at, now, past, state);
      if (verdict.kind === 'send') {
        const alert = { ...subject, version: facts.version, at, price: verdict.drop.price };
        messages += await addAlert(tx, { ...alert, details: factsOf(verdict.drop, subject, snapshot, settings) });
      }
      const day = deferredAfter(verdict, deferredSince, at);
      if (day !== null) stillDeferred.push({ ...subject, day });
    }
  }
  await saveJudgingState(tx, facts.version, stillDeferred);
  return messages;
}

const isSame = (a: AlertSubject, b: AlertSubject) => a.city === b.city && a.fuel === b.fuel;

type PriceLookup = (subject: AlertSubject) => { now: TrustedPrices; past: { day: DayNumber; prices: TrustedPrices }[] };

/** The trusted prices that subjects are evaluated by: current ones, and those of the days before. */
async function pricesOf(
  tx: Kysely<Schema>,
  snapshot: Snapshot,
  subjects: readonly AlertSubject[],
): Promise<PriceLookup> {
  const today = dayNumber(bucharestDay(snapshot.now));
  const known = new Map<AlertSubject, ReturnType<PriceLookup>>();
  for (const [fuel, ofFuel] of Map.groupBy(subjects, (subject) => subject.fuel)) {
    const currentPrices = ofFuel.map((subject) => ({ subject, now: trustedPrices(snapshot, subject) }));
    const stations = [...new Set(currentPrices.flatMap(({ now }) => [...now.keys()]))];
    const past = await loadPastPrices(tx, fuel, stations, { from: today - ALERT_DAYS - 1, to: today });
    for (const { subject, now } of currentPrices) {
      // Only current stations are compared.
      const own = past.map(({ day, prices }) => ({ day, prices: restrictTo(prices, now) }));
      known.set(subject, { now, past: own });
    }
  }
  return (subject) => known.get(subject) as ReturnType<PriceLookup>;
}

/** The trusted prices of one place and fuel. */
export function trustedPrices({ records }: Snapshot, { city, fuel }: AlertSubject): TrustedPrices {
  const prices = new Map<string, TrustedPrice>();
  for (const { station, fuel: own, verdict } of records) {
    if (own !== fuel || verdict.kind !== 'trusted' || (city !== null && station.citySlug !== city)) continue;
    prices.set(station.id, { price: verdict.price, source: verdict.fact.source });
  }
  return prices;
}

/**
 * Measured: going through the few wanted stations, not through the whole country for each city, saves two thirds of the
 * work.
 */
function restrictTo(prices: TrustedPrices, wanted: TrustedPrices): TrustedPrices {
  const own = new Map<string, TrustedPrice>();
  for (const station of wanted.keys()) {
    const price = prices.get(station);
    if (price !== undefined) own.set(station, price);
  }
  return own;
}

function factsOf(
  drop: PriceDrop,
  { city }: AlertSubject,
  { records }: Snapshot,
  { gazetteer }: CollectionSettings,
): AlertDetails {
  const station = records.find((record) => record.station.id === drop.station)?.station as ServedStation;
  return {
    rule: drop.rule,
    change: drop.change,
    since: drop.since === null ? null : dayText(drop.since),
    station: station.id,
    network: station.network.name,
    address: station.address,
    stationCity: station.city,
    city: city === null ? null : (gazetteer.localityBySlug(city)?.ascii ?? city),
    simulated: false,
  };
}

type FirstPricesLookup = (source: string, day: DayNumber) => Promise<readonly Snapshot[]>;

/** Loads what a source first gave on a day, once for all subjects. */
function firstPricesLookup(tx: Kysely<Schema>, facts: PublishedFacts, settings: CollectionSettings): FirstPricesLookup {
  const known = new Map<string, readonly Snapshot[]>();
  return async (source, day) => {
    const key = `${day} ${source}`;
    const before = facts.publishedAt ?? 0;
    const found = known.get(key) ?? (await snapshotsOfDay(tx, source, { day, before }, { facts, settings }));
    known.set(key, found);
    return found;
  };
}

/** The days before, with what stations that returned on one of `days` were first published with. */
async function withFirstPrices(
  subject: AlertSubject,
  now: TrustedPrices,
  past: readonly PastDay[],
  days: readonly DayNumber[],
  firstPricesOf: FirstPricesLookup,
): Promise<PastDay[]> {
  const byDay = new Map(past.map((each) => [each.day, each]));
  for (const day of days) {
    const given: TrustedPrices[] = [];
    for (const source of returnedSources(now, past, day)) {
      for (const snapshot of await firstPricesOf(source, day)) given.push(trustedPrices(snapshot, subject));
    }
    if (given.length > 0) {
      byDay.set(day, { day, prices: new Map(), ...byDay.get(day), first: mergeFirstPrices(now, given) });
    }
  }
  return [...byDay.values()];
}
