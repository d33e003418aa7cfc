import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cleanText } from '../sources/feed/fields.ts';
import { fuelOfName } from '../sources/rompetrol/fuels.ts';
import { asciiName, foldName } from './places/place-names.ts';
import { plainSpelling } from './reports/price-list-map.ts';
import { cleanVisitorText } from './review.ts';
import { networkOf } from './stations/network.ts';
import { hasExcessiveMarks, normalForm } from './unicode-normal-form.ts';
import { visibleText } from './visible-text.ts';

const LENGTH = 20_000;
/** Marks in the order that takes the most work to sort; the last ones become marks only when they are decomposed. */
const HOSTILE: Readonly<Record<string, string>> = {
  'marks above, then below': `a${'\u0301'.repeat(LENGTH / 2)}${'\u0323'.repeat(LENGTH / 2)}`,
  'marks in turns': `a${'\u0301\u0323'.repeat(LENGTH / 2)}`,
  'marks and halfwidth voiced marks': `a${'\u0301\uff9e'.repeat(LENGTH / 2)}`,
  'marks with selectors between them': `a${'\u0301\ufe0f\u0323'.repeat(LENGTH / 3)}`,
};
/** Needs all the work of a text that is not plain, except sorting. */
const HONEST = 'ș\u0323 '.repeat(LENGTH / 3);

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  normalForm: (text) => normalForm(text, 'NFKD'),
  hasExcessiveMarks,
  visibleText,
  foldName,
  asciiName,
  networkOf,
  plainSpelling,
  fuelOfName,
  cleanText: (text) => cleanText(text, LENGTH),
  cleanVisitorText: (text) => cleanVisitorText(text, LENGTH),
};

describe('a text with thousands of marks on one character', () => {
  for (const [reader, read] of Object.entries(READERS)) {
    for (const [name, text] of Object.entries(HOSTILE)) {
      test(`takes ${reader} no longer than an honest one of its length: ${name}`, () => {
        const honest = cpuMs(() => read(HONEST));
        const hostile = cpuMs(() => read(text));
        // Without the bound it takes some 100 ms, more than 100 times as long.
        assert.ok(hostile <= 10 * honest + 10, `${hostile} ms of CPU, an honest one ${honest} ms`);
      });
    }
  }
});

describe('normalForm', () => {
  test("is the platform's where a character has at most 30 marks", () => {
    const texts = ['', 'Târgu Mureș', 'ﬁ½\ufdfa', `a${'\u0301\u0323'.repeat(15)}b${'\u0316'.repeat(30)}`, '한국', 'ﾊﾞ'];
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
      for (const text of texts) assert.equal(normalForm(text, form), text.normalize(form));
  });

  test('keeps the first 30 marks of each character', () => {
    const marks = '\u0301'.repeat(30);
    assert.equal(normalForm(`x${marks}\u0323y${marks}${marks}z`, 'NFD'), `x${marks}y${marks}z`);
  });

  test('leaves no character behind that becomes a mark and is not counted as one', () => {
    for (let code = 0; code < 0x110000; code += 1) {
      const sign = String.fromCodePoint(code);
      const [first = ''] = sign.normalize('NFKD');
      if (isSorted(first)) assert.ok(hasExcessiveMarks(sign.repeat(31)), code.toString(16));
    }
  });
});

/** Whether normalisation moves it behind a mark of the lowest class, or before one of the highest. */
function isSorted(mark: string): boolean {
  return [`${mark}\u0334`, `\u0345${mark}`].some((pair) => pair.normalize('NFD') !== pair);
}

/** The least of three, so that no compilation or collection of garbage counts. */
function cpuMs(work: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
