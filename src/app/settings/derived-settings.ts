/** What several parts derive from the configuration. */

import type { Config } from '../../config/config.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { version } from './version.ts';

/** The settings by which collections are judged and served. */
export function collectionSettingsOf(config: Config): CollectionSettings {
  return {
    ranges: config.PRICE_RANGES,
    gazetteer: loadGazetteer(),
    inService: config.SOURCES.length === 0 ? null : config.SOURCES,
  };
}

/** The `User-Agent` of requests to sources. */
export function userAgentOf({ CONTACT }: Pick<Config, 'CONTACT'>): string {
  return `Pompa/${version()}${CONTACT ? ` (+${CONTACT})` : ''}`;
}
