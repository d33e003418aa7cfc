/**
 * Damages answers of the feeds in their real shape, 100,000 times (`--cases N`), and reads them: nothing may crash, no
 * price or text come out that could not be. `--seed N` makes the same damage again. The last line names what was wrong.
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { readAndCheck } from '../invariants.ts';
import { mutatedLists, readListAndCheck } from '../mutated-lists.ts';
import { mutatedBodies } from '../mutations.ts';
import { FEED_FIXTURES } from '../sources.ts';

const { values } = parseArgs({ options: { cases: { type: 'string' }, seed: { type: 'string' } } });
const casesPerSource = Math.ceil(Number(values.cases ?? 100_000) / (FEED_FIXTURES.length + 1));
const seed = Number(values.seed ?? 1);

console.log('source            cases     read   failed   ms/case   slowest ms');
for (const [source, body] of FEED_FIXTURES)
  await fuzzSource(source.name, mutatedBodies(body), (mutated) => readAndCheck(source, mutated));
await fuzzSource('prices:NAME', mutatedLists(), readListAndCheck);

async function fuzzSource<T>(name: string, cases: fc.Arbitrary<T>, readOne: (mutated: T) => Promise<unknown>) {
  let [read, slowest] = [0, 0];
  const start = performance.now();
  const result = await fc.check(
    fc.asyncProperty(cases, async (mutated) => {
      const before = performance.now();
      if ((await readOne(mutated)) !== null) read += 1;
      slowest = Math.max(slowest, performance.now() - before);
    }),
    { numRuns: casesPerSource, seed },
  );
  const ms = (performance.now() - start) / result.numRuns;
  const columns = [result.numRuns, read, result.numRuns - read, ms.toFixed(2), slowest.toFixed(0)];
  console.log(`${name.padEnd(16)}${columns.map((column) => String(column).padStart(9)).join('')}`);
  if (!result.failed) return;
  console.error(
    `${result.errorInstance}\n${result.counterexample?.[0]}\n(seed ${seed}, path ${result.counterexamplePath})`,
  );
  process.exitCode = 1;
}
