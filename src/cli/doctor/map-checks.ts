/** Checks where the map gets its streets from. */
import type { Config } from '../../config/config.ts';
import { PmtilesFile, UnusableFile } from '../../vector-tiles/pmtiles-file.ts';
import { type Finding, fail, pass } from '../reports/finding.ts';

/** Opens the file of `MAP_PMTILES` as `serve` does. Never rejects. */
export async function mapFindings({
  MAP_PMTILES,
  mapTiles,
}: Pick<Config, 'MAP_PMTILES' | 'mapTiles'>): Promise<Finding[]> {
  return [tiles(mapTiles), await streets(MAP_PMTILES)];
}

function tiles(mapTiles: Config['mapTiles']): Finding {
  if (mapTiles === null) return pass('map tiles', 'our own');
  return pass('map tiles', `visitors load them from ${mapTiles.origin}, and its terms apply`);
}

async function streets(path: string | null): Promise<Finding> {
  if (path === null) return pass('map streets', 'none, since MAP_PMTILES is unset');
  try {
    const file = await PmtilesFile.open(path);
    await file.close();
    return pass('map streets', `from ${path}, up to zoom ${file.maxZoom}`);
  } catch (error) {
    const why = error instanceof UnusableFile ? error.message : `cannot be read: ${(error as Error).message}`;
    const advice =
      'the map has no streets until MAP_PMTILES names a usable file; docs/OPERATIONS.md says how to make one';
    return fail('map streets', `${path} ${why}`, advice);
  }
}
