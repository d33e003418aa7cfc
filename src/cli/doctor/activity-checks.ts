/** Checks sources, worker, maintenance and push by what the database has recorded. */
import type { Config } from '../../config/config.ts';
import { MAX_PRICE_AGE_MS } from '../../domain/prices/price-verdict.ts';
import { isPriceSource, LOCATOR_INTERVAL_MS, sourceKind } from '../../domain/reports/source-kind.ts';
import type { Activity, SourceActivity } from '../../store/maintenance/database-status.ts';
import type { MaintenanceTime } from '../../store/maintenance/maintenance-times.ts';
import { durationText, type Finding, fail, pass } from '../reports/finding.ts';

const DAY_MS = 86_400_000;
/** A collection may take this long; the next one is not late before that. */
const MAX_RUN_MS = 3_600_000;

type Settings = Pick<Config, 'SOURCES' | 'COLLECT_EVERY' | 'DATABASE_URL' | 'vapid'>;

/** @param now epoch ms */
export function activityFindings(activity: Activity, config: Settings, now: number): Finding[] {
  if (config.SOURCES.length === 0) {
    const advice = 'set SOURCES, such as register or manual; docs/SOURCES.md says what each is';
    return [fail('sources', 'none is in service: health is 503', advice), push(activity, config)];
  }
  return [
    ...healthFinding(config),
    ...activity.sources.map((source) => sourceFinding(source, now)),
    worker(activity, config, now),
    push(activity, config),
  ];
}

function healthFinding({ SOURCES }: Settings): Finding[] {
  if (SOURCES.some(isPriceSource)) return [];
  const detail = `only ${SOURCES.join(', ')}, none of which counts for health (rule 33): it is 503 for ever`;
  const advice =
    'add a source that delivers prices by itself, such as register; or let nothing wait for /api/v1/health to be 200';
  return [fail('sources', detail, advice)];
}

function sourceFinding({ name, deliveredAt, last }: SourceActivity, now: number): Finding {
  const check = `source ${name}`;
  const delivered = deliveredAt === null ? 'never delivered' : `delivered ${durationText(now - deliveredAt)} ago`;
  if (name === 'manual') return pass(check, `${delivered}; pompa import brings in reports`);
  if (last !== null && last.outcome !== 'delivered') {
    const how = last.outcome === 'failed' ? 'failed' : 'was set aside';
    const detail = `${delivered}; its last run, ${durationText(now - last.at)} ago, ${how}: ${last.reason}`;
    return fail(check, detail, `see pompa runs ${name}; test it with pompa source ${name}`);
  }
  if (deliveredAt === null) return fail(check, delivered, `pompa collect ${name}, or wait for the worker`);
  const advice = `pompa collect ${name}; is a worker running?`;
  if (isLocator(name)) {
    if (now - deliveredAt > LOCATOR_INTERVAL_MS + DAY_MS) return fail(check, delivered, advice);
  } else if (now - deliveredAt > MAX_PRICE_AGE_MS) return fail(check, `${delivered}: its prices have expired`, advice);
  return pass(check, last === null ? delivered : `${delivered}, ${last.rows} rows`);
}

function worker({ sources, collector }: Activity, { COLLECT_EVERY, DATABASE_URL }: Settings, now: number): Finding {
  const collected = sources.filter(({ name }) => name !== 'manual');
  if (collected.length === 0) return pass('worker', 'nothing is collected by schedule');
  if (collector !== null) return pass('worker', `${collector} is collecting`);
  const advice = `start ${DATABASE_URL === null ? 'serve' : 'pompa worker: with DATABASE_URL serve does not collect'}`;
  const overdueAfterMs = COLLECT_EVERY + Math.min(MAX_RUN_MS, COLLECT_EVERY) + 60_000;
  for (const { name, collectedAt, deliveredAt } of collected) {
    if (isLocator(name) && deliveredAt !== null && now - deliveredAt <= LOCATOR_INTERVAL_MS + overdueAfterMs) continue;
    if (collectedAt === null) return fail('worker', `${name} was never collected`, advice);
    if (now - collectedAt <= overdueAfterMs) continue;
    const ended = `the last run of ${name} ended ${durationText(now - collectedAt)} ago`;
    return fail('worker', `${ended}, COLLECT_EVERY is ${durationText(COLLECT_EVERY)}`, advice);
  }
  const prices = collected.filter(({ name }) => !isLocator(name));
  const oldest = Math.min(...(prices.length > 0 ? prices : collected).map(({ collectedAt }) => collectedAt ?? now));
  return pass('worker', `the last run ended ${durationText(now - oldest)} ago`);
}

const HOURLY_LATE_AFTER_MS = 6 * 3_600_000;
const DAILY_LATE_AFTER_MS = 2 * DAY_MS;

/** Whether expired rows are removed, as docs/PRIVACY.md promises. `now`: epoch ms. */
export function maintenanceFinding(times: readonly MaintenanceTime[], now: number): Finding {
  const check = 'maintenance';
  if (times.every(({ doneAt }) => doneAt === null)) return pass(check, 'not done yet; the worker does it');
  const late = times.filter(
    ({ task, doneAt }) => now - (doneAt ?? 0) > (task === 'hourly' ? HOURLY_LATE_AFTER_MS : DAILY_LATE_AFTER_MS),
  );
  const text = ({ task, doneAt }: MaintenanceTime) =>
    `${task} ${doneAt === null ? 'never' : `${durationText(Math.max(0, now - doneAt))} ago`}`;
  if (late.length === 0) return pass(check, `last done: ${times.map(text).join(', ')}`);
  return fail(
    check,
    `last done: ${late.map(text).join(', ')}; meanwhile expired data stay in the database`,
    'read the log of the worker, which says why it fails, and tries again every ten minutes; is a worker running?',
  );
}

function isLocator(name: string): boolean {
  return sourceKind(name) === 'locator';
}

function push({ subscriptions, overdueMessages }: Activity, { vapid }: Settings): Finding {
  const browsers = `${subscriptions} subscription(s)`;
  if (vapid === null && subscriptions === 0) return pass('push', 'off');
  if (vapid === null) {
    return fail(
      'push',
      `${browsers}, but no keys: nothing is sent`,
      'set the VAPID_ settings that they were made with',
    );
  }
  if (overdueMessages === 0) return pass('push', `on, the keys are a pair; ${browsers}`);
  return fail(
    'push',
    `${overdueMessages} message(s) should have been sent a quarter of an hour ago`,
    'check that a worker runs with the VAPID_ settings, and read its log',
  );
}
