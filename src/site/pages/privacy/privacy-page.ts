/** What is kept about people, why, and for how long. Every number comes from the constant that enforces it. */
import type { CaptchaKind } from '../../../domain/access/captcha-kind.ts';
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import type { MapTiles } from '../../../domain/map-tiles.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Page } from '../../frame/page.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { type Html, html } from '../../html/html-template.ts';
import { inlineMarkup } from '../../html/inline-markup.ts';
import { countryLink } from '../../parts/breadcrumb.ts';
import { admitsRecaptcha } from '../../parts/checked-text.ts';
import { contactLine, contactOf } from '../../parts/contact-line.ts';
import { KEPT_DATA } from './kept-data.ts';
import { KEPT_SELLING_DATA } from './kept-selling-data.ts';

/** The privacy page. */
export function privacyPage({ language, data }: PageRequest): Page {
  const localized = (text: LocalizedText): Html[] => inlineMarkup(text[language]);
  // A narrow screen shows the rows one below the other, and the name of its column in each cell.
  const cell = (column: LocalizedText, text: LocalizedText) =>
    html`<td data-column="${column[language]}">${localized(text)}</td>`;
  const list = (texts: readonly LocalizedText[]) =>
    html`<ul>${texts.map((text) => html`<li>${localized(text)}</li>\n`)}</ul>`;
  const rows = data.selling === null ? KEPT_DATA : [...KEPT_DATA, ...KEPT_SELLING_DATA];
  const content = html`<h1>${localized(TITLE)}</h1>
<p class="lead">${localized(data.selling === null ? LEAD : LEAD_WITH_ACCOUNTS)}</p>
<h2 id="pastrare">${localized(KEPT_TITLE)}</h2>
<div class="table"><table class="stacked">
<thead><tr>${[WHAT, WHY, HOW_LONG].map((column) => html`<th scope="col">${localized(column)}</th>`)}</tr></thead>
<tbody>
${rows.map(({ what, why, howLong }) => html`<tr><th scope="row">${localized(what)}</th>${cell(WHY, why)}${cell(HOW_LONG, howLong)}</tr>\n`)}</tbody>
</table></div>
<h2 id="adrese">${localized(ADDRESSES_TITLE)}</h2>
<p>${localized(ADDRESSES)}</p>
<h2 id="fara">${localized(NOT_KEPT_TITLE)}</h2>
${list([data.selling === null ? NO_COOKIES : COOKIES_OF_ACCOUNT, ...NOT_KEPT, ...otherServices(data)])}
${processors(data, language)}
<h2 id="copii">${localized(COPIES_TITLE)}</h2>
<p>${localized(COPIES)}</p>
<h2 id="drepturi">${localized(RIGHTS_TITLE)}</h2>
${controller(data, language)}<p>${localized(RIGHTS)}</p>
<p id="contact">${contactLine(contactOf(data), language)}</p>`;
  return {
    language,
    route: 'privacy',
    paths: ROUTES.privacy,
    title: `${TITLE[language]} · ${SERVICE_NAME}`,
    description: DESCRIPTION[language],
    breadcrumb: [countryLink(language)],
    content,
  };
}

const TITLE: LocalizedText = { ro: 'Confidențialitate', en: 'Privacy' };

const DESCRIPTION: LocalizedText = {
  ro: `Ce date despre persoane păstrează ${SERVICE_NAME}, de ce, cât timp și cum se șterg.`,
  en: `What ${SERVICE_NAME} keeps about people, why, for how long, and how it is deleted.`,
};

const LEAD: LocalizedText = {
  ro: 'Serviciul publică prețuri, nu urmărește persoane: nu are conturi, cookie-uri, reclame sau statistici despre vizitatori. Păstrează numai ce este necesar pentru limite, recenzii, semnalări, alerte și chei, pentru durata de mai jos.',
  en: 'The service publishes prices and tracks nobody: it has no accounts, cookies, advertisements or visitor statistics. It keeps only what limits, reviews, reports, alerts and keys need, for the times below.',
};

const LEAD_WITH_ACCOUNTS: LocalizedText = {
  ro: 'Serviciul publică prețuri, nu urmărește persoane: nu are reclame sau statistici despre vizitatori, iar site-ul nu cere cont. Păstrează numai ce este necesar pentru limite, recenzii, semnalări, alerte, comenzi și chei, pentru durata de mai jos.',
  en: 'The service publishes prices and tracks nobody: it has no advertisements or visitor statistics, and the site needs no account. It keeps only what limits, reviews, reports, alerts, orders and keys need, for the times below.',
};

const KEPT_TITLE: LocalizedText = { ro: 'Ce se păstrează și cât timp', en: 'What is kept, and for how long' };

const WHAT: LocalizedText = { ro: 'Ce', en: 'What' };
const WHY: LocalizedText = { ro: 'De ce', en: 'Why' };
const HOW_LONG: LocalizedText = { ro: 'Cât timp', en: 'How long' };

const ADDRESSES_TITLE: LocalizedText = { ro: 'Adresele IP', en: 'IP addresses' };

const ADDRESSES: LocalizedText = {
  ro: 'O adresă IP nu este scrisă niciodată pe disc, nici în jurnale: doar o amprentă a ei, calculată cu o cheie secretă. Fiecare scop are cheia lui, deci amprentele a două scopuri nu se pot lega între ele, iar după ștergerea cheii nimeni nu mai poate afla din amprentă adresa. Programul care rulează ține adresele doar în memorie, pentru limite, cel mult până la oprire. Temeiul este interesul legitim de a împărți serviciul între toți (art. 6 alin. 1 lit. f GDPR).',
  en: 'An IP address is never written to disk or to a log: only a hash of it, computed with a secret key. Each purpose has a key of its own, so that hashes of two purposes cannot be linked, and once the key is deleted nobody can derive the address from the hash. The running program holds addresses only in memory, for the limits, and at most until it stops. The legal basis is the legitimate interest in sharing the service among all (Art. 6(1)(f) GDPR).',
};

const NOT_KEPT_TITLE: LocalizedText = { ro: 'Ce nu se păstrează', en: 'What is not kept' };

const NO_COOKIES: LocalizedText = {
  ro: 'Cookie-uri: serviciul nu scrie și nu citește niciunul. Favoritele și numele alertelor rămân în browser.',
  en: 'Cookies: the service sets and reads none. Favourites and the names of alerts stay in the browser.',
};

const COOKIES_OF_ACCOUNT: LocalizedText = {
  ro: 'Cookie-uri: serviciul scrie doar pe cele necesare intrării în cont și numai când o cereți. Favoritele și numele alertelor rămân în browser.',
  en: 'Cookies: the service sets only those that logging in needs, and only when you ask for it. Favourites and the names of alerts stay in the browser.',
};

const PROCESSORS_TITLE: LocalizedText = { ro: 'Cine prelucrează datele pentru noi', en: 'Who processes data for us' };

const STRIPE: LocalizedText = {
  ro: 'Plățile: [Stripe](https://stripe.com/privacy), care primește adresa de e-mail, planul și datele de plată și facturare. Stripe poate transfera date în afara UE, cu clauze contractuale standard. Datele cardului nu ajung la noi; facturile se păstrează acolo cât cere legea.',
  en: 'Payments: [Stripe](https://stripe.com/privacy), which receives the e-mail address, the plan, and the data of payment and invoice. Stripe may transfer data outside the EU under standard contractual clauses. Card data never reach us; invoices are kept there for as long as the law requires.',
};

const MAIL_RELAY: LocalizedText = {
  ro: 'Mesajele: serverul de e-mail ales de operator, care primește adresa și textul mesajului, deci și cheia trimisă.',
  en: 'Mails: the mail relay that the operator chose, which receives the address and the text of the mail, and so the key that is sent.',
};

const ACCOUNT_RIGHTS: LocalizedText = {
  ro: `Din [cont](${BILLING_PATHS.account.ro}) puteți descărca datele dumneavoastră și șterge contul; un abonament activ se anulează întâi. Temeiurile sunt contractul și obligațiile legale (art. 6 alin. 1 lit. b și c GDPR).`,
  en: `In your [account](${BILLING_PATHS.account.en}) you can download your data and delete the account; a live subscription is cancelled first. The legal bases are the contract and legal duties (Art. 6(1)(b) and (c) GDPR).`,
};

/** Who answers for the data; unknown where nothing is sold. */
function controller({ selling }: Pick<SiteData, 'selling'>, language: Language): Html | null {
  if (selling?.seller == null) return null;
  const { name, address, contact } = selling.seller;
  const words: LocalizedText = {
    ro: `Operatorul datelor este ${name}, ${address}, ${contact}.`,
    en: `The controller of the data is ${name}, ${address}, ${contact}.`,
  };
  return html`<p>${words[language]}</p>\n`;
}

/** Who else gets data of customers; nobody where nothing is sold or given. */
function processors({ selling }: Pick<SiteData, 'selling'>, language: Language): Html | null {
  if (selling === null) return null;
  const items = selling.seller === null ? [MAIL_RELAY] : [STRIPE, MAIL_RELAY];
  return html`<h2 id="prelucrare">${PROCESSORS_TITLE[language]}</h2>
<ul>${items.map((item) => html`<li>${inlineMarkup(item[language])}</li>\n`)}</ul>
<p>${inlineMarkup(ACCOUNT_RIGHTS[language])}</p>`;
}

const NOT_KEPT: readonly LocalizedText[] = [
  {
    ro: 'Programul de navigare (`User-Agent`): este citit pentru limita roboților de căutare și nu este păstrat.',
    en: 'The browser (`User-Agent`): it is read to apply the limit for crawlers, and is not kept.',
  },
  {
    ro: 'Căutările, pozițiile și traseele nu se păstrează și nu apar în jurnale. Punctele din `/traseu/custom` pot ajunge la un server de rutare, iar cele din `/de-statii` și centrul localității căutate pe `/germania` la sursa germană, fără adresa solicitantului.',
    en: 'Searches, positions and journeys are not kept and appear in no log. The points of `/traseu/custom` may reach a routing server, and those of `/de-statii` and the centre of a town searched for on `/germania` the German source, without the visitor’s IP address.',
  },
];

/** Which other services take part in checking a review with text. */
const CAPTCHA: Readonly<Record<CaptchaKind, readonly LocalizedText[]>> = {
  altcha: [
    {
      ro: 'O recenzie sau o semnalare cu text se verifică fără alt serviciu: browserul rezolvă un mic calcul, iar rezultatul ajunge numai la noi.',
      en: 'A review or report with text is checked without any other service: the browser solves a small computation, and the result reaches only us.',
    },
  ],
  recaptcha: [
    {
      ro: 'Verificarea captcha a unei recenzii sau semnalări cu text are loc la furnizorul ei, de obicei Google (reCAPTCHA); noi îi trimitem doar jetonul, nu adresa.',
      en: 'The captcha check of a review or report with text takes place at its provider, usually Google (reCAPTCHA); we send it only the token, not the address.',
    },
  ],
  none: [],
};

const CAPTCHA_SCRIPT: LocalizedText = {
  ro: 'Scriptul furnizorului se încarcă în browser numai dacă atingeți câmpurile pentru text și poate scrie cookie-uri ale lui, ca `_GRECAPTCHA`.',
  en: 'The provider’s script is loaded in the browser only if you touch the fields for a text, and may set cookies of its own, such as `_GRECAPTCHA`.',
};

const LOGIN_CAPTCHA: LocalizedText = {
  ro: 'Cât timp se cer foarte multe linkuri de intrare, formularele care cer unul se verifică la fel.',
  en: 'While very many login links are asked for, the forms that ask for one are checked in the same way.',
};

/** Which pictures pages load from another service. */
function mapPictures({ origin }: MapTiles): LocalizedText {
  const { host } = new URL(origin);
  return {
    ro: `Imaginile hărții de la [/harta](/harta) vin de la \`${host}\`, un serviciu terț: browserul îi cere bucățile de hartă pe care le priviți, deci serviciul află adresa dumneavoastră IP, ce parte a hărții priviți și adresa site-ului nostru.`,
    en: `The pictures of the map at [/en/map](/en/map) come from \`${host}\`, a third-party service: your browser asks it for the parts of the map that you look at, so that it learns your IP address, which part of the map you look at, and the address of our site.`,
  };
}

const NOTHING_FROM_OTHERS: LocalizedText = {
  ro: 'Paginile nu încarcă nimic de pe alte servere.',
  en: 'Pages load nothing from other servers.',
};

const NOTHING_ELSE_FROM_OTHERS: LocalizedText = {
  ro: 'În rest, paginile nu încarcă nimic de pe alte servere.',
  en: 'Pages load nothing else from other servers.',
};

/** What comes to the browser, or leaves it, by way of other services. */
function otherServices(data: Pick<SiteData, 'captcha' | 'captchaSiteKey' | 'mapTiles' | 'selling'>): LocalizedText[] {
  const { captcha, mapTiles, selling } = data;
  return [
    ...CAPTCHA[captcha],
    ...(captcha === 'none' || selling === null ? [] : [LOGIN_CAPTCHA]),
    ...(admitsRecaptcha(data) ? [CAPTCHA_SCRIPT] : []),
    ...(mapTiles === null ? [] : [mapPictures(mapTiles)]),
    admitsRecaptcha(data) || mapTiles !== null ? NOTHING_ELSE_FROM_OTHERS : NOTHING_FROM_OTHERS,
    ALERT_MESSAGES,
  ];
}

const ALERT_MESSAGES: LocalizedText = {
  ro: 'Mesajele de alertă trec criptate prin serviciul push al browserului.',
  en: 'Alert messages pass encrypted through the push service of the browser.',
};

const COPIES_TITLE: LocalizedText = {
  ro: 'Copii de siguranță și locul datelor',
  en: 'Backups, and where the data are',
};

const COPIES: LocalizedText = {
  ro: 'Datele se află în baza de date a operatorului: în dosarul de date al serviciului sau, pornită ca root, în `/var/lib/pompa`, ori pe serverul PostgreSQL ales de operator. Copiile de siguranță conțin aceleași date, fără cheile amprentelor: o amprentă dintr-o copie nu mai duce la o adresă. Ce se șterge rămâne în copiile mai vechi până când operatorul șterge acele fișiere; documentația îi recomandă două săptămâni.',
  en: 'The data are in the operator’s database: in the data folder of the service or, when started as root, in `/var/lib/pompa`, or on the PostgreSQL server that the operator chose. Backups contain the same data, without the keys of the hashes: a hash in a backup reveals no address. What is deleted stays in older backups until the operator deletes those files; the documentation recommends two weeks.',
};

const RIGHTS_TITLE: LocalizedText = { ro: 'Drepturi și contact', en: 'Rights and contact' };

const RIGHTS: LocalizedText = {
  ro: 'Puteți cere accesul la datele dumneavoastră, rectificarea, ștergerea, restricționarea sau portabilitatea lor și vă puteți opune prelucrării. Operatorul poate șterge tot ce ține de o adresă IP sau de o adresă de e-mail. O recenzie sau o semnalare mai veche se găsește după stație și text, o abonare după adresa ei push. Vă puteți plânge la autoritatea de protecție a datelor; în România: [ANSPDCP](https://www.dataprotection.ro).',
  en: 'You may ask for access to your data, for their rectification, erasure, restriction or portability, and object to their processing. The operator can erase everything of an IP address or of an e-mail address. An older review or report is found by its station and text, a subscription by its push address. You may complain to the data protection authority; in Romania: [ANSPDCP](https://www.dataprotection.ro).',
};
