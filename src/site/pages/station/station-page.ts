/**
 * The page of a station: its prices against its town, where they come from, the way there, what drivers say of them,
 * and its reviews.
 */
import { BoundedMap } from '../../../concurrency/bounded-map.ts';
import type { AcceptedReport } from '../../../domain/driver-report.ts';
import { ROAD_FUELS } from '../../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import { trustedPrice } from '../../../domain/prices/price-verdict.ts';
import type { PublicReviews } from '../../../domain/review.ts';
import { feedLink, feedPath } from '../../change-feeds/feed-address.ts';
import { embedsLink } from '../../embeds/embeds-link.ts';
import type { Link, Page, Redirect } from '../../frame/page.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { type Html, html } from '../../html/html-template.ts';
import { pageDescription, shortenedText } from '../../html/page-title.ts';
import { countyTrail } from '../../parts/breadcrumb.ts';
import { admitsRecaptcha, takesText } from '../../parts/checked-text.ts';
import { favouriteStar } from '../../parts/favourites.ts';
import { fuelGenitive, fuelNameInText, MAIN_FUELS, pricesInWords } from '../../parts/fuel-words.ts';
import { stationMap } from '../../parts/station-map.ts';
import { headLinks } from './head-links.ts';
import { aboutSection, directionsSection, headingOf, postalAddress } from './place-sections.ts';
import { priceCharts } from './price-charts.ts';
import { nearbyPrices, priceList, priceOrigins } from './price-sections.ts';
import { reportSection } from './report-section.ts';
import { reviewsSection } from './reviews-section.ts';
import { cheaperNearby, type StationDetails, stationOf, stationsAround } from './station-data.ts';
import { gasStation } from './station-structured-data.ts';
import { TEXTS } from './station-texts.ts';
import { stationTitle } from './station-title.ts';

/** What the page knows of reviews: `none` = the site has none at all; `null` = they cannot be read now. */
type KnownReviews = PublicReviews | null | 'none';
/** What visitors sent; reports are `null` if they cannot be read now, or the site takes none. */
type Feedback = { readonly reviews: KnownReviews; readonly reports: readonly AcceptedReport[] | null };
const NO_FEEDBACK: Feedback = { reviews: 'none', reports: null };

/** The page, or the address that the station has now. It waits for reviews and reports only. */
export function stationPage(request: PageRequest): Page | Redirect | null | Promise<Page> {
  const { language, parameters, data, outsideTurn } = request;
  const segment = parameters.station ?? '';
  const details = stationOf(segment, data);
  if (details === null) return null;
  if (segment !== details.slug) return { redirect: routePath('station', language, { station: details.slug }) };
  const { reviewsOf, reportsOf } = data;
  if (reviewsOf === null && reportsOf === null) return pageOf(details, NO_FEEDBACK, data, language);
  const sent = Promise.all([reviewsOf?.(details.slug) ?? 'none', reportsOf?.(details.station.id) ?? null] as const);
  return outsideTurn(sent).then(([reviews, reports]) => pageOf(details, { reviews, reports }, data, language));
}

function pageOf(details: StationDetails, { reviews, reports }: Feedback, data: SiteData, language: Language): Page {
  const { title, description, head, prices, content } = cachedPart(details, data, language);
  const readable = reviews === 'none' ? null : reviews;
  const hasForm = readable !== null || reports !== null;
  return {
    language,
    route: 'station',
    paths: pathsOf(details),
    title,
    description,
    breadcrumb: breadcrumb(details, language),
    showsPrices: true,
    ...((data.reviewsOf !== null || data.reportsOf !== null) && { isCacheable: false, hasForm: true }),
    modules: ['search', 'favourites', ...(hasForm && takesText(data) ? (['text-form'] as const) : [])],
    admitsRecaptcha: hasForm && admitsRecaptcha(data),
    ...(data.latestChanges !== null && { feed: feedPath({ kind: 'station', slug: details.slug }, language) }),
    structuredData: [gasStation(details, readable, data, language)],
    content: html`${head}${headLinks(readable, reports !== null, language)}${prices}
${reportSection(details, reports, data, language)}${content}
${reviews === 'none' ? null : reviewsSection(details, reviews, data, language)}`,
  };
}

function pathsOf({ slug }: StationDetails): LocalizedText {
  return { ro: routePath('station', 'ro', { station: slug }), en: routePath('station', 'en', { station: slug }) };
}

/** The name with the town, by which lists of many stations can be told apart. */
function fullName(details: StationDetails): string {
  const { station, namesake } = details;
  const number = namesake === null ? '' : ` (${namesake})`;
  return `${station.name ?? station.network.name}${number}, ${postalAddress(details)}`;
}

/** What depends on the snapshot alone: all but what visitors sent. Chart and map take most of the time of a page. */
type CachedPart = Pick<Page, 'title' | 'description' | 'content'> & { readonly head: Html; readonly prices: Html };

const MAX_CACHED_PARTS = 300;
const cachedParts = new WeakMap<SiteData, BoundedMap<CachedPart>>();

/** The part of one language, rendered at the first request for a snapshot. */
function cachedPart(details: StationDetails, data: SiteData, language: Language): CachedPart {
  const cached = cachedParts.get(data) ?? new BoundedMap<CachedPart>(MAX_CACHED_PARTS);
  cachedParts.set(data, cached);
  const key = `${language} ${details.slug}`;
  const known = cached.get(key);
  if (known !== undefined) return known;
  const part = {
    title: stationTitle(details, language),
    description: descriptionOf(details, language),
    head: headOf(details, language),
    prices: pricesOf(details, data, language),
    content: contentOf(details, data, language),
  };
  cached.set(key, part);
  return part;
}

function headOf(details: StationDetails, language: Language): Html {
  const { logo } = details.station.network;
  const name = fullName(details);
  const picture = logo === '' ? null : html`<img src="${logo}" width="48" height="48" alt="">`;
  return html`<h1 class="named-logo">${picture}<span>${headingOf(details)}</span></h1>
${leadOf(details, language)}<p>${favouriteStar({ names: { ro: name, en: name }, paths: pathsOf(details) }, language)}</p>
`;
}

function pricesOf(details: StationDetails, data: SiteData, language: Language): Html {
  return html`<h2>${TEXTS.prices[language]}</h2>
${priceList(details, data.snapshot, language)}`;
}

function contentOf(details: StationDetails, data: SiteData, language: Language): Html {
  return html`${priceCharts(details, data.snapshot, language)}
${directionsSection(details, language)}
${aboutSection(details, language)}
${nearbyPrices(cheaperNearby(details, data), language)}
${nearbyMap(details, data, language)}
${priceOrigins(details, data.snapshot, language)}
${data.latestChanges === null ? null : feedLink({ kind: 'station', slug: details.slug }, language)}${embedsLink({ kind: 'station', slug: details.slug }, language)}`;
}

/** The station among those around it, by the price of the first road fuel that it sells. */
function nearbyMap(details: StationDetails, data: SiteData, language: Language): Html | null {
  const fuel = ROAD_FUELS.find((each) => details.verdicts.has(each));
  if (details.position !== 'exact' || fuel === undefined) return null;
  const label = TEXTS.map[language](fuelGenitive(fuel, language), headingOf(details));
  return stationMap(stationsAround(details.station, data), fuel, label, data, language);
}

/** The town, and the opening hours where they are known. */
function leadOf({ station, city, county }: StationDetails, language: Language): Html {
  const place =
    city &&
    html`<a href="${routePath('city', language, { city: city.slug })}">${city.name}</a>${county && `, ${county.name}`}`;
  const parts = [place, station.hours].filter((part) => part !== null && part !== '');
  return html`<p class="lead">${parts.map((part, index) => [index === 0 ? null : ' · ', part])}</p>\n`;
}

function breadcrumb({ city, county }: StationDetails, language: Language): Link[] {
  return [
    ...countyTrail(county, language),
    ...(city === null ? [] : [{ name: city.name, path: routePath('city', language, { city: city.slug }) }]),
  ];
}

function descriptionOf(details: StationDetails, language: Language): string {
  const { city, fuels, verdicts } = details;
  const name = fullName(details);
  const first = MAIN_FUELS.find((fuel) => trustedPrice(verdicts.get(fuel)) !== null);
  const short = shortenedText(name, MAX_NAME_LENGTH);
  if (first === undefined) {
    const { descriptionWithoutPrice: words } = TEXTS;
    return pageDescription([words[language](name), words[language](short)]);
  }
  const prices = pricesInWords(MAIN_FUELS, (fuel) => trustedPrice(verdicts.get(fuel)), language);
  const inTown = fuels.find(({ fuel }) => fuel === first)?.inTown ?? null;
  const rank =
    inTown === null || inTown.count === 1 ? null : TEXTS.rankShort[language](inTown.rank, String(inTown.count));
  const place =
    rank === null || city === null
      ? ''
      : TEXTS.descriptionPlace[language](fuelNameInText(first, language), rank, city.name);
  const onePrice = pricesInWords([first], (fuel) => trustedPrice(verdicts.get(fuel)), language);
  const wordings = [name, short].flatMap((each) => [
    `${TEXTS.description[language](each, prices, place)}${TEXTS.withSources[language]}.`,
    `${TEXTS.description[language](each, prices, place)}.`,
    `${TEXTS.description[language](each, prices, '')}${TEXTS.withSources[language]}.`,
    `${TEXTS.description[language](each, onePrice, place)}.`,
    `${TEXTS.description[language](each, onePrice, '')}.`,
  ]);
  return pageDescription(wordings as [string, ...string[]]);
}

/** Of a description: the rest says what the station charges. */
const MAX_NAME_LENGTH = 80;
