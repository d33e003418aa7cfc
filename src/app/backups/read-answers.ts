/** What the service answers from a database at a moment: rendered by the same code that serves, as digests. */
import { hash } from 'node:crypto';
import { health } from '../../api/rendering/health-answer.ts';
import { RenderedSnapshot } from '../../api/rendering/rendered-snapshot.ts';
import type { BackupAnswers } from '../../domain/backup-answers.ts';
import { bucharestDay, dayNumber } from '../../domain/days.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { buildSnapshot } from '../../snapshot/build.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { readKeyFigures } from '../../store/backup/key-figures.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { readChangesIn } from '../../worker/serving/read-changes.ts';
import { withClosedDays } from '../../worker/serving/with-closed-days.ts';

/** Stations whose histories are compared, spread over all. */
const SAMPLES = 20;
const HISTORY_DAYS = 90;

export type AnswerMoment = Omit<BackupAnswers, 'answers'>;

/** Reads everything that is served, in a transaction that sees one moment, and answers as of `moment.now`. */
export async function readAnswers(tx: Database<Schema>['kysely'], moment: AnswerMoment): Promise<BackupAnswers> {
  const { now, ranges, inService } = moment;
  const settings = { ranges, inService, gazetteer: loadGazetteer() };
  const today = dayNumber(bucharestDay(now));
  const loaded = withClosedDays(await readChangesIn(tx, null, today), today, settings);
  const snapshot = buildSnapshot({ ...settings, ...loaded, now });
  const { keys, revoked, used, total } = await readKeyFigures(tx);
  return {
    ...moment,
    answers: {
      ...(await priceAnswers(snapshot, now)),
      keys: `${keys}, ${revoked} of them revoked`,
      usage: `${used} requests this month, ${total} in all`,
    },
  };
}

async function priceAnswers(snapshot: Snapshot, now: number): Promise<Record<string, string>> {
  const rendered = await RenderedSnapshot.render(snapshot);
  const everything = { brand: '', fuel: undefined, geoFilter: null, fullSet: true };
  const answers: Record<string, string> = {
    '/health': digest(Buffer.from(JSON.stringify(health(snapshot, now)))),
    '/preturi/minime': digest(rendered.national('null').plain),
    '/statii': digest(rendered.stations(everything).plain),
  };
  for (const id of samplesOf(snapshot)) {
    const history = rendered.history(id, HISTORY_DAYS);
    answers[`/statie/${id}/istoric`] = history === null ? 'none' : digest(history().plain);
  }
  return answers;
}

function samplesOf({ records }: Snapshot): readonly string[] {
  const ids = [...new Set(records.map(({ station }) => station.id))].sort();
  const step = Math.max(1, ids.length / SAMPLES);
  return ids.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step)).slice(0, SAMPLES);
}

function digest(bytes: Buffer): string {
  return hash('sha256', bytes);
}
