/** The sources that need only one answer, each with an answer in its real format. */
import { readFileSync } from 'node:fs';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { locatorSource } from '../../src/sources/locators/locators.ts';
import { rompetrolSource } from '../../src/sources/rompetrol/rompetrol.ts';
import type { Source } from '../../src/sources/source.ts';

export const FEED_FIXTURES: readonly (readonly [source: Source, answer: Buffer])[] = [
  [rompetrolSource(loadGazetteer()), answer('rompetrol/stations')],
  [locatorSource('omv'), answer('locators/omv')],
  [locatorSource('petrom'), answer('locators/petrom')],
  [locatorSource('mol'), answer('locators/mol')],
];

/** Removes the white space of the fixture; the feeds send none. */
function answer(name: string): Buffer {
  const text = readFileSync(new URL(`../../src/sources/${name}.fixture.json`, import.meta.url), 'utf8');
  return Buffer.from(JSON.stringify(JSON.parse(text)));
}
