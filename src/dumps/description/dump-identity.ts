/** What the dumps are called, and where their parts are. */
import type { LocalizedText } from '../../domain/localized-text.ts';
import { DUMP_PATH } from '../../domain/pages/dump-path.ts';
import { SERVICE_NAME } from '../../domain/service-identity.ts';

export const TITLE: LocalizedText = {
  ro: `Prețurile carburanților în România (${SERVICE_NAME})`,
  en: `Fuel prices in Romania (${SERVICE_NAME})`,
};
export const DESCRIPTION: LocalizedText = {
  ro: 'Benzinăriile din România, prețurile de acum, fiecare modificare și prețurile zilnice, pe stații',
  en: 'The fuel stations of Romania, current prices, every change and daily prices, by station',
};
/** Before the title of what is not real. */
export const SIMULATED: LocalizedText = { ro: 'DATE SIMULATE:', en: 'SIMULATED DATA:' };
export const LICENCE_TITLE = 'Creative Commons Attribution 4.0 International';

/** The home page of the service whose folder of dumps has this address. */
export function homeOf(address: string): string {
  return address.slice(0, -DUMP_PATH.length);
}

/** The Table Schema of a table. */
export function schemaPath(table: string): string {
  return `scheme/${table}.json`;
}

/** A small table for spreadsheets. */
export function aggregatePath(table: string): string {
  return `preturi/${table}.csv`;
}
