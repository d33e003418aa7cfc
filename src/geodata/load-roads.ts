import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd } from '../algorithms/run-to-end.ts';
import type { Gazetteer } from '../domain/places/gazetteer.ts';
import type { Locality } from '../domain/places/locality.ts';
import { parseRoadsInSlices, type RoadData, type RoadStop } from '../domain/roads/road-file.ts';
import { buildRoadGraphInSlices, type RoadGraph } from '../domain/roads/road-graph.ts';

let loaded: RoadGraph | undefined;

/**
 * The built-in roads of `geography/roads.txt`, read once per process. Throws if the file is missing or a line is
 * invalid.
 */
export function loadRoads(gazetteer: Gazetteer): RoadGraph {
  return runToEnd(loadRoadsInSlices(gazetteer));
}

/** `loadRoads` in slices: the caller lets other work run at each `yield`. */
export function* loadRoadsInSlices(gazetteer: Gazetteer): Generator<void, RoadGraph, void> {
  if (loaded !== undefined) return loaded;
  const roadData = yield* readRoadDataInSlices(gazetteer);
  loaded = yield* buildRoadGraphInSlices(roadData, gazetteer.localities.map(toStop));
  return loaded;
}

/** The contents of `geography/roads.txt`; see `parseRoads`. */
export function readRoadData(gazetteer: Gazetteer): RoadData {
  return runToEnd(readRoadDataInSlices(gazetteer));
}

function* readRoadDataInSlices(gazetteer: Gazetteer): Generator<void, RoadData, void> {
  const file = 'geography/roads.txt';
  const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
  try {
    return yield* parseRoadsInSlices(text, localityFinder(gazetteer));
  } catch (error) {
    throw new Error(`${file}, ${(error as Error).message}`, { cause: error });
  }
}

function localityFinder(gazetteer: Gazetteer): (name: string, county: string) => Locality | undefined {
  return (name, county) => {
    const resolved = gazetteer.resolvePlace(`${name}, ${county}`);
    return 'found' in resolved && resolved.found.county === county ? resolved.found : undefined;
  };
}

function toStop({ lat, lng, slug, population }: Locality): RoadStop {
  return { lat, lng, key: slug, population, exit: false };
}
