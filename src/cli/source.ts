/** `pompa source NAME`: reads a live source and prints what it says; stores nothing. */

import { type Command, type CommandCall, CommandError } from '../app/command.ts';
import { configuredSources } from '../app/scheduled-work/configured-sources.ts';
import { requireContact } from '../config/config.ts';
import { FUELS } from '../domain/fuel.ts';
import { hasEnoughUnits } from '../domain/prices/plausibility.ts';
import { sourceKind } from '../domain/reports/source-kind.ts';
import type { Sweep } from '../domain/reports/sweep.ts';
import type { ConfiguredSource } from '../worker/collection/collect.ts';
import { requireKnownSources } from './known-sources.ts';
import { progressReporter, rejectedText } from './reports/run-report.ts';

const SAMPLE_SIZE = 5;

export const sourceCommand: Command = {
  name: 'source',
  usage: 'source NAME [--json]',
  details: 'Prints what was parsed, and what was rejected and why.',
  flags: {},
  args: { min: 1, max: 1 },
  async run(call) {
    const name = call.args[0] as string;
    requireKnownSources(call.config, [name]);
    const configured = configuredSources(call.config).get(name) as ConfiguredSource;
    requireContact(call.config, [name]);
    const connection = configured.connect(call.signal);
    try {
      const sweep = await configured.source.sweep({
        fetch: connection.fetch,
        parallel: configured.parallel,
        now: Date.now(),
        ranges: call.config.PRICE_RANGES,
        unitsWithRows: new Set(),
        extraUnits: [],
        onProgress: (progress) => progressReporter(call.terminal)(name, progress),
        signal: call.signal,
      });
      const answered = [...sweep.units.values()].filter((outcome) => outcome === 'read' || outcome === 'empty').length;
      const ok = hasEnoughUnits(answered, sweep.units.size);
      printSweep(call, name, { ...sweep, requests: connection.requestCount?.() ?? sweep.requests }, ok);
      if (!ok) throw new CommandError(`only ${answered} of ${sweep.units.size} units answered`);
      return 0;
    } catch (error) {
      const { message } = error as Error;
      if (call.flags.json && !(error instanceof CommandError))
        call.terminal.out(
          JSON.stringify({ source: name, ok: false, rows: 0, rejected: {}, sample: [], error: message }),
        );
      throw new CommandError(`${name}: ${message}`);
    } finally {
      await connection.close();
    }
  },
};

function printSweep({ flags, terminal }: CommandCall, name: string, sweep: Sweep, ok: boolean): void {
  const priced = [...sweep.readings, ...(sweep.networkPrices ?? [])].filter(({ price }) => price !== null);
  const rejected = sweep.rejections.counts();
  if (flags.json) {
    const parsed = sourceKind(name) === 'locator' ? sweep.stations : priced;
    const sample = parsed.slice(0, SAMPLE_SIZE);
    terminal.out(JSON.stringify({ source: name, ok, rows: parsed.length, rejected, sample }));
    return;
  }
  const outcomes = [...Map.groupBy(sweep.units.values(), (outcome) => outcome)].map(
    ([outcome, list]) => `${list.length} ${outcome}`,
  );
  terminal.out(`${name}: ${sweep.requests} requests, ${sweep.units.size} units (${outcomes.join(', ')})`);
  terminal.out(`${sweep.stations.length} stations, ${priced.length} prices, ${rejectedText(rejected)}`);
  for (const { network, fuel, price } of sweep.networkPrices ?? [])
    terminal.out(`  ${fuel} of all ${network} stations: ${price === null ? 'no price' : `${price / 1000} RON/l`}`);
  for (const fuel of FUELS) {
    const prices = priced.filter((reading) => reading.fuel === fuel).map(({ price }) => (price as number) / 1000);
    // Not Math.min(...prices): a list may have more rows than a call may have arguments.
    const sorted = prices.sort((one, other) => one - other);
    if (prices.length > 0) terminal.out(`  ${fuel}: ${prices.length} prices, ${sorted[0]} to ${sorted.at(-1)} RON/l`);
  }
  for (const [reason, samples] of Object.entries(sweep.rejections.samples())) {
    terminal.out(`  rejected ${reason}: ${samples.join(' | ')}`);
  }
}
