/** Text that must fit in a picture: its size, and where it breaks. */
import { type FontWeight, lineWidth } from './preview-fonts.ts';

export type FittedText = { readonly lines: readonly string[]; readonly size: number };

/** Sizes to try, the largest first. */
export type TextSizes = {
  readonly oneLine: readonly number[];
  readonly twoLines: readonly [number, ...number[]];
};

/** Bold text at the largest size at which it fits, in one line if it can; two lines at the smallest size are cut. */
export function fitText(text: string, width: number, { oneLine, twoLines }: TextSizes): FittedText {
  const size = oneLine.find((each) => lineWidth(text, each, 700) <= width);
  if (size !== undefined) return { lines: [text], size };
  for (const each of twoLines) {
    const lines = brokenInTwo(text, width, each);
    if (lines !== null) return { lines, size: each };
  }
  const smallest = twoLines.at(-1) as number;
  return { lines: cutInTwo(text, width, smallest), size: smallest };
}

/** One line, cut where it does not fit. */
export function cutLine(text: string, width: number, size: number, weight: FontWeight = 400): string {
  if (lineWidth(text, size, weight) <= width) return text;
  const characters = [...text];
  while (characters.length > 0 && lineWidth(`${characters.join('')}…`, size, weight) > width) characters.pop();
  return `${characters.join('').replace(/[\s,.;:–-]+$/, '')}…`;
}

/** Where a line may end: at a space, else behind a hyphen. */
const BREAKS = [/ /g, /(?<=-)(?=.)/g];

/** The two lines whose widths differ least; `null` = they do not fit. */
function brokenInTwo(text: string, width: number, size: number): readonly string[] | null {
  for (const pattern of BREAKS) {
    const broken = [...text.matchAll(pattern)]
      .map(({ index }) => [text.slice(0, index), text.slice(index).trimStart()])
      .map((lines) => ({ lines, widest: Math.max(...lines.map((line) => lineWidth(line, size, 700))) }))
      .sort((a, b) => a.widest - b.widest);
    const [best] = broken;
    if (best !== undefined && best.widest <= width) return best.lines;
  }
  return null;
}

/** As many words as fit in the first line, the rest cut in the second. */
function cutInTwo(text: string, width: number, size: number): readonly string[] {
  const at = [...text.matchAll(/ /g)]
    .map(({ index }) => index)
    .findLast((index) => lineWidth(text.slice(0, index), size, 700) <= width);
  if (at === undefined) return [cutLine(text, width, size, 700)];
  return [text.slice(0, at), cutLine(text.slice(at + 1), width, size, 700)];
}
