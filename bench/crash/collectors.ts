/** Two and five collectors at once, and one that is stopped for longer than its lease and then woken. */
import { parseArgs } from 'node:util';
import { collectorRounds } from './engine/collector-rounds.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed);

console.log(`collectors at once, and one stopped: ${rounds} rounds, seed ${seed}`);
const { published, stopped, reads, violations } = await collectorRounds({
  rounds,
  seed,
  groups: [2, 5],
  plain: true,
  stoppedWhilePublishing: true,
  onRound: (line) => console.log(line),
});
console.log(
  `collections at once, all published: ${published}; collectors stopped and woken, none published: ${stopped}`,
);
console.log(`answers checked: ${reads}`);
for (const violation of violations) console.log(`VIOLATION ${violation}`);
console.log(violations.length === 0 ? 'no violation' : `${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
