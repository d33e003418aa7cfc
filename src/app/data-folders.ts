/** Says where the data of a service lie: under root the embedded database is outside of DATA_DIR. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { existingHome, setAsideHomes } from '../store/embedded/root-data-dir.ts';

/** Logs the folders once the database is open, and those that databases of a deleted DATA_DIR still occupy. */
export function logDataFolders({ DATA_DIR, DATABASE_URL }: Config, log: Pick<Logger, 'info' | 'warn'>): void {
  if (DATABASE_URL !== null) {
    log.info(`data folder ${DATA_DIR}; database by DATABASE_URL`);
    return;
  }
  log.info(`data folder ${DATA_DIR}; embedded database in ${existingHome(DATA_DIR)}`);
  for (const folder of setAsideHomes(DATA_DIR))
    log.warn(`${folder} holds the database of a deleted DATA_DIR: remove it (rm -r ${folder}) when nobody needs it`);
}
