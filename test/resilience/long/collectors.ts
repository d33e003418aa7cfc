/** Two and five collectors at once, and one that is stopped for longer than its lease and then woken. */
import { parseArgs } from 'node:util';
import { collectorRounds } from '../engine/collector-rounds.ts';

const GROUPS = [2, 5];

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed);

console.log(`collectors at once, and one stopped: ${rounds} rounds, seed ${seed}`);
const { published, stopped, reads, violations } = await collectorRounds({
  rounds,
  seed,
  groups: GROUPS,
  plain: true,
  stoppedWhilePublishing: true,
  onRound: (line) => console.log(line),
});
const wanted = { published: rounds * GROUPS.reduce((sum, size) => sum + size), stopped: 2 * rounds + 1 };
console.log(`collections at once that were published: ${published} of ${wanted.published}`);
console.log(`collectors stopped and woken that published nothing: ${stopped} of ${wanted.stopped}`);
console.log(`answers checked: ${reads}`);
for (const violation of violations) console.log(`VIOLATION ${violation}`);
console.log(violations.length === 0 ? 'no violation' : `${violations.length} violations`);
const whole = published === wanted.published && stopped === wanted.stopped;
process.exitCode = violations.length === 0 && whole ? 0 : 1;
