/** The simulated register in a process of its own. */

import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { simulateCountry } from '../../src/simulation/country/country.ts';
import { startSimulatedRegister } from '../../src/simulation/register/register-server.ts';
import units from '../../src/sources/register/units.json' with { type: 'json' };

export type RegisterReady = { readonly url: string };

const country = simulateCountry({ localities: loadGazetteer().localities, units, seed: 7, epoch: Date.now() });
const register = await startSimulatedRegister({ country, clock: Date.now });
process.once('SIGTERM', () => process.exit());
process.send?.({ url: register.url } satisfies RegisterReady);
