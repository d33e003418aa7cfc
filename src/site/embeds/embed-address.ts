/**
 * The addresses of what other sites show: widgets, price files, badges and cards. Each variant has one address, under
 * which it is cached; a query has nothing in it but what is known.
 */
import { ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { FUEL_SLUG, fuelOfSlug } from '../../domain/pages/fuel-slug.ts';
import { languageOf, ROUTES } from '../../domain/pages/routes.ts';
import type { PlaceKind, PlaceName } from './price-subject.ts';

/** A page in a frame, its data as JSON, a picture of one price, a picture of all. */
type EmbedForm = 'widget' | 'file' | 'badge' | 'card';

/** `auto`: as the reader's system has it. */
export type Theme = 'auto' | 'light' | 'dark';

/** What an address asks for; `fuel` is `null` where it has all. */
export type EmbedRequest = {
  readonly form: EmbedForm;
  readonly language: Language;
  readonly place: PlaceName;
  readonly fuel: RoadFuel | null;
  readonly theme: Theme;
};

/** A parameter with a value that means nothing, and the values that do. */
export type BadParameter = { readonly name: string; readonly value: string; readonly expected: readonly string[] };

export type EmbedAddress = { readonly request: EmbedRequest; readonly badParameter: BadParameter | null };

const WIDGET_PREFIX = ROUTES.embeds;
const BADGE_PREFIX: LocalizedText = { ro: '/insigna', en: '/en/badge' };
const CARD_PREFIX: LocalizedText = { ro: '/card', en: '/en/card' };
const PICTURE_PREFIXES = [BADGE_PREFIX, CARD_PREFIX].flatMap(({ ro, en }) => [ro, en]);
const COUNTRY_SEGMENT = 'romania';
const SEGMENT: Readonly<Record<Exclude<PlaceKind, 'country'>, LocalizedText>> = {
  city: { ro: 'oras', en: 'city' },
  station: { ro: 'statie', en: 'station' },
};

export const FUEL_NAME = 'carburant';
export const THEME_NAME = 'tema';
export const THEME_WORD: Readonly<Record<Language, Readonly<Record<Theme, string>>>> = {
  ro: { auto: 'auto', light: 'deschis', dark: 'inchis' },
  en: { auto: 'auto', light: 'light', dark: 'dark' },
};
export const THEMES = ['auto', 'light', 'dark'] as const satisfies readonly Theme[];
/** What each form reads of a query. */
const PARAMETERS: Readonly<Record<EmbedForm, readonly string[]>> = {
  widget: [FUEL_NAME, THEME_NAME],
  file: [],
  badge: [THEME_NAME],
  card: [THEME_NAME],
};

/** Where the element that other sites use is served. */
export const ELEMENT_PATH = `${WIDGET_PREFIX.ro}/pompa-pret.js`;

/** Whether a path is that of a widget, found or not. */
export function isWidgetPath(path: string): boolean {
  return /^\/(en\/)?widget\/[^.]+$/.test(path);
}

/** Whether a path is that of a badge or a card, found or not. */
export function isPicturePath(path: string): boolean {
  return path.endsWith('.svg') && PICTURE_PREFIXES.some((prefix) => path.startsWith(`${prefix}/`));
}

/** The fuel in the path of a badge, if there is none of this name in its language. */
export function unknownBadgeFuel(path: string): BadParameter | null {
  const language = languageOf(path);
  const value = path.slice(path.lastIndexOf('/') + 1, -'.svg'.length);
  if (!path.startsWith(`${BADGE_PREFIX[language]}/`) || fuelOfSlug(value, language) !== undefined) return null;
  return { name: FUEL_NAME, value, expected: fuelWords(language) };
}

/** The address of a request: `/widget/oras/cluj-napoca?carburant=motorina`. */
export function embedPath(request: EmbedRequest): string {
  const { form, language, place, fuel } = request;
  return pathOf(form, language, place, fuel) + queryOf(request);
}

/** The query in its one spelling, with its question mark; `''` where everything is as usual. */
function queryOf({ form, language, fuel, theme }: EmbedRequest): string {
  const query = new URLSearchParams();
  if (form === 'widget' && fuel !== null) query.set(FUEL_NAME, FUEL_SLUG[language][fuel]);
  if (theme !== usualTheme(form)) query.set(THEME_NAME, THEME_WORD[language][theme]);
  return query.size === 0 ? '' : `?${query}`;
}

/** Pictures are light unless asked otherwise: a page cannot tell them what its reader's system has. */
function usualTheme(form: EmbedForm): Theme {
  return form === 'widget' ? 'auto' : 'light';
}

function pathOf(form: EmbedForm, language: Language, { kind, slug }: PlaceName, fuel: RoadFuel | null): string {
  if (form === 'widget' || form === 'file') {
    const place = kind === 'country' ? COUNTRY_SEGMENT : `${SEGMENT[kind][language]}/${slug}`;
    return `${WIDGET_PREFIX[language]}/${place}${form === 'file' ? '.json' : ''}`;
  }
  const place = { city: slug, station: `${SEGMENT.station[language]}/${slug}`, country: COUNTRY_SEGMENT }[kind];
  if (fuel === null) return `${CARD_PREFIX[language]}/${place}.svg`;
  return `${BADGE_PREFIX[language]}/${place}/${FUEL_SLUG[language][fuel]}.svg`;
}

/**
 * The address under which the same answer is cached: a path of ours with what its form reads of the query, in one
 * spelling. Any other path stays as it is.
 */
export function embedTarget(path: string, query: URLSearchParams): string {
  const address = embedAddressAt(path, query);
  if (address === undefined) return path;
  const { request, badParameter } = address;
  if (badParameter === null) return path + queryOf(request);
  const known = [...query].filter(([name]) => PARAMETERS[request.form].includes(name));
  return `${path}?${new URLSearchParams(known)}`;
}

/** What a path and its query ask for; `undefined` = nothing of ours has such a path. */
export function embedAddressAt(path: string, query: URLSearchParams): EmbedAddress | undefined {
  for (const language of ['ro', 'en'] as const) {
    const found =
      widgetAt(path, language) ??
      pictureAt('badge', BADGE_PREFIX[language], path, language) ??
      pictureAt('card', CARD_PREFIX[language], path, language);
    if (found !== undefined) return withQuery(found, query);
  }
  return undefined;
}

type PathRequest = Omit<EmbedRequest, 'theme'>;

function widgetAt(path: string, language: Language): PathRequest | undefined {
  const prefix = `${WIDGET_PREFIX[language]}/`;
  if (!path.startsWith(prefix)) return undefined;
  const isFile = path.endsWith('.json');
  const segments = path.slice(prefix.length, isFile ? -'.json'.length : undefined).split('/');
  const place = widgetPlace(segments, language);
  return place && { form: isFile ? 'file' : 'widget', language, place, fuel: null };
}

function widgetPlace([first, slug, ...rest]: readonly string[], language: Language): PlaceName | undefined {
  if (first === COUNTRY_SEGMENT) return slug === undefined ? { kind: 'country', slug: '' } : undefined;
  const kind = (['city', 'station'] as const).find((each) => SEGMENT[each][language] === first);
  return kind === undefined || !slug || rest.length > 0 ? undefined : { kind, slug };
}

function pictureAt(form: 'badge' | 'card', prefix: string, path: string, language: Language): PathRequest | undefined {
  if (!path.startsWith(`${prefix}/`) || !path.endsWith('.svg')) return undefined;
  const segments = path.slice(prefix.length + 1, -'.svg'.length).split('/');
  const fuel = form === 'card' ? null : fuelOfSlug(segments.pop() ?? '', language);
  const place = picturePlace(segments, language);
  return fuel === undefined || place === undefined ? undefined : { form, language, place, fuel };
}

function picturePlace(segments: readonly string[], language: Language): PlaceName | undefined {
  const [first = '', second] = segments;
  if (segments.length === 2)
    return first === SEGMENT.station[language] && second ? { kind: 'station', slug: second } : undefined;
  if (segments.length !== 1 || first === '') return undefined;
  return first === COUNTRY_SEGMENT ? { kind: 'country', slug: '' } : { kind: 'city', slug: first };
}

function withQuery(found: PathRequest, query: URLSearchParams): EmbedAddress {
  const { form, language } = found;
  const theme = themeOf(query, form, language);
  const fuel = form === 'widget' ? fuelIn(query, language) : { value: found.fuel };
  const request = { ...found, fuel: fuel.value ?? null, theme: theme.value ?? usualTheme(form) };
  return { request, badParameter: fuel.bad ?? theme.bad ?? null };
}

type Read<T> = { readonly value?: T | null; readonly bad?: BadParameter };

function fuelIn(query: URLSearchParams, language: Language): Read<RoadFuel> {
  const spelled = (word: string) => fuelOfSlug(word, 'ro') ?? fuelOfSlug(word, 'en') ?? roadFuelOfCode(word);
  return readWord(query, FUEL_NAME, spelled, () => fuelWords(language));
}

/** Who knows the API writes its words. */
const roadFuelOfCode = (word: string) => ROAD_FUELS.find((fuel) => FUEL_CODE[fuel] === word);

const fuelWords = (language: Language): string[] => ROAD_FUELS.map((fuel) => FUEL_SLUG[language][fuel]);

function themeOf(query: URLSearchParams, form: EmbedForm, language: Language): Read<Theme> {
  if (!PARAMETERS[form].includes(THEME_NAME)) return {};
  const themes = THEMES.filter((theme) => form === 'widget' || theme !== 'auto');
  const spelled = (word: string) => themes.find((theme) => [THEME_WORD.ro[theme], THEME_WORD.en[theme]].includes(word));
  return readWord(query, THEME_NAME, spelled, () => themes.map((theme) => THEME_WORD[language][theme]));
}

/** Reads a parameter that is left out, empty, or one known word in either language. */
function readWord<T>(
  query: URLSearchParams,
  name: string,
  spelled: (word: string) => T | undefined,
  expected: () => readonly string[],
): Read<T> {
  const [word = '', ...more] = query.getAll(name);
  if (more.length === 0 && word === '') return {};
  const value = more.length === 0 ? spelled(word) : undefined;
  return value === undefined ? { bad: { name, value: [word, ...more].join(', '), expected: expected() } } : { value };
}
