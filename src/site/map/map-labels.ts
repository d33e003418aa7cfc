/** Names on a map: where each may stand, and which of them have room. */
import type { Box } from '../../algorithms/clip-ring.ts';
import { LabelBoxes } from './label-boxes.ts';
import { boxesMeet, grownBox } from './lines.ts';

/** How a name looks; each is a class of `map.css`. */
export type LabelStyle =
  | 'city'
  | 'town'
  | 'small'
  | 'village'
  | 'county'
  | 'country'
  | 'water'
  | 'motorway'
  | 'road'
  | 'street';

type Anchor = 'start' | 'middle' | 'end';

/** A name that a map would like to show. */
export type LabelCandidate = {
  readonly text: string;
  readonly style: LabelStyle;
  /** Its place, units. */
  readonly x: number;
  readonly y: number;
  /** No other name with this text stands nearer than this, units. */
  readonly apart?: number;
};

/** A name at its place: where its base line starts, has its middle or ends. */
export type PlacedLabel = LabelCandidate & {
  readonly anchor: Anchor;
  readonly textX: number;
  readonly textY: number;
  readonly box: Box;
};

/** Height of the letters and mean width of one, units, as in `map.css`; room around the name. */
const STYLES: Readonly<Record<LabelStyle, { size: number; letter: number; margin: number }>> = {
  city: { size: 30, letter: 0.68, margin: 4 },
  town: { size: 26, letter: 0.68, margin: 4 },
  small: { size: 24, letter: 0.61, margin: 6 },
  village: { size: 22, letter: 0.61, margin: 10 },
  county: { size: 22, letter: 0.92, margin: 8 },
  country: { size: 24, letter: 0.95, margin: 4 },
  water: { size: 24, letter: 0.61, margin: 4 },
  motorway: { size: 18, letter: 0.7, margin: 12 },
  road: { size: 18, letter: 0.7, margin: 12 },
  street: { size: 20, letter: 0.58, margin: 2 },
};
/** Names of places stand beside a dot, all others on their place. */
const BESIDE_A_DOT: ReadonlySet<LabelStyle> = new Set(['city', 'town', 'small', 'village']);
/** From the middle of the dot to the name, units. */
const DOT_GAP = 10;
const DOT_RADIUS = 6;
/** Between a name and what covers its place, units. */
const COVER_GAP = 3;
/** How far a name without a dot may stand from its place, in heights of its letters. */
const SHIFTS: readonly (readonly [number, number])[] = [
  ...([[0, 0]] as const),
  ...([-1.5, 1.5, -3, 3].map((shift) => [0, shift]) as [number, number][]),
  ...([-3, 3, -6, 6].map((shift) => [shift, 0]) as [number, number][]),
];

const CORNERS = [
  ['start', 0.5, -0.9],
  ['start', 0.5, 0.9],
  ['end', -0.5, -0.9],
  ['end', -0.5, 0.9],
] as const;

/** Whether the style has a dot at its place. */
export function hasDot(style: LabelStyle): boolean {
  return BESIDE_A_DOT.has(style);
}

/** Estimated width of the name, units: fonts differ from system to system. */
export function labelWidth(text: string, style: LabelStyle): number {
  return Math.ceil([...text].length * STYLES[style].letter * STYLES[style].size);
}

/**
 * Places the names in order, each at the first of its positions that is free; a name without one is left out.
 * `obstacles` must stay free: the name of a place that one of them covers stands beside the obstacle. With `within`, no
 * name leaves that box.
 */
export function placeLabels(
  candidates: readonly LabelCandidate[],
  { obstacles = [], within }: { readonly obstacles?: readonly Box[]; readonly within?: Box } = {},
): PlacedLabel[] {
  const taken = new LabelBoxes();
  for (const box of obstacles) taken.take(box);
  const placed: PlacedLabel[] = [];
  const sameText = new Map<string, PlacedLabel[]>();
  for (const candidate of candidates) {
    const { text, x, y, apart } = candidate;
    const others = sameText.get(text) ?? [];
    if (apart !== undefined && others.some((other) => Math.hypot(other.x - x, other.y - y) < apart)) continue;
    const cover = coverOf(candidate, obstacles);
    const positions = cover === undefined ? positionsOf(candidate) : positionsAround(candidate, cover);
    const label = positions.find(({ box }) => (within === undefined || isInside(box, within)) && taken.isFree(box));
    if (label === undefined) continue;
    taken.take(label.box);
    placed.push(label);
    if (apart === undefined) continue;
    others.push(label);
    sameText.set(text, others);
  }
  return placed;
}

/** The names that a view shows, wholly or in part. */
export function labelsIn(labels: readonly PlacedLabel[], view: Box): PlacedLabel[] {
  return labels.filter(({ box }) => boxesMeet(box, view));
}

function isInside(box: Box, { left, top, right, bottom }: Box): boolean {
  return box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom;
}

/** The obstacle on the place of a town; smaller places go without their names. */
function coverOf({ style, x, y }: LabelCandidate, obstacles: readonly Box[]): Box | undefined {
  if (style !== 'city' && style !== 'town') return undefined;
  return obstacles.find((box) => boxesMeet(box, { left: x, right: x, top: y, bottom: y }));
}

/** A name whose base line has its anchor at a point; the box is that of its letters. */
function labelAt(candidate: LabelCandidate, anchor: Anchor, textX: number, textY: number): PlacedLabel {
  const { text, style } = candidate;
  const { size } = STYLES[style];
  const width = labelWidth(text, style);
  const left = textX - (anchor === 'start' ? 0 : anchor === 'middle' ? width / 2 : width);
  const middle = textY - 0.35 * size;
  const box = { left, right: left + width, top: middle - size / 2, bottom: middle + size / 2 };
  return { ...candidate, anchor, textX: Math.round(textX), textY: Math.round(textY), box };
}

/** Above, below and beside what covers the place, whose dot nobody sees. */
function positionsAround(candidate: LabelCandidate, cover: Box): PlacedLabel[] {
  const { size } = STYLES[candidate.style];
  const [x, y] = [(cover.left + cover.right) / 2, (cover.top + cover.bottom) / 2];
  const base = y + 0.35 * size;
  const down = (cover.bottom - cover.top + size) / 2 + COVER_GAP;
  return [
    labelAt(candidate, 'middle', x, base - down),
    labelAt(candidate, 'middle', x, base + down),
    labelAt(candidate, 'start', cover.right + COVER_GAP, base),
    labelAt(candidate, 'end', cover.left - COVER_GAP, base),
  ].map((label) => ({ ...label, box: grownBox(label.box, 1) }));
}

function positionsOf(candidate: LabelCandidate): PlacedLabel[] {
  const { style, x, y } = candidate;
  const { size, margin } = STYLES[style];
  const at = (anchor: Anchor, textX: number, textY: number): PlacedLabel => {
    const label = labelAt(candidate, anchor, textX, textY);
    return { ...label, box: grownBox(hasDot(style) ? around(label.box, x, y) : label.box, margin) };
  };
  const base = y + 0.35 * size;
  if (!hasDot(style)) {
    const shifts = style === 'motorway' || style === 'road' ? SHIFTS.slice(0, 1) : SHIFTS;
    return shifts.map(([dx, dy]) => at('middle', x + dx * size, base + dy * size));
  }
  return [
    at('start', x + DOT_GAP, base),
    at('end', x - DOT_GAP, base),
    at('middle', x, base - size),
    at('middle', x, base + size),
    // Names of large places are missed most: they may also stand at the corners of the dot.
    ...(style === 'city' || style === 'town' ? CORNERS : []).map(([anchor, aside, down]) =>
      at(anchor, x + aside * DOT_GAP, base + down * size),
    ),
  ];
}

/** The letters and the dot. */
function around({ left, top, right, bottom }: Box, x: number, y: number): Box {
  return {
    left: Math.min(left, x - DOT_RADIUS),
    top: Math.min(top, y - DOT_RADIUS),
    right: Math.max(right, x + DOT_RADIUS),
    bottom: Math.max(bottom, y + DOT_RADIUS),
  };
}
