/**
 * Draws badges and cards: SVG without styles, scripts or fonts of its own, so that any page can show it as a picture.
 */

import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { SERVICE_NAME } from '../../domain/service-identity.ts';
import type { SiteData } from '../frame/site-data.ts';
import { formatDay, formatRon } from '../html/formats.ts';
import { type Html, html } from '../html/html-template.ts';
import { shortenedText } from '../html/page-title.ts';
import { fuelName } from '../parts/fuel-words.ts';
import type { EmbedRequest, Theme } from './embed-address.ts';
import { type PlaceKind, type PriceSubject, pricedFuels } from './price-subject.ts';

/** Before a price: what it is of all that the place has. */
const FIGURE: Readonly<Record<PlaceKind, LocalizedText>> = {
  city: { ro: 'de la ', en: 'from ' },
  station: { ro: '', en: '' },
  country: { ro: 'în medie ', en: 'on average ' },
};
const NONE: LocalizedText = { ro: 'fără preț sigur', en: 'no reliable price' };
const SIMULATED: LocalizedText = { ro: 'date simulate', en: 'simulated data' };
/** What the prices of a card are. */
const FIGURES: Readonly<Record<PlaceKind, LocalizedText>> = {
  city: { ro: 'cele mai mici prețuri', en: 'lowest prices' },
  station: { ro: '', en: '' },
  country: { ro: 'prețuri medii', en: 'average prices' },
};

const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
const GREEN = '#0b5d4b';
const WHITE = '#ffffff';
type Colours = { readonly paper: string; readonly ink: string; readonly soft: string; readonly line: string };
const LIGHT: Colours = { paper: WHITE, ink: '#16211e', soft: '#56635f', line: '#d5dedb' };
const COLOURS: Readonly<Record<Theme, Colours>> = {
  light: LIGHT,
  dark: { paper: '#1a201e', ink: '#e7ebe8', soft: '#a3ada9', line: '#333b38' },
  auto: LIGHT,
};

export const BADGE_HEIGHT = 64;
const LOGO_WIDTH = 56;
const MARGIN = 12;
const CARD = { minWidth: 320, nameX: 54, head: 64, row: 28, foot: 32 } as const;
const MIN_BADGE_WIDTH = 240;
const NAME_SIZE = 16;
/** How much wider a bold line is. */
const BOLD = 1.1;
const LONGEST_NAME = 44;

type PictureRequest = Pick<EmbedRequest, 'fuel' | 'language' | 'theme'>;

/** The picture of a fuel, or the card of all that have a price. */
export function badgeSvg(subject: PriceSubject, { fuel, language, theme }: PictureRequest, data: SiteData): Html {
  const colours = COLOURS[theme];
  if (fuel === null) return card(subject, data, language, colours);
  const price = subject.priceOf(fuel);
  const title = `${shortenedText(subject.name[language], LONGEST_NAME)} · ${fuelName(fuel, language)}`;
  const amount = priceText(price, subject, language);
  const foot = footer(data, language);
  const lines = [textWidth(title, 13), textWidth(amount, 18) * BOLD, textWidth(foot, 11)];
  const width = Math.max(MIN_BADGE_WIDTH, Math.ceil(LOGO_WIDTH + 2 * MARGIN + Math.max(...lines)));
  const x = LOGO_WIDTH + MARGIN;
  return picture(
    { width, height: BADGE_HEIGHT, colours, label: `${title}: ${amount}. ${foot}` },
    html`<path d="M10 .5h${LOGO_WIDTH - 10}v63h-${LOGO_WIDTH - 10}a9.5 9.5 0 0 1-9.5-9.5v-44a9.5 9.5 0 0 1 9.5-9.5z" fill="${GREEN}"/>${drop(LOGO_WIDTH / 2 - 16, 16)}
${line(x, 21, 13, colours.soft, title)}${line(x, 41, 18, price === null ? colours.soft : colours.ink, amount, 'bold')}${line(x, 56, 11, colours.soft, foot)}`,
  );
}

/** All fuels with a price, a line each. */
function card(subject: PriceSubject, data: SiteData, language: Language, colours: Colours): Html {
  const fuels = pricedFuels(subject);
  const rows = fuels.length === 0 ? [NONE[language]] : fuels.map((fuel) => fuelName(fuel, language));
  const height = CARD.head + rows.length * CARD.row + CARD.foot;
  const name = shortenedText(subject.name[language], LONGEST_NAME);
  const width = Math.max(CARD.minWidth, Math.ceil(CARD.nameX + textWidth(name, NAME_SIZE) * BOLD + MARGIN));
  const about = FIGURES[subject.kind][language];
  const foot = footer(data, language);
  const spoken = fuels.map(
    (fuel) => `${fuelName(fuel, language)} ${priceText(subject.priceOf(fuel), subject, language)}`,
  );
  return picture(
    { width, height, colours, label: `${name}: ${spoken.join(', ') || NONE[language]}. ${foot}` },
    html`<path d="M.5 ${CARD.head}v-${CARD.head - 10}a9.5 9.5 0 0 1 9.5-9.5h${width - 20}a9.5 9.5 0 0 1 9.5 9.5v${CARD.head - 10}z" fill="${GREEN}"/>${drop(12, 16)}
${line(CARD.nameX, about === '' ? 38 : 30, NAME_SIZE, WHITE, name, 'bold')}${line(CARD.nameX, 49, 12, WHITE, about)}
${rows.map((row, index) => {
  const y = CARD.head + index * CARD.row;
  const fuel = fuels[index];
  const price = fuel === undefined ? null : subject.priceOf(fuel);
  const rule = index === 0 ? null : html`<path d="M12 ${y}h${width - 24}" stroke="${colours.line}"/>`;
  const amount =
    price === null
      ? null
      : html`<text x="${width - 12}" y="${y + 19}" font-size="15" font-weight="bold" text-anchor="end" fill="${colours.ink}">${formatRon(price, language)} lei/l</text>`;
  return html`${rule}${line(12, y + 19, 14, colours.soft, row)}${amount}\n`;
})}${line(12, height - 12, 11, colours.soft, foot)}`,
  );
}

function priceText(price: number | null, { kind }: PriceSubject, language: Language): string {
  if (price === null) return NONE[language];
  return `${FIGURE[kind][language]}${formatRon(price, language)} lei/l`;
}

/** The day of the prices and the name of the service; simulated prices are named so. */
function footer({ snapshot, simulated }: SiteData, language: Language): string {
  const parts = [formatDay(snapshot.today, language), SERVICE_NAME, ...(simulated ? [SIMULATED[language]] : [])];
  return parts.join(' · ');
}

type Picture = { readonly width: number; readonly height: number; readonly colours: Colours; readonly label: string };

function picture({ width, height, colours, label }: Picture, content: Html): Html {
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}" font-family="${FONT}"><title>${label}</title>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="9.5" fill="${colours.paper}" stroke="${colours.line}"/>
${content}
</svg>
`;
}

function line(x: number, y: number, size: number, colour: string, text: string, weight = 'normal'): Html | null {
  if (text === '') return null;
  return html`<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${colour}">${text}</text>`;
}

/** The drop of the logo, 32 units wide and high. */
function drop(x: number, y: number): Html {
  return html`<path transform="translate(${x} ${y}) scale(.7) translate(-9.5 -9.5)" d="M32 10C32 10 16 29 16 39a16 16 0 0 0 32 0C48 29 32 10 32 10Z" fill="${WHITE}"/>`;
}

/** The width of a line, rather too wide: fonts differ. */
function textWidth(text: string, size: number): number {
  let ems = 0;
  for (const character of text) ems += /[mwMW]/.test(character) ? 0.95 : /[\p{Lu}\d]/u.test(character) ? 0.68 : 0.54;
  return ems * size;
}
