/**
 * Damages answers of the feeds in their real shape, 100,000 times (`--cases N`), and reads them: nothing may crash, no
 * price or text come out that could not be. `--seed N` makes the same damage again. The last line names what was wrong.
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { readHarmlessly } from '../invariants.ts';
import { mutatedLists, readListHarmlessly } from '../mutated-lists.ts';
import { mutatedBodies } from '../mutations.ts';
import { FEEDS } from '../sources.ts';

const { values } = parseArgs({ options: { cases: { type: 'string' }, seed: { type: 'string' } } });
const each = Math.ceil(Number(values.cases ?? 100_000) / (FEEDS.length + 1));
const seed = Number(values.seed ?? 1);

console.log('source            cases     read   failed   ms/case   slowest ms');
for (const [source, body] of FEEDS)
  await damage(source.name, mutatedBodies(body), (damaged) => readHarmlessly(source, damaged));
await damage('prices:NAME', mutatedLists(), readListHarmlessly);

async function damage<T>(name: string, cases: fc.Arbitrary<T>, readOne: (damaged: T) => Promise<unknown>) {
  let [read, slowest] = [0, 0];
  const start = performance.now();
  const result = await fc.check(
    fc.asyncProperty(cases, async (damaged) => {
      const before = performance.now();
      if ((await readOne(damaged)) !== null) read += 1;
      slowest = Math.max(slowest, performance.now() - before);
    }),
    { numRuns: each, seed },
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
