/** `pompa why STATION [FUEL]`: where a served price comes from. */

import { type Command, type CommandCall, CommandError, UsageError } from '../app/command.ts';
import { withDatabase } from '../app/database/configured-database.ts';
import { collectionSettingsOf } from '../app/settings/derived-settings.ts';
import { dayText, isoInstant } from '../domain/days.ts';
import { FUEL_CODE, FUEL_CODES } from '../domain/fuel-codes.ts';
import type { CollectionSettings } from '../domain/prices/collection-settings.ts';
import { verdictCode } from '../domain/prices/price-verdict.ts';
import { BadCell, parseFuelCode } from '../sources/manual/parse-values.ts';
import { type ExplainedFact, type Explanation, explain, factVerdictCode } from '../worker/explain/explain.ts';
import { factText, servedText } from '../worker/explain/explain-words.ts';

export const whyCommand: Command = {
  name: 'why',
  usage: 'why STATION [FUEL] [--json]',
  details: `Shows every fact on the station in order of precedence, with its verdict, and the rule that chose.
STATION is the id of a /statii record, or a source's own name for it such as register:R1009 or manual:KEY.
FUEL is one of ${FUEL_CODES.join(', ')}.`,
  flags: {},
  args: { min: 1, max: 2 },
  async run(call) {
    const [name, word] = call.args as [string, string?];
    const fuel = word === undefined ? null : parseFuel(word);
    const [settings, now] = [collectionSettingsOf(call.config), Date.now()];
    const explained = await withDatabase(call, (database) => explain(database, settings, name, now));
    if (explained === null) throw new CommandError(`no station is known as "${name}"`);
    const shown = explained.fuels.filter((each) => fuel === null || each.fuel === fuel);
    if (shown.length === 0) throw new CommandError(`station "${name}" has no record${word ? ` for ${word}` : ''}`);
    for (const each of shown) printExplanation(call, each, explained.names, settings, now);
    return 0;
  },
};

function printExplanation(
  { flags, terminal }: CommandCall,
  explanation: Explanation,
  names: readonly string[],
  settings: CollectionSettings,
  now: number,
): void {
  const { station, record, fuel, facts } = explanation;
  const { served, rule } = servedText(explanation);
  if (flags.json) {
    const verdict = record === null ? null : verdictCode(record.verdict.kind);
    const factObjects = facts.map((fact) => factObject(fact, settings, now));
    terminal.out(
      JSON.stringify({ station: station.id, names, fuel: FUEL_CODE[fuel], verdict, served, rule, facts: factObjects }),
    );
    return;
  }
  const place = [station.brand, record?.station.city, station.address].filter(Boolean).join(', ');
  terminal.out(`${station.id} ${place}: ${FUEL_CODE[fuel]}`);
  terminal.out(`  known as ${names.join(', ')}`);
  terminal.out(`  served: ${served}`);
  terminal.out(`  by ${rule}`);
  for (const fact of facts) terminal.out(`  ${fact.fact.source}: ${factText(fact, settings.ranges, now)}`);
}

function factObject(explained: ExplainedFact, settings: CollectionSettings, now: number): Record<string, unknown> {
  const { fact, verdict, chosen } = explained;
  const { source, price, observed, sinceDay, unit, readAt, missingSince } = fact;
  return {
    source,
    price: price === null ? null : price / 1000,
    verdict: factVerdictCode(verdict.kind),
    reason: verdict.kind === 'doubtful' ? verdict.reason : null,
    chosen,
    observed: observed === null ? null : observed.at === null ? observed.day : isoInstant(observed.at),
    since: dayText(sinceDay),
    unit,
    read: isoInstant(readAt),
    age_seconds: Math.round((now - readAt) / 1000),
    missing_since: missingSince === null ? null : isoInstant(missingSince),
    text: factText(explained, settings.ranges, now),
  };
}

function parseFuel(word: string) {
  try {
    return parseFuelCode(word);
  } catch (error) {
    if (error instanceof BadCell) throw new UsageError(error.message);
    throw error;
  }
}
