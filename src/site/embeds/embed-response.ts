/** Answers what other sites show: widgets, price files, badges and cards. */
import type { Language } from '../../domain/localized-text.ts';
import { languageOf, ROUTES } from '../../domain/pages/routes.ts';
import type { SiteResponse } from '../frame/page.ts';
import type { SiteData } from '../frame/site-data.ts';
import { shortenedText } from '../html/page-title.ts';
import { text } from '../html/text.ts';
import { badgeSvg } from './badge-svg.ts';
import {
  type BadParameter,
  type EmbedRequest,
  embedAddressAt,
  embedPath,
  isPicturePath,
  isWidgetPath,
  unknownBadgeFuel,
} from './embed-address.ts';
import { priceFileText } from './price-file-text.ts';
import { type PriceSubject, priceSubject } from './price-subject.ts';
import { WIDGET_POLICY, type WidgetNotice, widgetDocument, widgetNotice } from './widget-document.ts';

/**
 * The response at an address as `embedTarget` writes it; `undefined` = nothing of ours is there. Refusals and other
 * addresses for the same are for one request: they are cached nowhere here.
 */
export function embedResponse(target: string, data: SiteData): SiteResponse | undefined {
  const [path = '', query = ''] = target.split('?', 2);
  const parameters = new URLSearchParams(query);
  const address = embedAddressAt(path, parameters);
  if (address === undefined) {
    if (isPicturePath(path)) return missingPicture(path);
    return isWidgetPath(path) ? strayWidget(path, data) : undefined;
  }
  const { request, badParameter } = address;
  if (badParameter !== null) return badRequest(request, badParameter, data);
  const subject = priceSubject(request.place, data);
  if (subject === undefined) return isPicture(request) ? missingPicture(path) : strayWidget(path, data, request);
  const isOwnName = subject.slug === request.place.slug;
  if (isPicture(request)) return picture(subject, request, isOwnName, data);
  if (!isOwnName) return moved(request, subject);
  if (request.form === 'file') return json(200, priceFileText(subject, data));
  return widget(200, widgetDocument(subject, request, data).text, request.language);
}

/** What a client that has read too many pages sees in a frame. */
export function tooManyWidgets(path: string, data: SiteData): SiteResponse {
  const { heading, words } = REFUSALS.tooMany;
  const language = languageOf(path);
  return notice(429, { language, heading: heading[language], words: words[language] }, data);
}

const isPicture = ({ form }: EmbedRequest): boolean => form === 'badge' || form === 'card';

/** Leads to the address that was meant, if capitals or a slash at the end are all that is wrong. */
function strayWidget(path: string, data: SiteData, request?: EmbedRequest): SiteResponse {
  const canonical = path.replace(/\/+$/, '').toLowerCase();
  const meant = canonical === path ? undefined : embedAddressAt(canonical, new URLSearchParams())?.request;
  const subject = meant && priceSubject(meant.place, data);
  if (meant && subject)
    return moved({ ...meant, ...(request && { theme: request.theme, fuel: request.fuel }) }, subject);
  const language = languageOf(path);
  if (request?.form === 'file') return json(404, errorText(REFUSALS.missing.words[language]));
  const { heading, words } = REFUSALS.missing;
  return notice(404, { language, heading: heading[language], words: words[language] }, data);
}

function badRequest(request: EmbedRequest, bad: BadParameter, data: SiteData): SiteResponse {
  const { form, language } = request;
  const words = badParameterWords(bad, language);
  if (form === 'widget') return notice(400, { language, heading: REFUSALS.parameter.heading[language], words }, data);
  return sentence(400, words);
}

/** No page shows what a picture says, so a sentence is enough. */
function missingPicture(path: string): SiteResponse {
  const language = languageOf(path);
  const fuel = unknownBadgeFuel(path);
  return sentence(404, fuel === null ? REFUSALS.missing.words[language] : badParameterWords(fuel, language));
}

function sentence(status: 400 | 404, words: string): SiteResponse {
  return {
    status,
    contentType: 'text/plain; charset=utf-8',
    headers: { ...SHARED_HEADERS, 'Cache-Control': 'no-cache' },
    body: Buffer.from(`${words}\n`),
    singleUse: true,
  };
}

/** What is wrong with a parameter, and what would be right. */
export function badParameterWords({ name, value, expected }: BadParameter, language: Language): string {
  return REFUSALS.parameter.words[language](name, shortenedText(value, LONGEST_VALUE), expected.join(', '));
}

const LONGEST_VALUE = 40;

/** Pages, programs and pictures on any origin may have them. */
const SHARED_HEADERS = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };
/** Prices change with each collection; a shared cache may keep them for so long. */
const PRICES_CACHE = 'public, max-age=300';
const PICTURE_HEADERS = {
  ...{ 'Cache-Control': 'public, max-age=900', 'Content-Security-Policy': "default-src 'none'" },
  ...SHARED_HEADERS,
};

function picture(subject: PriceSubject, request: EmbedRequest, isOwnName: boolean, data: SiteData): SiteResponse {
  return {
    status: 200,
    contentType: 'image/svg+xml',
    headers: PICTURE_HEADERS,
    body: Buffer.from(badgeSvg(subject, request, data).text),
    // Names without end lead to one station.
    ...(!isOwnName && { singleUse: true }),
  };
}

function json(status: number, content: string): SiteResponse {
  return {
    status,
    contentType: 'application/json; charset=utf-8',
    headers: { 'Cache-Control': status === 200 ? PRICES_CACHE : 'no-cache', ...SHARED_HEADERS },
    body: Buffer.from(content),
    ...(status !== 200 && { singleUse: true }),
  };
}

const errorText = (message: string): string => JSON.stringify({ status: 'error', message });

function widget(status: number, document: string, language: Language): SiteResponse {
  return {
    status,
    contentType: 'text/html; charset=utf-8',
    headers: {
      'Cache-Control': status === 200 ? PRICES_CACHE : 'no-cache',
      'Content-Language': language,
      'Content-Security-Policy': WIDGET_POLICY,
      // Pages that admit only what agrees to it frame it, too.
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Referrer-Policy': 'no-referrer',
    },
    body: Buffer.from(document),
    isFramed: true,
    ...(status !== 200 && { singleUse: true }),
  };
}

function notice(
  status: 400 | 404 | 429,
  { language, heading, words }: Pick<WidgetNotice, 'language' | 'heading' | 'words'>,
  { publicUrl }: SiteData,
): SiteResponse {
  const link = { url: publicUrl + ROUTES.embeds[language], name: REFUSALS.choose[language] };
  return widget(status, widgetNotice({ language, theme: 'auto', heading, words, link }).text, language);
}

/** The address by which the place goes now, for good. */
function moved(request: EmbedRequest, { kind, slug }: PriceSubject): SiteResponse {
  const address = embedPath({ ...request, place: { kind, slug } });
  return {
    status: 301,
    contentType: 'text/plain; charset=utf-8',
    headers: { Location: address, 'Cache-Control': 'public, max-age=3600', ...SHARED_HEADERS },
    body: Buffer.from(`${address}\n`),
    singleUse: true,
  };
}

const REFUSALS = {
  choose: text('Alegeți alt loc pe Pompa', 'Choose another place on Pompa'),
  missing: {
    heading: text('Locul nu există', 'No such place'),
    words: text(
      'La această adresă nu este nicio localitate cu benzinării și nicio benzinărie.',
      'There is no town or station at this address.',
    ),
  },
  parameter: {
    heading: text('Adresa nu este corectă', 'Wrong address'),
    words: text(
      (name: string, value: string, expected: string) =>
        `Parametrul ${name} are o valoare necunoscută, „${value}”. Valorile posibile: ${expected}.`,
      (name: string, value: string, expected: string) =>
        `The parameter ${name} has an unknown value, “${value}”. Possible values: ${expected}.`,
    ),
  },
  tooMany: {
    heading: text('Prea multe pagini într-un minut', 'Too many pages in a minute'),
    words: text(
      'De la această adresă IP s-au citit prea multe pagini. Încercați din nou peste cel mult un minut.',
      'Too many pages were read from this IP address. Try again in a minute at most.',
    ),
  },
};
