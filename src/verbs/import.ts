/** `pompa import`: rows kept by the operator. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readHistory, readPrices, readStations } from '../sources/manual/files.ts';
import { BadFile } from '../sources/manual/table.ts';
import { importHistory, importPrices, importStations } from '../worker/import.ts';
import { createLog, openStore, rulesOf } from './parts.ts';
import { Failure, UsageError, type Verb } from './verb.ts';

const KINDS = ['stations', 'prices', 'history'];
const SHOWN_PROBLEMS = 20;

export const importVerb: Verb = {
  name: 'import',
  usage: 'import stations|prices|history FILE [--json]',
  summary: 'take manual stations, price reports or daily prices in',
  details: `FILE is CSV or JSON, by its extension; all or nothing, every bad row is named, published at once.
  stations   key,brand,name,address,city,county,lat,lng,franchise,price_note,hours,services,phone,fuels
  prices     station,fuel,price,observed_at
  history    date,station,fuel,price`,
  flags: {},
  words: { least: 2, most: 2 },
  async run({ words, flags, config, terminal, signal }) {
    const [kind, file] = words as [string, string];
    if (!KINDS.includes(kind)) throw new UsageError(`import takes ${KINDS.join(', ')}, not "${kind}"`);
    const now = Date.now();
    const rules = rulesOf(config);
    try {
      const content = readText(file);
      const name = path.basename(file);
      // Every row is checked before the database is opened.
      const stations = kind === 'stations' ? readStations(name, content, rules.gazetteer) : [];
      const prices = kind === 'prices' ? readPrices(name, content, rules.ranges, now) : [];
      const days = kind === 'history' ? readHistory(name, content, now) : [];
      const database = await openStore(config, createLog(config), signal);
      try {
        if (kind === 'stations') await importStations(database.kysely, stations, rules, now);
        if (kind === 'prices') await importPrices(database.kysely, prices, rules, now);
        if (kind === 'history') await importHistory(database.kysely, days, rules, now);
      } finally {
        await database.close();
      }
      const rows = stations.length + prices.length + days.length;
      terminal.out(
        flags.json ? JSON.stringify({ kind, rows, published: true }) : `${rows} rows of ${kind} imported and published`,
      );
      return 0;
    } catch (error) {
      if (!(error instanceof BadFile)) throw error;
      for (const problem of error.problems.slice(0, SHOWN_PROBLEMS)) terminal.note(`${file}: ${problem}`);
      throw new Failure(`${file}: ${error.problems.length} bad row(s), nothing was imported`);
    }
  },
};

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new BadFile([`the file cannot be read: ${(error as NodeJS.ErrnoException).code}`]);
  }
}
