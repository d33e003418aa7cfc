/** `kill -9` of a serving process under load with keys, again and again. `--rounds N` (200), `--seed N` (1). */
import { parseArgs } from 'node:util';
import { keyedRounds } from '../engine/keyed-rounds.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed);

console.log(`kill -9 under load with keys: ${rounds} rounds, seed ${seed}`);
const begun = performance.now();
const { kills, holders, visitors, lost, countedUnanswered, addresses, twiceAlone, violations } = await keyedRounds({
  rounds,
  seed,
  keys: 60,
  smallQuota: 100,
  onRound: (round, line) => console.log(`${String(round + 1).padStart(4)} ${line}`),
});
const statusCounts = (heard: ReadonlyMap<number, number>) =>
  [...heard].map(([status, count]) => `${status}: ${count}`).join(', ');
console.log(`kills: ${kills}, in ${((performance.now() - begun) / 60_000).toFixed(1)} minutes`);
console.log(`answers with a key: ${statusCounts(holders)}`);
console.log(`under way at a kill: ${lost}, of which ${countedUnanswered} were counted`);
console.log(`answers to ${addresses} addresses without a key: ${statusCounts(visitors)}`);
console.log(`answered twice because a server had waited for the database in vain: ${twiceAlone}`);
for (const violation of violations) console.log(`VIOLATION ${violation}`);
console.log(violations.length === 0 ? 'no violation' : `${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
