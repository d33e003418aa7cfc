/** The sources of one answer, each with an answer in its real shape. */
import { readFileSync } from 'node:fs';
import { locatorSource } from '../../src/sources/locators/locators.ts';
import { rompetrolSource } from '../../src/sources/rompetrol/rompetrol.ts';
import type { Source } from '../../src/sources/source.ts';

export const FEED_FIXTURES: readonly (readonly [source: Source, answer: Buffer])[] = [
  [rompetrolSource(), answer('rompetrol/stations')],
  [locatorSource('omv'), answer('locators/omv')],
  [locatorSource('petrom'), answer('locators/petrom')],
  [locatorSource('mol'), answer('locators/mol')],
];

/** Without the white space of the file, as the feeds send it. */
function answer(name: string): Buffer {
  const text = readFileSync(new URL(`../../src/sources/${name}.fixture.json`, import.meta.url), 'utf8');
  return Buffer.from(JSON.stringify(JSON.parse(text)));
}
