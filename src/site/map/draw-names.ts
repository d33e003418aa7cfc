/** Names, dots and road numbers as SVG. */
import type { Box } from '../../algorithms/clip-ring.ts';
import { type Html, html } from '../html/html-template.ts';
import { dotsPath, pathData } from './lines.ts';
import { hasDot, type LabelStyle, labelWidth, type PlacedLabel } from './map-labels.ts';

const CLASSES: Readonly<Record<LabelStyle, string>> = {
  city: 'm-city',
  town: 'm-large',
  small: '',
  village: 'm-village',
  county: 'm-area',
  country: 'm-area',
  water: 'm-water',
  motorway: 'm-number m-fast-number',
  road: 'm-number',
  street: 'm-streets',
};
const ANCHOR_CLASSES: Readonly<Record<PlacedLabel['anchor'], string>> = { start: '', middle: 'm-middle', end: 'm-end' };
/** Around the number of a road, units. */
const SIGN = { aside: 5, above: 17, height: 24 };

/** The names in groups that look the same, the largest places last: they lie on top. */
export function drawNames(labels: readonly PlacedLabel[], view: Box): Html {
  if (labels.length === 0) return html``;
  const groups = Map.groupBy(labels, ({ style, anchor }) => `${CLASSES[style]} ${ANCHOR_CLASSES[anchor]}`.trim());
  return html`${drawDots(labels, view)}${drawSigns(labels, view)}<g class="m-names">${[...groups]
    .reverse()
    .map(
      ([name, group]) =>
        html`<g${name === '' ? null : html` class="${name}"`}>${group.map((label) => drawName(label, view))}</g>`,
    )}</g>`;
}

function drawName({ text, textX, textY }: PlacedLabel, { left, top }: Box): Html {
  return html`<text x="${textX - left}" y="${textY - top}">${text}</text>`;
}

function drawDots(labels: readonly PlacedLabel[], view: Box): Html | null {
  const dots = labels.filter(({ style }) => hasDot(style));
  return dots.length === 0 ? null : html`<path class="m-dots" d="${dotsPath(dots, view)}"/>`;
}

function drawSigns(labels: readonly PlacedLabel[], view: Box): Html[] {
  const signs = { road: 'm-sign', motorway: 'm-sign m-fast-sign' } as const;
  return (['road', 'motorway'] as const).flatMap((style) => {
    const numbers = labels.filter((label) => label.style === style);
    if (numbers.length === 0) return [];
    return [html`<path class="${signs[style]}" d="${numbers.map((label) => signPath(label, view)).join('')}"/>`];
  });
}

function signPath({ text, style, textX, textY }: PlacedLabel, view: Box): string {
  const half = Math.ceil(labelWidth(text, style) / 2) + SIGN.aside;
  return `${pathData([textX - half, textY - SIGN.above], view)}h${2 * half}v${SIGN.height}h${-2 * half}z`;
}
