/** Judges alerts, once per publication and in the morning for what waited, and writes them with their deliveries. */

import type { Kysely } from 'kysely';
import {
  ALERT_DAYS,
  type AlertState,
  type Drop,
  isNight,
  judgeAlert,
  type Prices,
  type ReliedPrice,
  waitingAfter,
} from '../../domain/alerts/alert.ts';
import { bucharestDay, type DayNumber, dayNumber, dayText } from '../../domain/days.ts';
import { buildSnapshotGently } from '../../snapshot/build.ts';
import { History } from '../../snapshot/history.ts';
import type { ServedStation, Snapshot } from '../../snapshot/snapshot.ts';
import {
  type AlertFacts,
  type AlertSubject,
  addAlert,
  alertsDue,
  judgingAlone,
  loadPastPrices,
  saveJudging,
  subscribedSubjects,
  toldSince,
  waitingAlerts,
} from '../../store/alerts/alerts.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { loadFacts } from '../../store/prices/publication.ts';
import type { Rules } from '../collection/days.ts';

export type AlertJob = {
  readonly db: Kysely<Schema>;
  readonly rules: Rules;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly log: { info(message: string): void };
};

/** The silence after an alert lasts a day, and a day in Bucharest up to 25 hours. */
const TOLD_MS = 26 * 3_600_000;

/** Judges when there is something to judge; gives the number of messages that are to be sent. Left to others who do it. */
export async function judgeAlerts(job: AlertJob): Promise<number> {
  const due = await alertsDue(job.db);
  if (!due.published && (!due.waiting || isNight(job.clock()))) return 0;
  const messages = await judgingAlone(job.db, (tx) => judge(tx, job));
  if (messages !== null && messages > 0) job.log.info(`price alerts: ${messages} messages to send`);
  return messages ?? 0;
}

async function judge(tx: Kysely<Schema>, { rules, clock }: AlertJob): Promise<number> {
  const facts = await loadFacts(tx);
  const subjects = await subscribedSubjects(tx);
  const waiting = await waitingAlerts(tx);
  const at = clock();
  const still: (AlertSubject & { day: DayNumber })[] = [];
  let messages = 0;
  if (subjects.length > 0) {
    const snapshot = await buildSnapshotGently({ ...rules, facts, now: at, history: new History() });
    const told = await toldSince(tx, at - TOLD_MS);
    const known = await pricesOf(tx, snapshot, subjects);
    for (const subject of subjects) {
      const { now, past } = known(subject);
      const found = waiting.find((each) => isSame(each, subject))?.day ?? null;
      const state: AlertState = { told: told.filter((each) => isSame(each, subject)), waiting: found };
      const verdict = judgeAlert(at, now, past, state);
      if (verdict.kind === 'tell') {
        const alert = { ...subject, version: facts.version, at, price: verdict.drop.price };
        messages += await addAlert(tx, { ...alert, facts: factsOf(verdict.drop, subject, snapshot, rules) });
      }
      const day = waitingAfter(verdict, found, at);
      if (day !== null) still.push({ ...subject, day });
    }
  }
  await saveJudging(tx, facts.version, still);
  return messages;
}

const isSame = (a: AlertSubject, b: AlertSubject) => a.city === b.city && a.fuel === b.fuel;

type Known = (subject: AlertSubject) => { now: Prices; past: { day: DayNumber; prices: Prices }[] };

/** The relied-on prices that subjects are judged by: of now, and of the days before. */
async function pricesOf(tx: Kysely<Schema>, snapshot: Snapshot, subjects: readonly AlertSubject[]): Promise<Known> {
  const today = dayNumber(bucharestDay(snapshot.now));
  const known = new Map<AlertSubject, ReturnType<Known>>();
  for (const [fuel, ofFuel] of Map.groupBy(subjects, (subject) => subject.fuel)) {
    const presents = ofFuel.map((subject) => ({ subject, now: reliedPrices(snapshot, subject) }));
    const stations = [...new Set(presents.flatMap(({ now }) => [...now.keys()]))];
    const past = await loadPastPrices(tx, fuel, stations, { from: today - ALERT_DAYS - 1, to: today });
    for (const { subject, now } of presents) {
      // Only stations that are there now are ever compared.
      const own = past.map(({ day, prices }) => ({ day, prices: only(prices, now) }));
      known.set(subject, { now, past: own });
    }
  }
  return (subject) => known.get(subject) as ReturnType<Known>;
}

/** The relied-on prices of one place and fuel. */
export function reliedPrices({ records }: Snapshot, { city, fuel }: AlertSubject): Prices {
  const prices = new Map<string, ReliedPrice>();
  for (const { station, fuel: own, verdict } of records) {
    if (own !== fuel || verdict.kind !== 'relied' || (city !== null && station.citySlug !== city)) continue;
    prices.set(station.id, { price: verdict.price, source: verdict.fact.source });
  }
  return prices;
}

/** Measured: to go through the few that are wanted, not through the country for each city, spares two thirds of the work. */
function only(prices: Prices, wanted: Prices): Prices {
  const own = new Map<string, ReliedPrice>();
  for (const station of wanted.keys()) {
    const price = prices.get(station);
    if (price !== undefined) own.set(station, price);
  }
  return own;
}

function factsOf(drop: Drop, { city }: AlertSubject, { records }: Snapshot, { gazetteer }: Rules): AlertFacts {
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
