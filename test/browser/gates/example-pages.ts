/** One or two addresses of each kind of page, in both languages: what every gate looks at. */
import { BILLING_PATHS } from '../../../src/domain/pages/billing-paths.ts';
import { FUEL_SLUG } from '../../../src/domain/pages/fuel-slug.ts';
import { matchRoute, ROUTES, type RouteName } from '../../../src/domain/pages/routes.ts';
import { newClientAddress } from '../support/demo-site.ts';

export type PageKind = RouteName | 'notFound' | 'selling';

export type ExamplePage = {
  readonly kind: PageKind;
  readonly language: 'ro' | 'en';
  /** With the query, if it has one. */
  readonly path: string;
};

/** The same page in both languages, several of a kind. */
type Examples = readonly Readonly<Record<'ro' | 'en', string>>[];

const { ro: roFuels, en: enFuels } = FUEL_SLUG;
const CITY = { ro: '/preturi-carburanti/cluj-napoca', en: '/en/fuel-prices/cluj-napoca' };
const SMALL_CITY = { ro: '/preturi-carburanti/huedin', en: '/en/fuel-prices/huedin' };

/** All kinds but those whose addresses depend on the data. */
const EXAMPLES: Readonly<Record<Exclude<PageKind, 'station' | 'day' | 'selling'>, Examples>> = {
  home: [ROUTES.home],
  city: [CITY, SMALL_CITY],
  cityFuel: [
    { ro: `${CITY.ro}/${roFuels.petrol}`, en: `${CITY.en}/${enFuels.petrol}` },
    { ro: `${SMALL_CITY.ro}/${roFuels.lpg}`, en: `${SMALL_CITY.en}/${enFuels.lpg}` },
  ],
  county: [{ ro: '/judet/cluj', en: '/en/county/cluj' }],
  network: [{ ro: '/retea/petrom', en: '/en/network/petrom' }],
  map: [ROUTES.map, { ro: '/harta?oras=cluj-napoca&tip=gpl', en: '/en/map?oras=cluj-napoca&tip=lpg' }],
  journey: [ROUTES.journey],
  journeyBetween: [{ ro: '/traseu/bucuresti/cluj-napoca', en: '/en/route/bucuresti/cluj-napoca' }],
  today: [ROUTES.today],
  days: [ROUTES.days],
  statistics: [ROUTES.statistics],
  alerts: [ROUTES.alerts],
  motorways: [ROUTES.motorways],
  germany: [ROUTES.germany, { ro: '/germania?loc=Passau', en: '/en/germany?loc=Passau' }],
  status: [ROUTES.status],
  method: [ROUTES.method],
  data: [ROUTES.data],
  embeds: [ROUTES.embeds, { ro: '/widget?oras=turda&carburant=gpl', en: '/en/widget?oras=turda&carburant=lpg' }],
  terms: [ROUTES.terms],
  privacy: [ROUTES.privacy],
  docs: [ROUTES.docs],
  plans: [ROUTES.plans],
  search: [ROUTES.search, { ro: '/cautare?q=turda', en: '/en/search?q=turda' }],
  offline: [ROUTES.offline],
  nearby: [ROUTES.nearby, { ro: '/langa-mine?lat=46.77&lng=23.59', en: '/en/near-me?lat=46.77&lng=23.59' }],
  notFound: [{ ro: '/nimic', en: '/en/nothing' }],
};

const { order, account, confirm, freeKey, freeKeyConfirm, withdrawal, addressUndo } = BILLING_PATHS;

/** The pages of selling that nobody has to log in for, on a site that sells; the journeys look at the others. */
export const SELLING_PAGES: readonly ExamplePage[] = [
  { ro: `${order.ro}?plan=pro`, en: `${order.en}?plan=pro` },
  ...[account, confirm, { ro: `${confirm.ro}?token=x`, en: `${confirm.en}?token=x` }],
  ...[freeKey, freeKeyConfirm, { ro: `${freeKeyConfirm.ro}?token=x`, en: `${freeKeyConfirm.en}?token=x` }],
  ...[withdrawal, { ro: `${withdrawal.ro}?done=1`, en: `${withdrawal.en}?done=1` }],
  { ro: `${addressUndo.ro}?token=x`, en: `${addressUndo.en}?token=x` },
].flatMap(({ ro, en }) => [
  { kind: 'selling', language: 'ro', path: ro } as const,
  { kind: 'selling', language: 'en', path: en } as const,
]);

/** The examples, with a station and a past day of the site at an address. */
export async function examplePages(site: string): Promise<ExamplePage[]> {
  const pages = Object.entries(EXAMPLES) as [PageKind, Examples][];
  const [stations, days] = await Promise.all(['stations', 'days'].map((kind) => sitemapPaths(site, kind)));
  const listed = [...(stations as string[]).slice(0, 2), ...(days as string[]).slice(0, 2)];
  return [
    ...pages.flatMap(([kind, examples]) =>
      examples.flatMap(({ ro, en }) => [
        { kind, language: 'ro', path: ro } as const,
        { kind, language: 'en', path: en } as const,
      ]),
    ),
    ...listed.map((path) => {
      const { name, language } = matchRoute(path) as NonNullable<ReturnType<typeof matchRoute>>;
      return { kind: name, language, path };
    }),
  ];
}

/** The paths that a file of the sitemap lists, each Romanian one before its English one. */
export async function sitemapPaths(site: string, kind: string): Promise<string[]> {
  const response = await fetch(`${site}/sitemap/${kind}-1.xml`, { headers: { 'X-Forwarded-For': newClientAddress() } });
  const file = await response.text();
  return [...file.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => new URL(url as string).pathname);
}
