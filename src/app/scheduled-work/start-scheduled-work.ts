/** Starts the scheduled work of an installation. */
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { type ScheduledWorker, startScheduler } from '../../worker/scheduler.ts';
import { createCollector } from './create-collector.ts';
import { createSchedule, type ScheduleOptions } from './schedule.ts';

/** Does the jobs of the settings when they are due, until closed. */
export function startScheduledWork(
  config: Config,
  database: Database<Schema>,
  log: Logger,
  options: ScheduleOptions,
): ScheduledWorker {
  return startScheduler(createSchedule(config, createCollector(config, database, log), log, options));
}
