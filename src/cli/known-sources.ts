/** The names of sources that a command is given. */
import { UsageError } from '../app/command.ts';
import { configuredSources } from '../app/scheduled-work/configured-sources.ts';
import type { Config } from '../config/config.ts';

/** Checks that each name is the name of a source. Throws `UsageError`. */
export function requireKnownSources(config: Config, names: readonly string[]): void {
  const known = [...configuredSources(config).keys()];
  const unknownName = names.find((name) => !known.includes(name));
  if (unknownName === undefined) return;
  const advice = unknownName.startsWith('prices:')
    ? '; a price list is named in SOURCES, such as prices:socar=FILE'
    : '';
  throw new UsageError(`no source is called "${unknownName}"; known are ${known.join(', ')}${advice}`);
}
