/** Draws a link preview as SVG: dark on light, prices large enough to be read in a messenger, 300 pixels wide. */

import type { MilliPrice } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { SERVICE_NAME } from '../../domain/service-identity.ts';
import { positionOf, priceScale } from '../charts/price-scale.ts';
import { summarize } from '../charts/price-series.ts';
import { Html, html } from '../html/html-template.ts';
import { PLAIN_MAP_CSS } from '../map/plain-map-style.ts';
import { staticMap } from '../map/static-map.ts';
import {
  type LinkPreview,
  PREVIEW_HEIGHT,
  PREVIEW_WIDTH,
  type PreviewFigure,
  type PreviewMap,
} from './link-preview.ts';
import { type FontWeight, PREVIEW_FONT } from './preview-fonts.ts';
import { cutLine, fitText } from './text-lines.ts';

const COLOUR = {
  ...{ paper: '#fbfaf7', card: '#ffffff', ink: '#1c2321', soft: '#56605d', line: '#dcdfda', accent: '#0b5d4b' },
  onAccent: '#ffffff',
} as const;
const MARGIN = 64;
const FOOT = 86;
const BODY = PREVIEW_HEIGHT - FOOT;
/** A map fills the right side of the body. */
const MAP = { width: 480, scale: 1.5 };
/** Both leave room for the prices below. */
const SUBJECT_SIZES = { oneLine: [96, 88, 80, 72], twoLines: [64, 58, 52, 46] } as const;
const SUBJECT_SIZES_BESIDE_MAP = { oneLine: [88, 80, 72, 64], twoLines: [56, 50, 46] } as const;
const UNIT = 'lei/l';
const SIMULATED: LocalizedText = { ro: 'date simulate', en: 'simulated data' };
const NO_PRICE: LocalizedText = { ro: 'fără preț sigur acum', en: 'no reliable price now' };
/** Figures beside a map, and in a row. */
const MOST_FIGURES = 3;

/** The picture; the same preview gives the same text. */
export function drawPreview(preview: LinkPreview): string {
  const { map, figures, language } = preview;
  const width = PREVIEW_WIDTH - 2 * MARGIN - (map === undefined ? 0 : MAP.width - MARGIN / 2);
  const shown = figures.slice(0, MOST_FIGURES);
  const drawn = map === undefined ? figureRow(shown, width) : figureStack(shown, width);
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW_WIDTH}" height="${PREVIEW_HEIGHT}" font-family="${PREVIEW_FONT}">
<rect width="${PREVIEW_WIDTH}" height="${PREVIEW_HEIGHT}" fill="${COLOUR.paper}"/>
${map === undefined ? null : drawnMap(map, language)}
${heading(preview, width)}
${shown.length === 0 && preview.day !== '' ? line(MARGIN, BODY - 70, 44, NO_PRICE[language], COLOUR.soft) : drawn}
${foot(preview)}
</svg>`.text;
}

function heading({ kicker, subject, note, map, figures, day }: LinkPreview, width: number): Html {
  const sizes = map === undefined ? SUBJECT_SIZES : SUBJECT_SIZES_BESIDE_MAP;
  const { lines, size } = fitText(subject, width, sizes);
  const kickerY = KICKER.baseline + (figures.length === 0 && day === '' ? KICKER.lowered : 0);
  const first = kickerY + KICKER.below + size * CAPITAL;
  const last = first + (lines.length - 1) * size * LINE_HEIGHT;
  return html`${line(MARGIN, kickerY, KICKER.size, cutLine(kicker, width, KICKER.size, 700), COLOUR.accent, 700)}
${lines.map((text, index) => line(MARGIN, first + index * size * LINE_HEIGHT, size, text, COLOUR.ink, 700))}
${line(MARGIN, last + 48, NOTE_SIZE, cutLine(note, width, NOTE_SIZE), COLOUR.soft)}`;
}

/** `lowered`: where nothing stands below, the heading is in the middle. */
const KICKER = { baseline: 72, size: 36, below: 24, lowered: 130 };
const NOTE_SIZE = 34;
/** Of the font, in its size. */
const CAPITAL = 0.72;
const LINE_HEIGHT = 1.06;

/** Beside a map: the first price as large as it can be, the others in a line below. */
function figureStack([first, ...others]: readonly PreviewFigure[], width: number): Html | null {
  if (first === undefined) return null;
  const size = others.length === 0 ? 176 : 124;
  const baseline = others.length === 0 ? BODY - 48 : BODY - 132;
  const label = labelOf(first);
  return html`${line(MARGIN, baseline - size * CAPITAL - 22, 36, cutLine(label, width, 36), COLOUR.soft)}
${priceText(MARGIN - 4, baseline, size, first.price)}
${others.map((figure, index) => {
  const room = width / others.length;
  const x = MARGIN + index * room;
  return html`${line(x, BODY - 78, 30, cutLine(labelOf(figure), room - 16, 30), COLOUR.soft)}${priceText(x, BODY - 24, 56, figure.price)}`;
})}`;
}

function labelOf({ name, prefix }: PreviewFigure): string {
  return `${name} ${prefix}`.trim();
}

/** Without a map: a card for each price. */
function figureRow(figures: readonly PreviewFigure[], width: number): Html | null {
  if (figures.length === 0) return null;
  const gap = 24;
  const cardWidth = (width - gap * (figures.length - 1)) / figures.length;
  const hasTrend = figures.some(({ trend }) => trend !== undefined);
  const { height, above } = hasTrend ? CARD_WITH_TREND : CARD;
  const top = BODY - height - above;
  return html`${figures.map((figure, index) => {
    const x = MARGIN + index * (cardWidth + gap);
    const size = figure.price.length > 4 ? 88 : 104;
    return html`<rect x="${x}" y="${top}" width="${cardWidth}" height="${height}" rx="18" fill="${COLOUR.card}" stroke="${COLOUR.line}" stroke-width="2"/>
${line(x + 28, top + 50, 36, cutLine(labelOf(figure), cardWidth - 56, 36), COLOUR.soft)}
${priceText(x + 26, top + 142, size, figure.price)}
${figure.trend === undefined ? null : trendLine(figure.trend, { x: x + 28, y: top + 162, width: cardWidth - 56, height: 46 })}
`;
  })}`;
}

/** Its height, and the room between it and the foot. */
const CARD = { height: 176, above: 60 };
const CARD_WITH_TREND = { height: 224, above: 32 };

/** The number with its unit in smaller letters behind it. */
function priceText(x: number, y: number, size: number, price: string): Html {
  const unit = Math.max(26, Math.round(size * 0.3));
  return html`<text x="${x}" y="${y}" font-weight="700" font-size="${size}" fill="${COLOUR.ink}">${price}<tspan font-weight="400" font-size="${unit}" fill="${COLOUR.soft}" dx="${Math.round(unit * 0.35)}">${UNIT}</tspan></text>`;
}

type Area = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** The last days as a step line with a dot at the last price. */
function trendLine(prices: readonly (MilliPrice | null)[], { x, y, width, height }: Area): Html | null {
  const summary = summarize(prices);
  if (summary === null) return null;
  const scale = priceScale(summary.lowest.price, summary.highest.price);
  const xOf = (days: number) => Math.round(x + (days / prices.length) * width);
  const yOf = (price: MilliPrice) => Math.round(y + positionOf(price, scale) * height);
  const steps = prices.map((price, index) => {
    if (price === null) return '';
    const start = prices[index - 1] == null ? `M${xOf(index)} ` : 'V';
    return `${start}${yOf(price)}H${xOf(index + 1)}`;
  });
  return html`<path d="${steps.join('')}" fill="none" stroke="${COLOUR.accent}" stroke-width="4" stroke-linejoin="round"/><circle cx="${xOf(summary.last.index + 1)}" cy="${yOf(summary.last.price)}" r="7" fill="${COLOUR.accent}"/>`;
}

/** Drawn smaller and enlarged, so that its names and prices can be read. */
function drawnMap(map: PreviewMap, language: Language): Html {
  const [width, height] = [MAP.width / MAP.scale, Math.ceil(BODY / MAP.scale)];
  const drawn = staticMap({ ...map, width, height, language, label: '' });
  const x = PREVIEW_WIDTH - MAP.width;
  return html`<style>${new Html(PLAIN_MAP_CSS)}</style>
<g transform="translate(${x} 0) scale(${MAP.scale})">${drawn}</g>
<rect x="${x - 1}" width="2" height="${BODY}" fill="${COLOUR.line}"/>`;
}

/** The name of the service and the day. */
function foot({ day, simulated, language }: LinkPreview): Html {
  const baseline = BODY + 56;
  const right = [day, ...(simulated ? [SIMULATED[language]] : [])].filter((part) => part !== '').join(' · ');
  return html`<rect y="${BODY}" width="${PREVIEW_WIDTH}" height="${FOOT}" fill="${COLOUR.accent}"/>
<g transform="translate(${MARGIN - 6} ${BODY + 15}) scale(.875)"><path d="M32 10C32 10 16 29 16 39a16 16 0 0 0 32 0C48 29 32 10 32 10Z" fill="${COLOUR.onAccent}"/><path d="M25 38a8 8 0 0 0 7 9" fill="none" stroke="${COLOUR.accent}" stroke-width="4" stroke-linecap="round"/></g>
${line(MARGIN + 50, baseline, 40, SERVICE_NAME, COLOUR.onAccent, 700)}
<text x="${PREVIEW_WIDTH - MARGIN}" y="${baseline - 1}" text-anchor="end" font-size="34" fill="${COLOUR.onAccent}">${right}</text>`;
}

function line(x: number, y: number, size: number, text: string, colour: string, weight: FontWeight = 400): Html | null {
  if (text === '') return null;
  return html`<text x="${x}" y="${Math.round(y)}" font-size="${size}" font-weight="${weight}" fill="${colour}">${text}</text>`;
}
