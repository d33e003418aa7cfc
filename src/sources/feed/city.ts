/** Finds the city that a file names for a station. */
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { Locality } from '../../domain/places/locality.ts';

/** The locality of that name in that county (name or plate code), or the clause that says what is wrong. */
export function resolveCity(
  city: string,
  county: string,
  gazetteer: Gazetteer,
): { readonly found: Locality } | { readonly problem: string } {
  const inCounty = gazetteer.countyByName(county);
  if (inCounty === undefined) return { problem: `county "${county}" must be a Romanian county or its plate code` };
  const resolved = gazetteer.resolvePlace(`${city}, ${inCounty.code}`);
  if ('found' in resolved) return resolved;
  const advice = resolved.nearest.length > 0 ? `; near in spelling: ${resolved.nearest.join(' · ')}` : '';
  return { problem: `city "${city}" is not a locality of ${inCounty.name}${advice}` };
}
