/** `pompa alerts`: which price alerts the rules would have sent recently, and why. */

import { notificationText } from '../api/rendering/alert-message.ts';
import { type CommandCall, UsageError } from '../app/command.ts';
import { openMigrated } from '../app/database/configured-database.ts';
import { createLog } from '../app/log/process-log.ts';
import { collectionSettingsOf } from '../app/settings/derived-settings.ts';
import { integerBetween } from '../config/parse.ts';
import type { AlertVerdict } from '../domain/alerts/alert.ts';
import { bucharestDay, dayText, isoInstant } from '../domain/days.ts';
import { ROAD_FUELS, type RoadFuel } from '../domain/fuel.ts';
import { FUEL_CODE } from '../domain/fuel-codes.ts';
import { loadGazetteer } from '../geodata/load-gazetteer.ts';
import type { AlertSubject } from '../store/alerts/alerts.ts';
import { type SimulatedAlert, simulateAlerts } from '../worker/alerts/simulate-alerts.ts';
import { parseFlag } from './arguments.ts';
import { commandWithSubCommands, type SubCommand } from './sub-commands.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 90;
/** The whole country, instead of a city. */
const COUNTRY_WORDS = ['romania', 'national'];

const simulate: SubCommand = {
  usage: 'CITY FUEL [--days N] [--json]',
  flags: { days: { type: 'string' } },
  argCount: 2,
  async run(call) {
    const days = parseFlag(call, 'days', integerBetween(1, MAX_DAYS, DEFAULT_DAYS)) ?? DEFAULT_DAYS;
    const subject = subjectOf(call);
    const database = await openMigrated(call.config, createLog(call.config), call.signal);
    try {
      const all = await simulateAlerts(database.kysely, collectionSettingsOf(call.config), subject, {
        days,
        now: Date.now(),
      });
      for (const each of all) printVerdict(call, subject, each);
      if (!call.flags.json && all.every(({ verdict }) => verdict.kind === 'none')) {
        call.terminal.out(`no alerts in ${days} days`);
      }
      return 0;
    } finally {
      await database.close();
    }
  },
};

export const alertsCommand = commandWithSubCommands(
  'alerts',
  `CITY is a name, as autocomplete gives it, or "romania"; FUEL is ${ROAD_FUELS.map((fuel) => FUEL_CODE[fuel]).join(', ')}.
Each stored day counts as one publication at noon, and the current prices as one published now.
  --days N   how many days, today included: 1 to ${MAX_DAYS} (${DEFAULT_DAYS})`,
  { simulate },
);

function subjectOf({ args }: CommandCall): AlertSubject {
  const [place = '', word = ''] = args;
  const fuel = fuelOf(word);
  if (fuel === undefined) {
    throw new UsageError(`FUEL must be one of ${ROAD_FUELS.map((each) => FUEL_CODE[each]).join(', ')}, not "${word}"`);
  }
  if (COUNTRY_WORDS.includes(place.toLowerCase())) return { city: null, fuel };
  const gazetteer = loadGazetteer();
  const known = gazetteer.localityBySlug(place);
  if (known !== undefined) return { city: known.slug, fuel };
  const resolved = gazetteer.resolvePlace(place);
  if ('found' in resolved) return { city: resolved.found.slug, fuel };
  const meant = resolved.nearest.length > 0 ? `; did you mean ${resolved.nearest.join('; ')}?` : '';
  throw new UsageError(`CITY must be a place, or "romania"; "${place}" is not a place${meant}`);
}

/** Accepts the contract's fuel codes, and those in the URLs of the site's pages. */
function fuelOf(word: string): RoadFuel | undefined {
  const plain = word.replaceAll('-', '_');
  return ROAD_FUELS.find((fuel) => FUEL_CODE[fuel] === plain || FUEL_CODE[fuel] === `${plain}_standard`);
}

/** The `why` of the JSON output: scripts read it. */
const VERDICT_CODES: Readonly<Record<'send' | 'defer', string>> = { send: 'told', defer: 'waits for the morning' };

const VERDICT_TEXTS: Readonly<Record<AlertVerdict['kind'], string>> = {
  none: 'no alert',
  send: 'sent',
  defer: 'waits for the morning',
  suppress: 'suppressed',
};

/** A line for each verdict; as JSON only for those about a drop. */
function printVerdict(
  { flags, terminal }: CommandCall,
  subject: AlertSubject,
  { at, verdict, station }: SimulatedAlert,
): void {
  if (verdict.kind === 'none') {
    if (!flags.json) terminal.out(`${bucharestDay(at)} ${VERDICT_TEXTS.none} (${verdict.why})`);
    return;
  }
  const { rule, price, change, since } = verdict.drop;
  const city = subject.city === null ? null : (loadGazetteer().localityBySlug(subject.city)?.ascii ?? subject.city);
  const details = {
    ...{ rule, change, city, simulated: false, since: since === null ? null : dayText(since) },
    station: verdict.drop.station,
    network: station?.network.name ?? '',
    address: station?.address ?? '',
    stationCity: station?.city ?? '',
  };
  const text = notificationText({ fuel: subject.fuel, price, details });
  const why = verdict.kind === 'suppress' ? verdict.why : VERDICT_CODES[verdict.kind];
  if (!flags.json) {
    const reason = verdict.kind === 'suppress' ? ` (${why})` : '';
    terminal.out(`${bucharestDay(at)} ${VERDICT_TEXTS[verdict.kind]}${reason}: ${text.title}. ${text.body}`);
    return;
  }
  const outcome = { day: bucharestDay(at), at: isoInstant(at), sent: verdict.kind === 'send', why, rule };
  const numbers = { price: price / 1000, change: change / 1000, station: verdict.drop.station };
  terminal.out(JSON.stringify({ ...outcome, city, fuel: FUEL_CODE[subject.fuel], ...numbers, ...text }));
}
