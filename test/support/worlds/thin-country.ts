/** The simulated country with few stations, for tests that collect the whole register in real processes. */
import type { Country } from '../../../src/simulation/country/country.ts';
import { exampleCountry } from '../../../src/simulation/country/example-country.ts';

/** Keeps every twelfth station, and all those with anomalies. */
const KEPT_EVERY = 12;

export function thinCountry(seed: number, epoch: number): Country {
  const country = exampleCountry(seed, epoch);
  const stations = country.stations.filter(({ anomalies }, index) => anomalies.length > 0 || index % KEPT_EVERY === 0);
  return { ...country, stations };
}
