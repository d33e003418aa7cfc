/** Reads the fonts of the pictures from their package, and the widths of their characters. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The family; dark enough at 9 pixels, with the comma below `ș` and `ț`. */
export const PREVIEW_FONT = 'Figtree';
export type FontWeight = 400 | 700;

/** The bytes of a font, as TrueType. */
export function readFont(weight: FontWeight): Buffer {
  const module = {
    400: () => import.meta.resolve('@expo-google-fonts/figtree/400Regular/Figtree_400Regular.ttf'),
    700: () => import.meta.resolve('@expo-google-fonts/figtree/700Bold/Figtree_700Bold.ttf'),
  }[weight];
  return readFileSync(fileURLToPath(module()));
}

/** The width of a line in the unit of its size, without kerning. */
export function lineWidth(text: string, size: number, weight: FontWeight): number {
  const { unitsPerEm, advanceOf } = metricsOf(weight);
  let units = 0;
  for (const character of text) units += advanceOf(character.codePointAt(0) as number);
  return (units / unitsPerEm) * size;
}

type FontMetrics = { readonly unitsPerEm: number; readonly advanceOf: (codePoint: number) => number };

const known = new Map<FontWeight, FontMetrics>();

function metricsOf(weight: FontWeight): FontMetrics {
  const metrics = known.get(weight) ?? readMetrics(readFont(weight));
  known.set(weight, metrics);
  return metrics;
}

/** Source: OpenType 1.9, tables `head`, `hhea`, `hmtx` and `cmap`. */
function readMetrics(font: Buffer): FontMetrics {
  const unitsPerEm = font.readUInt16BE(tableAt(font, 'head') + 18);
  const lastAdvance = font.readUInt16BE(tableAt(font, 'hhea') + 34) - 1;
  const advances = tableAt(font, 'hmtx');
  const glyphs = readGlyphs(font);
  return {
    unitsPerEm,
    advanceOf: (codePoint) => font.readUInt16BE(advances + 4 * Math.min(glyphs.get(codePoint) ?? 0, lastAdvance)),
  };
}

function tableAt(font: Buffer, tag: string): number {
  for (let entry = 12; entry < 12 + 16 * font.readUInt16BE(4); entry += 16)
    if (font.toString('latin1', entry, entry + 4) === tag) return font.readUInt32BE(entry + 8);
  throw new Error(`the font has no table ${tag}`);
}

/** Segments of code points of the basic plane, each with its glyphs (`cmap`, format 4). */
const SEGMENTS = 4;

function readGlyphs(font: Buffer): ReadonlyMap<number, number> {
  const cmap = tableAt(font, 'cmap');
  const subtables = Array.from(
    { length: font.readUInt16BE(cmap + 2) },
    (_, index) => cmap + font.readUInt32BE(cmap + 8 + 8 * index),
  );
  const table = subtables.find((at) => font.readUInt16BE(at) === SEGMENTS);
  if (table === undefined) throw new Error('the font maps no characters of the basic plane');
  const doubled = font.readUInt16BE(table + 6);
  const [ends, starts] = [table + 14, table + 16 + doubled];
  const [deltas, offsets] = [starts + doubled, starts + 2 * doubled];
  const glyphs = new Map<number, number>();
  for (let at = 0; at < doubled; at += 2) {
    const [start, end] = [font.readUInt16BE(starts + at), font.readUInt16BE(ends + at)];
    const [delta, offset] = [font.readUInt16BE(deltas + at), font.readUInt16BE(offsets + at)];
    for (let code = start; code <= end && code < 0xff_ff; code += 1) {
      const glyph = offset === 0 ? code : font.readUInt16BE(offsets + at + offset + 2 * (code - start));
      glyphs.set(code, glyph === 0 ? 0 : (glyph + delta) & 0xff_ff);
    }
  }
  return glyphs;
}
