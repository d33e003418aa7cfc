/** The settings by which collections are judged and served. */
import type { Config } from '../config/config.ts';
import type { CollectionSettings } from '../domain/prices/collection-settings.ts';
import { loadGazetteer } from '../geodata/load-gazetteer.ts';

/** Of a configuration. */
export function collectionSettingsOf(config: Config): CollectionSettings {
  return {
    ranges: config.PRICE_RANGES,
    gazetteer: loadGazetteer(),
    inService: config.SOURCES.length === 0 ? null : config.SOURCES,
  };
}
