/** Small answers that cost the reader of the register much: to unpack, to parse, or to walk through. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export type Bomb = { readonly coding: 'br' | 'gzip'; readonly packed: Buffer };

const MB = 1_000_000;
const STATION = '{"id":"1","network":{"id":"OMV"}}';
const envelope = (products: string) => `{"Stations":[${STATION}],"Products":[${products}]}`;
const numbered = (count: number, one: (n: number) => string) => Array.from({ length: count }, (_, n) => one(n));
const xml = (content: string) => `<GasItems>${content}</GasItems>`;
/** In the order that takes the most work to sort; 3,200 bytes. */
const MARKS = `${'\u0301'.repeat(800)}${'\u0323'.repeat(799)}`;

/** Beyond what is unpacked; each is a few hundred bytes on the wire. */
const LARGE: Readonly<Record<string, () => string>> = {
  '5 million elements in XML': () => xml('<a/>'.repeat(5 * MB)),
  '10 million brackets in JSON': () => `${'['.repeat(5 * MB)}${']'.repeat(5 * MB)}`,
  '5 million objects in JSON': () => `[${'{},'.repeat(5 * MB)}{}]`,
  '15 MB in one text': () => envelope(`{"name":"${'x'.repeat(15 * MB)}"}`),
};

/** Just below what is unpacked: only the structure is out of bounds, or a list is. */
const DENSE: Readonly<Record<string, () => string>> = {
  'elements in XML': () => xml('<a/>'.repeat(240_000)),
  'elements in XML within each other': () => xml(`${'<a>'.repeat(140_000)}${'</a>'.repeat(140_000)}`),
  'attributes in XML': () => `<GasItems ${numbered(90_000, (n) => `a${n}=""`).join(' ')}/>`,
  'references in XML': () => xml('&#65;'.repeat(190_000)),
  'line breaks in XML': () => xml(`<a>${'\r\n'.repeat(490_000)}</a>`),
  'forbidden characters in XML': () => xml(`<a>${'\u0001'.repeat(990_000)}</a>`),
  'brackets in JSON': () => `${'['.repeat(490_000)}${']'.repeat(490_000)}`,
  'a field as deep as can be': () => envelope(`{"stationid":${'['.repeat(490_000)}${']'.repeat(490_000)}}`),
  'objects in JSON': () => `[${'{},'.repeat(330_000)}{}]`,
  'names in JSON': () => `{${numbered(85_000, (n) => `"k${n}":1`).join(',')}}`,
  'numbers in JSON': () => `[${'1,'.repeat(490_000)}1]`,
  'products without a station': () => envelope(numbered(29_000, (n) => `{"stationid":"x${n}"}`).join(',')),
  'stations by the thousand': () =>
    `{"Stations":[${numbered(28_000, (n) => STATION.replace('"1"', `"${n}"`)).join(',')}]}`,
  'services of one station': () =>
    `{"Stations":[${STATION}],"services":[${'{"stationid":"1","name":"a"},'.repeat(29_000)}{}]}`,
  'texts with thousands of marks on one character': () =>
    `{"Stations":[${STATION}],"services":[${numbered(300, () => `{"stationid":"1","name":"a${MARKS}"}`).join(',')}]}`,
  'the longest texts': () =>
    envelope(numbered(100, () => `{"stationid":"1","price":"${'9'.repeat(9_000)}"}`).join(',')),
};

/** All of them, by name. */
export const REGISTER_BOMBS: Readonly<Record<string, () => Bomb>> = {
  ...packedBy(LARGE, 'br', (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })),
  ...packedBy(DENSE, 'gzip', (text) => gzipSync(text, { level: 1 })),
};

function packedBy(
  texts: Readonly<Record<string, () => string>>,
  coding: Bomb['coding'],
  pack: (text: string) => Buffer,
): Record<string, () => Bomb> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, () => ({ coding, packed: pack(text()) })]),
  );
}
