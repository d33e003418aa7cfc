/** Draws the logo of the service, as `favicon.ts` has it in SVG, in pixels: a drop on a square, anti-aliased. */
import type { Pixels } from './png.ts';

export type IconShape = {
  readonly size: number;
  /** Whether the square has round corners on a transparent ground; else it fills the picture. */
  readonly isRounded: boolean;
  /** The size of the drop, 1 = as in the SVG. */
  readonly scale: number;
};

type Colour = readonly [red: number, green: number, blue: number];
type Span = readonly [from: number, to: number];

/** The side of the drawing in the SVG, whose coordinates all shapes here have. */
const SIDE = 64;
const CENTRE = SIDE / 2;
const CORNER_RADIUS = 14;
const GREEN: Colour = [0x0b, 0x5d, 0x4b];
const WHITE: Colour = [0xff, 0xff, 0xff];
/** Lines per row of pixels for which the spans of a shape are found; along a line, coverage is exact. */
const LINES_PER_ROW = 8;

/** The icon; the same shape gives the same pixels. */
export function dropIcon({ size, isRounded, scale }: IconShape): Pixels {
  const rgba = new Uint8Array(size * size * 4);
  const unit = SIDE / size;
  const layers: readonly { colour: Colour; spansAt: (y: number) => readonly Span[] }[] = [
    { colour: GREEN, spansAt: isRounded ? squareSpans : () => [[0, SIDE]] },
    { colour: WHITE, spansAt: scaled(dropSpans, scale) },
    { colour: GREEN, spansAt: scaled(highlightSpans, scale) },
  ];
  for (const { colour, spansAt } of layers)
    for (let row = 0; row < size; row += 1) {
      const coverage = new Float64Array(size);
      for (let line = 0; line < LINES_PER_ROW; line += 1)
        for (const span of spansAt((row + (line + 0.5) / LINES_PER_ROW) * unit)) cover(coverage, span, unit);
      paintRow(rgba.subarray(row * size * 4, (row + 1) * size * 4), coverage, colour);
    }
  return { size, rgba };
}

/** Adds what one line of a shape covers of each pixel. */
function cover(coverage: Float64Array, [from, to]: Span, unit: number): void {
  const [left, right] = [Math.max(0, from / unit), Math.min(coverage.length, to / unit)];
  for (let x = Math.floor(left); x < right; x += 1) {
    const part = Math.min(right, x + 1) - Math.max(left, x);
    coverage[x] = (coverage[x] as number) + part / LINES_PER_ROW;
  }
}

/** Puts a colour over the pixels of a row, as opaque as it covers them. */
function paintRow(row: Uint8Array, coverage: Float64Array, colour: Colour): void {
  coverage.forEach((part, x) => {
    if (part <= 0) return;
    const at = x * 4;
    const below = ((row[at + 3] as number) / 255) * (1 - part);
    const alpha = part + below;
    for (let channel = 0; channel < 3; channel += 1)
      row[at + channel] = Math.round(
        ((colour[channel] as number) * part + (row[at + channel] as number) * below) / alpha,
      );
    row[at + 3] = Math.round(alpha * 255);
  });
}

/** A shape at another scale around the centre. */
function scaled(spansAt: (y: number) => readonly Span[], scale: number): (y: number) => Span[] {
  const away = (value: number) => CENTRE + (value - CENTRE) * scale;
  return (y) => spansAt(CENTRE + (y - CENTRE) / scale).map(([from, to]) => [away(from), away(to)]);
}

function squareSpans(y: number): Span[] {
  const intoCorner = Math.max(0, CORNER_RADIUS - y, y - (SIDE - CORNER_RADIUS));
  const inset = CORNER_RADIUS - Math.sqrt(CORNER_RADIUS ** 2 - intoCorner ** 2);
  return [[inset, SIDE - inset]];
}

/** The drop: two curves from its tip down to a half circle. */
const DROP = { tip: 10, widest: 39, radius: 16, control: { away: 16, y: 29 } } as const;

function dropSpans(y: number): Span[] {
  if (y < DROP.tip || y > DROP.widest + DROP.radius) return [];
  const half = y < DROP.widest ? curveWidth(y) : Math.sqrt(DROP.radius ** 2 - (y - DROP.widest) ** 2);
  return [[CENTRE - half, CENTRE + half]];
}

/** How far the Bézier curve of the drop is from its axis at a height: `C32 10 16 29 16 39` from the tip. */
function curveWidth(y: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 30; step += 1) {
    const t = (low + high) / 2;
    if (bezier(DROP.tip, DROP.tip, DROP.control.y, DROP.widest, t) < y) low = t;
    else high = t;
  }
  return bezier(0, 0, DROP.control.away, DROP.radius, low);
}

function bezier(from: number, first: number, second: number, to: number, t: number): number {
  const u = 1 - t;
  return u ** 3 * from + 3 * u ** 2 * t * first + 3 * u * t ** 2 * second + t ** 3 * to;
}

/** The arc inside the drop, `M25 38a8 8 0 0 0 7 9`, as dots close together: its stroke has round ends. */
const HIGHLIGHT = { x: 32.93, y: 39.05, radius: 8, fromDegrees: 187.5, toDegrees: 96.6, strokeRadius: 2, dots: 90 };
const HIGHLIGHT_DOTS = Array.from({ length: HIGHLIGHT.dots + 1 }, (_, index) => {
  const { x, y, radius, fromDegrees, toDegrees, dots } = HIGHLIGHT;
  const angle = ((fromDegrees + ((toDegrees - fromDegrees) * index) / dots) * Math.PI) / 180;
  return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) };
});

/** One span from the first to the last dot where they touch, else one for each part of the arc. */
function highlightSpans(y: number): Span[] {
  const spans: [number, number][] = [];
  for (const dot of HIGHLIGHT_DOTS) {
    const half = Math.sqrt(Math.max(0, HIGHLIGHT.strokeRadius ** 2 - (y - dot.y) ** 2));
    if (half === 0) continue;
    const last = spans.at(-1);
    if (last !== undefined && dot.x - half <= last[1] && dot.x + half >= last[0]) {
      last[0] = Math.min(last[0], dot.x - half);
      last[1] = Math.max(last[1], dot.x + half);
    } else spans.push([dot.x - half, dot.x + half]);
  }
  return spans;
}
