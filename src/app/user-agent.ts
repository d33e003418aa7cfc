import type { Config } from '../config/config.ts';
import { version } from './version.ts';

/** The `User-Agent` of requests to sources. */
export function userAgentOf({ CONTACT }: Pick<Config, 'CONTACT'>): string {
  return `Pompa/${version()}${CONTACT ? ` (+${CONTACT})` : ''}`;
}
