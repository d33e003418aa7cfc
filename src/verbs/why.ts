/** `pompa why STATION [FUEL]`: where a served price comes from. */
import { BadCell, fuelOf, fuelWord } from '../sources/manual/values.ts';
import { explain } from '../worker/explain.ts';
import { createLog, openStore, rulesOf } from './parts.ts';
import { Failure, UsageError, type Verb } from './verb.ts';

export const whyVerb: Verb = {
  name: 'why',
  usage: 'why STATION [FUEL] [--json]',
  details: `STATION is the id of a /statii record, or a source's own name for it such as register:R1009 or manual:KEY.
FUEL is benzina_standard, benzina_premium, motorina_standard, motorina_premium, gpl or adblue.`,
  flags: {},
  words: { least: 1, most: 2 },
  async run({ words, flags, config, terminal, signal }) {
    const [station, word] = words as [string, string?];
    const fuel = word === undefined ? null : parseFuel(word);
    const database = await openStore(config, createLog(config), signal);
    try {
      const all = await explain(database, rulesOf(config), station, Date.now());
      if (all === null) throw new Failure(`no station is known as "${station}"`);
      const shown = all.filter(({ record }) => fuel === null || record.fuel === fuel);
      if (shown.length === 0) throw new Failure(`station "${station}" has no record${word ? ` for ${word}` : ''}`);
      for (const { record, served, facts } of shown) {
        const { id, network, city, address } = record.station;
        if (flags.json) {
          terminal.out(
            JSON.stringify({ station: id, fuel: fuelWord(record.fuel), verdict: record.verdict.kind, served, facts }),
          );
          continue;
        }
        terminal.out(`${id} ${network.name}, ${city}, ${address}: ${fuelWord(record.fuel)}`);
        terminal.out(`  served: ${served}`);
        for (const fact of facts) terminal.out(`  ${fact.source}: ${fact.text}`);
      }
      return 0;
    } finally {
      await database.close();
    }
  },
};

function parseFuel(word: string) {
  try {
    return fuelOf(word);
  } catch (error) {
    if (error instanceof BadCell) throw new UsageError(error.message);
    throw error;
  }
}
