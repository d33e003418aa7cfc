/** What messengers and social networks show of a page that somebody shares: a picture, described before it is drawn. */
import { hash } from 'node:crypto';
import type { MilliPrice } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import type { StaticMapOptions } from '../map/static-map.ts';

export const PREVIEW_WIDTH = 1200;
export const PREVIEW_HEIGHT = 630;

export type LinkPreview = {
  readonly language: Language;
  /** The path of the page that it belongs to. */
  readonly path: string;
  /** What the figures are, in one short line: `Prețuri carburanți`. */
  readonly kicker: string;
  /** What the page is about, in the largest letters after the price: `Drobeta-Turnu Severin`. */
  readonly subject: string;
  /** One line more: `24 de benzinării`. */
  readonly note: string;
  /** The most important first; none where no price is known. */
  readonly figures: readonly PreviewFigure[];
  /** Beside the figures. */
  readonly map?: PreviewMap;
  /** The day of the figures: `22 noiembrie 2026`; empty if nothing in it has a day. */
  readonly day: string;
  /** Whether the prices are made up, which the picture then says. */
  readonly simulated: boolean;
};

export type PreviewFigure = {
  /** `Benzină`. */
  readonly name: string;
  /** `de la`, if it is the lowest of several prices. */
  readonly prefix: string;
  /** `9,59`, RON per litre. */
  readonly price: string;
  /** The last days, today last; shown where there is no map. */
  readonly trend?: readonly (MilliPrice | null)[];
};

export type PreviewMap = Pick<StaticMapOptions, 'marks'> &
  Partial<Pick<StaticMapOptions, 'way'>> &
  ({ readonly bounds: Bounds } | { readonly centre: Centre; readonly zoom: number });
type Bounds = Extract<StaticMapOptions, { readonly bounds: unknown }>['bounds'];
type Centre = Extract<StaticMapOptions, { readonly centre: unknown }>['centre'];

/** The picture as a page declares it. */
export type PreviewReference = {
  /** Path of the picture. */
  readonly path: string;
  /** What it shows, for those who do not see it. */
  readonly description: string;
};

/** Raised when the drawing changes, so that caches drop pictures of the same content. */
const DRAWING = 1;
const FINGERPRINT_LENGTH = 12;
const PREVIEW_PATH = /^\/og\/([0-9a-f]{12})(\/.+)\.png$/;
/** Stands for the path of the home page in Romanian, which has no name. */
const HOME = '/ro';

/** Names the content of a picture: another one as soon as anything in it differs. */
export function previewFingerprint(preview: LinkPreview): string {
  return hash('sha256', `${DRAWING} ${JSON.stringify(preview)}`, 'hex').slice(0, FINGERPRINT_LENGTH);
}

/** The address and the description of the picture. */
export function previewReference(preview: LinkPreview): PreviewReference {
  const name = preview.path === '/' ? HOME : preview.path;
  return { path: `/og/${previewFingerprint(preview)}${name}.png`, description: describe(preview) };
}

/** The page and the fingerprint of the picture that a path asks for; `undefined` = it is not the path of a picture. */
export function previewRequestAt(path: string): { readonly fingerprint: string; readonly page: string } | undefined {
  const [, fingerprint, page] = PREVIEW_PATH.exec(path) ?? [];
  if (fingerprint === undefined || page === undefined) return undefined;
  return { fingerprint, page: page === HOME ? '/' : page };
}

function describe({ kicker, subject, note, figures, day }: LinkPreview): string {
  const prices = figures.map(({ name, prefix, price }) => `${name} ${prefix} ${price} lei/l`.replaceAll(/ +/g, ' '));
  return [`${kicker}: ${subject}`, note, prices.join(', '), day].filter((part) => part !== '').join('. ');
}
