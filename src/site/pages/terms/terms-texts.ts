/** The terms of use, section by section; limits are the constants that the program enforces. */
import { ANONYMOUS_LIMITS, GERMANY_RATE_LIMIT, KEY_RATE_LIMITS } from '../../../domain/access/request-limits.ts';
import { REJECTED_REVIEW_DAYS } from '../../../domain/access/retention.ts';
import { WITHDRAWAL_DAYS } from '../../../domain/billing/withdrawal-right.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { MAX_COMMENT_LENGTH, MAX_NICKNAME_LENGTH, MAX_REVIEWS_PER_DAY } from '../../../domain/review.ts';
import { GERMAN_SOURCE, LICENCE, SERVICE_NAME } from '../../../domain/service-identity.ts';
import { text } from '../../html/text.ts';
import type { TermsSection } from '../../terms/selling-terms.ts';

export const TEXTS = {
  heading: text('Termeni de utilizare', 'Terms of use'),
  title: text(
    (stations: string) => `Termeni de utilizare: site, API și date din ${stations}`,
    (stations: string) => `Terms of use: site, API and fuel prices of ${stations}`,
  ),
  description: text(
    (stations: string) =>
      `Ce puteți face cu site-ul, API-ul și prețurile din ${stations}, ce nu garantăm, regulile recenziilor și cum ne contactați.`,
    (stations: string) =>
      `What you may do with the site, the API and the prices of ${stations}, what is not warranted, the rules for reviews, and contact.`,
  ),
  lead: text(
    'Pe scurt: site-ul este gratuit și fără cont, datele se pot refolosi dacă menționați sursa, iar la plată contează prețul afișat la pompă.',
    'In short: the site is free and needs no account, the data may be reused if you credit the source, and the price at the pump is the one you pay.',
  ),
  leadWithOrders: text(
    `Pe scurt: site-ul este gratuit și fără cont, datele se pot refolosi dacă menționați sursa, la plată contează prețul afișat la pompă, iar planurile API se anulează oricând, cu retragere în ${WITHDRAWAL_DAYS} zile.`,
    `In short: the site is free and needs no account, the data may be reused if you credit the source, the price at the pump is the one you pay, and API plans can be cancelled at any time, with withdrawal within ${WITHDRAWAL_DAYS} days.`,
  ),
  contact: text('Contact', 'Contact'),
};

export const TERMS: readonly TermsSection[] = [
  {
    id: 'serviciul',
    title: { ro: 'Serviciul', en: 'The service' },
    items: [
      {
        ro: `${SERVICE_NAME} adună prețuri publice ale carburanților din România și le arată pe acest site și printr-un API. „Operatorul” este cel care ține acest serviciu în funcțiune, la adresa de contact de mai jos.`,
        en: `${SERVICE_NAME} collects public fuel prices of Romania and shows them on this site and by an API. The “operator” is whoever runs this service, at the contact address below.`,
      },
      {
        ro: 'Folosirea site-ului este gratuită și nu cere cont. Folosind site-ul sau API-ul, acceptați acești termeni.',
        en: 'Using the site is free and needs no account. By using the site or the API you accept these terms.',
      },
      {
        ro: 'Serviciul nu este al rețelelor de benzinării, nici al autorităților; numele și mărcile rețelelor aparțin titularilor lor și sunt folosite numai pentru a arăta ale cui sunt prețurile.',
        en: 'The service belongs neither to the networks nor to the authorities; names and brands of networks belong to their owners and are used only to say whose prices are shown.',
      },
    ],
  },
  {
    id: 'preturi',
    title: { ro: 'Prețurile', en: 'The prices' },
    items: [
      {
        ro: 'Contează prețul afișat la pompă. Prețurile de aici sunt informative, nu o ofertă, și pot fi în urmă, incomplete sau greșite la sursă.',
        en: 'The price shown at the pump is the one that holds. The prices here are for information, not an offer, and may be late, incomplete or wrong at their source.',
      },
      {
        ro: `Fiecare preț are sursa și vechimea lui; cele îndoielnice sunt marcate. Regulile sunt la [metodologie](${ROUTES.method.ro}), situația de acum la [starea datelor](${ROUTES.status.ro}).`,
        en: `Every price has its source and age; doubtful ones are marked. The rules are on the page of the [method](${ROUTES.method.en}), the present situation on that of the [status](${ROUTES.status.en}).`,
      },
      {
        ro: 'Harta, distanțele, timpii de drum și economiile sunt estimări; nu înlocuiesc regulile de circulație și judecata șoferului.',
        en: 'The map, distances, driving times and savings are estimates; they replace neither the traffic rules nor the driver’s judgement.',
      },
    ],
  },
  {
    id: 'date',
    title: { ro: 'Refolosirea datelor', en: 'Reuse of the data' },
    items: [
      {
        ro: `Datele sunt sub licența [${LICENCE.name}](${LICENCE.url}): le puteți copia, schimba și folosi, și comercial, dacă menționați ${SERVICE_NAME} și licența. [Cum se citează](${ROUTES.data.ro}#licenta).`,
        en: `The data are under [${LICENCE.name}](${LICENCE.url}): you may copy, change and use them, commercially too, if you credit ${SERVICE_NAME} and name the licence. [How to cite](${ROUTES.data.en}#licenta).`,
      },
      {
        ro: `Prețurile din Germania au altă sursă, care se menționează separat: [${GERMAN_SOURCE.credit}](${GERMAN_SOURCE.url}).`,
        en: `The prices in Germany have another source, to be credited separately: [${GERMAN_SOURCE.credit}](${GERMAN_SOURCE.url}).`,
      },
      {
        ro: 'Când arătați prețuri, arătați și vechimea lor, și nu prezentați prețurile nesigure sau expirate ca fiind actuale.',
        en: 'Where you show prices, please show their age as well, and do not present doubtful or expired prices as current.',
      },
    ],
  },
  {
    id: 'api',
    title: { ro: 'API-ul și limitele', en: 'The API and its limits' },
    items: [
      {
        ro: `Fără cheie, unele adrese ale API-ului răspund, fiecare, o dată la ${ANONYMOUS_LIMITS.capDays} zile unei adrese IP; cu o cheie, până la ${KEY_RATE_LIMITS.perSecond} cereri pe secundă și ${KEY_RATE_LIMITS.perMinute} pe minut, în cota [planului](${ROUTES.plans.ro}). Canalul german: ${GERMANY_RATE_LIMIT.perMinute} de cereri pe minut.`,
        en: `Without a key, some endpoints of the API answer an IP address once every ${ANONYMOUS_LIMITS.capDays} days each; with one, up to ${KEY_RATE_LIMITS.perSecond} requests per second and ${KEY_RATE_LIMITS.perMinute} per minute, within the quota of the [plan](${ROUTES.plans.en}). The German channel: ${GERMANY_RATE_LIMIT.perMinute} requests per minute.`,
      },
      {
        ro: 'Nu ocoliți limitele, nu perturbați serviciul și nu publicați o cheie. Operatorul poate revoca o cheie folosită astfel.',
        en: 'Do not evade the limits, do not disturb the service, and do not publish a key. The operator may revoke a key that is used so.',
      },
      {
        ro: `Numele câmpurilor din [API](${ROUTES.docs.ro}) nu se schimbă în versiunea 1; site-ul se poate schimba oricând.`,
        en: `Names of fields of the [API](${ROUTES.docs.en}) do not change within version 1; the site may change at any time.`,
      },
    ],
  },
  {
    id: 'recenzii',
    title: { ro: 'Recenziile', en: 'Reviews' },
    items: [
      {
        ro: `O recenzie are 1 până la 5 stele și, dacă doriți, un nume (cel mult ${MAX_NICKNAME_LENGTH} de caractere) și un text (cel mult ${MAX_COMMENT_LENGTH} de caractere). De la o adresă IP: una pe zi pentru o stație și cel mult ${MAX_REVIEWS_PER_DAY} pe zi în total.`,
        en: `A review has 1 to 5 stars and, if you like, a name (at most ${MAX_NICKNAME_LENGTH} characters) and a text (at most ${MAX_COMMENT_LENGTH} characters). From one IP address: one a day for a station, and at most ${MAX_REVIEWS_PER_DAY} a day in all.`,
      },
      {
        ro: 'Scrieți despre ce ați trăit chiar dumneavoastră, la acea stație. Nu se publică: insulte, discriminare, date despre alte persoane, reclame, acuzații de infracțiuni, texte copiate sau recenzii plătite.',
        en: 'Write about what you yourself experienced at that station. Not published: insults, discrimination, data about other people, advertisements, accusations of crimes, copied texts, or paid reviews.',
      },
      {
        ro: `Stelele apar imediat. O recenzie cu text apare după ce o citește un om, cu stelele ei cu tot; una respinsă se șterge după ${REJECTED_REVIEW_DAYS} de zile. Textele nu se rescriu: se publică sau nu.`,
        en: `Stars appear at once. A review with text appears after a person has read it, its stars included; a rejected one is deleted after ${REJECTED_REVIEW_DAYS} days. Texts are not rewritten: they are published or not.`,
      },
      {
        ro: 'Textul rămâne al dumneavoastră; permiteți afișarea lui aici și prin API. Puteți cere oricând ștergerea lui, iar cine se simte vătămat de o recenzie o poate semnala la contact.',
        en: 'The text remains yours; you permit it to be shown here and by the API. You may ask for its deletion at any time, and anybody harmed by a review can report it to the contact below.',
      },
    ],
  },
  {
    id: 'raspundere',
    title: { ro: 'Fără garanție', en: 'No warranty' },
    items: [
      {
        ro: 'Serviciul este oferit așa cum este. Operatorul nu garantează că prețurile sunt corecte sau complete, nici că serviciul merge fără întrerupere, și nu răspunde pentru pagube din folosirea lor, în limitele legii.',
        en: 'The service is provided as it is. The operator does not warrant that prices are correct or complete, or that the service runs without interruption, and is not liable for damage from their use, as far as the law permits.',
      },
      {
        ro: 'Nimic de aici nu îngrădește drepturile pe care legea le dă consumatorilor și nu exclude răspunderea pentru intenție sau culpă gravă.',
        en: 'Nothing here limits the rights that the law gives to consumers, or excludes liability for intent or gross negligence.',
      },
      {
        ro: `Ce date despre persoane se păstrează și cât timp: [confidențialitate](${ROUTES.privacy.ro}).`,
        en: `Which data about people are kept, and for how long: [privacy](${ROUTES.privacy.en}).`,
      },
    ],
  },
  {
    id: 'schimbari',
    title: { ro: 'Schimbări și legea aplicabilă', en: 'Changes and applicable law' },
    items: [
      {
        ro: 'Operatorul poate schimba acești termeni; contează cei de pe această pagină la data folosirii. Licența datelor deja publicate nu se retrage.',
        en: 'The operator may change these terms; those on this page at the time of use apply. The licence of data already published is not withdrawn.',
      },
      {
        ro: 'Se aplică legea română. Consumatorii pot folosi și instanțele de la domiciliul lor.',
        en: 'Romanian law applies. Consumers may also turn to the courts of their place of residence.',
      },
    ],
  },
];
