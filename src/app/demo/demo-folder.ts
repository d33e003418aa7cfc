/** The folder of a demo, whose data are simulated. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Config, ConfigError } from '../../config/config.ts';

/** What the country of a demo is made from. */
export const demoFile = (folder: string): string => path.join(folder, 'demo.json');

/** Whether a `DATA_DIR` is that of a demo. */
export const isDemoFolder = (folder: string): boolean => existsSync(demoFile(folder));

/** Throws `ConfigError` where simulated data would be served, or added to, as if they were real. */
export function refuseDemoFolder({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): void {
  if (isDemoFolder(DATA_DIR))
    throw new ConfigError(
      `DATA_DIR ${DATA_DIR} holds the simulated data of pompa demo: choose another folder, or start pompa demo`,
    );
}
