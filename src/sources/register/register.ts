/** The national fuel price register (monitorulpreturilor.info) as a source. */
import type { Source } from '../source.ts';
import { REGISTER } from './parsing/register-ids.ts';
import { sweepRegister } from './sweep.ts';
import units from './units.json' with { type: 'json' };

/**
 * The register: 366 known administrative units, and those learned since, × five fuels. `units` replaces the built-in
 * list.
 */
export function registerSource(options: { readonly units?: readonly number[] } = {}): Source {
  const builtIn = options.units ?? units;
  return {
    name: REGISTER,
    sweep: (context) => sweepRegister([...builtIn, ...context.extraUnits], context),
  };
}
