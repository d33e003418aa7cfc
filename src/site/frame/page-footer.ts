/** The end of every page: further pages, who sells, the licence, the sources. */
import type { SalesMode, Seller } from '../../domain/billing/seller.ts';
import type { SellingOffer } from '../../domain/billing/selling-offer.ts';
import type { LocalizedText } from '../../domain/localized-text.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { DATA_CREDIT, LICENCE, SERVICE_NAME } from '../../domain/service-identity.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { formatBucharestTime } from '../html/formats.ts';
import { type Html, html } from '../html/html-template.ts';
import { type NavigationLink, navigationItem } from './navigation.ts';
import type { Page } from './page.ts';
import type { SiteData } from './site-data.ts';

/** The footer. */
export function pageFooter(page: Page, { snapshot, selling }: Pick<SiteData, 'snapshot' | 'selling'>): Html {
  const { language } = page;
  return html`<footer class="foot"><div class="wrap">
<nav aria-label="${TEXTS.more[language]}"><ul>
${FOOTER.map((link) => navigationItem(link, page))}${selling && sellingItems(selling, page)}</ul></nav>
<p>${TEXTS.licence[language]} <a href="${LICENCE.url}" rel="license">${LICENCE.name}</a>. ${TEXTS.attribution[language]} ${updated(page, snapshot)}</p>
<p>${TEXTS.places[language]}. ${TEXTS.polygons[language]}</p>
${selling?.seller && sellerLine(selling.seller, selling, page)}</div></footer>
`;
}

const FOOTER: readonly NavigationLink[] = [
  { route: 'motorways', name: { ro: 'Autostrăzi', en: 'Motorways' } },
  { route: 'germany', name: { ro: 'Germania', en: 'Germany' } },
  { route: 'days', name: { ro: 'Arhivă', en: 'Archive' } },
  { route: 'status', name: { ro: 'Starea datelor', en: 'Data status' } },
  { route: 'method', name: { ro: 'Metodologie', en: 'Method' } },
  { route: 'data', name: { ro: 'Date deschise', en: 'Open data' } },
  { route: 'alerts', name: { ro: 'Alerte', en: 'Alerts' } },
  { route: 'plans', name: { ro: 'Planuri', en: 'Plans' } },
  { route: 'terms', name: { ro: 'Termeni', en: 'Terms' } },
  { route: 'privacy', name: { ro: 'Confidențialitate', en: 'Privacy' } },
];

/** EU law asks for the withdrawal where contracts are concluded, in plain sight (Directive 2023/2673). */
function sellingItems({ seller }: SellingOffer, { language }: Page): Html {
  const item = (path: LocalizedText, name: LocalizedText) =>
    html`<li><a href="${path[language]}">${name[language]}</a></li>\n`;
  return html`${item(BILLING_PATHS.account, TEXTS.account)}${seller && item(BILLING_PATHS.withdrawal, TEXTS.withdrawal)}`;
}

/** Who a trader is must be told everywhere, in Romania with a link to the authority that consumers complain to. */
function sellerLine({ name, address, taxId }: Seller, { salesMode }: SellingOffer, { language }: Page): Html {
  return html`<p>${SELLER[salesMode][language]}: ${name}, ${address}, ${taxId}. <a href="https://anpc.ro/ce-este-sal/" rel="nofollow">ANPC</a></p>
`;
}

function updated({ showsPrices, language }: Page, { updatedAt: instant }: Snapshot): Html | null {
  if (showsPrices !== true || instant === null) return null;
  const time = html`<time datetime="${new Date(instant).toISOString()}">${formatBucharestTime(instant, language)}</time>`;
  return html`${TEXTS.updated[language]} ${time}.`;
}

const TEXTS = {
  more: { ro: 'Alte pagini', en: 'More pages' },
  licence: { ro: 'Date publicate sub licența', en: 'Data published under' },
  attribution: {
    ro: `La reutilizare se menționează sursa: ${SERVICE_NAME}.`,
    en: `Reuse must credit the source: ${SERVICE_NAME}.`,
  },
  updated: { ro: 'Prețuri actualizate la', en: 'Prices updated on' },
  places: { ro: 'Conține date GeoNames, CC BY 4.0', en: DATA_CREDIT },
  polygons: {
    ro: 'Granițele județelor: Natural Earth (domeniu public).',
    en: 'County borders: Natural Earth (public domain).',
  },
  account: { ro: 'Contul meu', en: 'My account' },
  withdrawal: { ro: 'Retragere din contract', en: 'Withdraw from a contract' },
} as const satisfies Record<string, LocalizedText>;

const SELLER: Readonly<Record<SalesMode, LocalizedText>> = {
  own: { ro: 'Abonamentele sunt vândute de', en: 'Subscriptions are sold by' },
  mor: {
    ro: 'Abonamentele sunt vândute de Stripe, ca vânzător înregistrat (Merchant of Record); serviciul este furnizat de',
    en: 'Subscriptions are sold by Stripe as the merchant of record; the service is provided by',
  },
};
