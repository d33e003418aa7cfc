/**
 * The addresses of the site's pages: one table, from which links are written and requests are matched. `:name` stands
 * for one segment of the path.
 */
import type { Language, LocalizedText } from '../localized-text.ts';

export const ROUTES = {
  home: { ro: '/', en: '/en' },
  city: { ro: '/preturi-carburanti/:city', en: '/en/fuel-prices/:city' },
  cityFuel: { ro: '/preturi-carburanti/:city/:fuel', en: '/en/fuel-prices/:city/:fuel' },
  station: { ro: '/statie/:station', en: '/en/station/:station' },
  county: { ro: '/judet/:county', en: '/en/county/:county' },
  network: { ro: '/retea/:network', en: '/en/network/:network' },
  map: { ro: '/harta', en: '/en/map' },
  journey: { ro: '/traseu', en: '/en/route' },
  journeyBetween: { ro: '/traseu/:from/:to', en: '/en/route/:from/:to' },
  today: { ro: '/azi', en: '/en/today' },
  days: { ro: '/zi', en: '/en/day' },
  day: { ro: '/zi/:day', en: '/en/day/:day' },
  motorways: { ro: '/autostrazi', en: '/en/motorways' },
  statistics: { ro: '/statistici', en: '/en/statistics' },
  alerts: { ro: '/alerte', en: '/en/alerts' },
  germany: { ro: '/germania', en: '/en/germany' },
  status: { ro: '/stare', en: '/en/status' },
  method: { ro: '/metodologie', en: '/en/method' },
  data: { ro: '/date', en: '/en/data' },
  embeds: { ro: '/widget', en: '/en/widget' },
  terms: { ro: '/termeni', en: '/en/terms' },
  privacy: { ro: '/confidentialitate', en: '/en/privacy' },
  docs: { ro: '/docs', en: '/docs/en' },
  plans: { ro: '/planuri', en: '/en/plans' },
  search: { ro: '/cautare', en: '/en/search' },
  offline: { ro: '/fara-conexiune', en: '/en/offline' },
  nearby: { ro: '/langa-mine', en: '/en/near-me' },
} as const satisfies Record<string, LocalizedText>;

/** Addresses without a page that the form of the others lets people expect, and the page that each leads to. */
export const EXPECTED_PATHS: ReadonlyMap<string, string> = new Map([
  ['/en/api', ROUTES.docs.en],
  ['/en/docs', ROUTES.docs.en],
]);

/** Where the form of a station's page posts a review; not a page by itself. */
export const REVIEW_FORM_PATH: LocalizedText = { ro: '/recenzie', en: '/en/review' };
/** What search fields ask for while somebody types. */
export const SUGGESTIONS_PATH = '/sugestii';

export type RouteName = keyof typeof ROUTES;

type NameIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Next}`
    ? Name | NameIn<`/${Next}`>
    : Rest
  : never;

/** The segments that an address of the route needs. */
export type RouteParameters<Name extends RouteName> = Readonly<Record<NameIn<(typeof ROUTES)[Name]['ro']>, string>>;

/** A page by its route, language and the segments of its path, as decoded from the address. */
export type MatchedRoute = {
  readonly name: RouteName;
  readonly language: Language;
  readonly parameters: Readonly<Record<string, string>>;
};

/** The path of a page in a language; the segments are encoded. */
export function routePath<Name extends RouteName>(
  name: Name,
  language: Language,
  ...[parameters]: keyof RouteParameters<Name> extends never ? [] : [RouteParameters<Name>]
): string {
  const given: Readonly<Record<string, string>> = parameters ?? {};
  return ROUTES[name][language].replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(given[key] ?? ''));
}

/** The language of a path, whether it has a page or not: English below `/en` and `/docs/en`. */
export function languageOf(path: string): Language {
  return /^\/(docs\/)?en(\/|$)/.test(path) ? 'en' : 'ro';
}

/** The route that a path belongs to; the path has no trailing slash. `undefined` = no page has such an address. */
export function matchRoute(path: string): MatchedRoute | undefined {
  const segments = path.split('/');
  for (const { name, language, pattern } of PATTERNS) {
    const parameters = matchSegments(pattern, segments);
    if (parameters !== undefined) return { name, language, parameters };
  }
  return undefined;
}

const PATTERNS = (Object.keys(ROUTES) as RouteName[]).flatMap((name) =>
  (['ro', 'en'] as const).map((language) => ({ name, language, pattern: ROUTES[name][language].split('/') })),
);

function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] as string;
    if (part.startsWith(':') && segment !== '') parameters[part.slice(1)] = segment;
    else if (part !== segment) return undefined;
  }
  return parameters;
}
