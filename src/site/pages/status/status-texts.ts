/** The texts of the status page. */

import { type DoubtReason, MAX_PRICE_AGE_MS } from '../../../domain/prices/price-verdict.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import { durationInWords } from '../../html/duration.ts';
import { type Text, text } from '../../html/text.ts';
import type { SourceState, VerdictKind } from './status-data.ts';

/** How long a price outlives the last delivery of its source. */
const TIMEOUT = { ro: durationInWords(MAX_PRICE_AGE_MS, 'ro'), en: durationInWords(MAX_PRICE_AGE_MS, 'en') };

export const TEXTS = {
  heading: text('Starea datelor', 'Data status'),
  title: text(
    (stations: string, age: string) => `Starea datelor: ${stations}, prețuri de acum ${age}`,
    (stations: string, age: string) => `Data status: prices of ${stations}, updated ${age} ago`,
  ),
  titleOfAge: text(
    (age: string) => `Starea datelor: prețuri de acum ${age}`,
    (age: string) => `Data status: prices updated ${age} ago`,
  ),
  titleWithout: text(
    `Starea datelor: încă nu a fost publicat niciun preț | ${SERVICE_NAME}`,
    `Data status: no price has been published yet on ${SERVICE_NAME}`,
  ),
  description: text(
    (prices: string, stations: string, day: string) =>
      `Cât de proaspete sunt prețurile: ${prices} din ${stations}, pe ${day}; ultima livrare a fiecărei surse, prețuri nesigure, incidente.`,
    (prices: string, stations: string, day: string) =>
      `How fresh the prices are: ${prices} of ${stations} on ${day}; the last delivery of each source, doubtful prices, incidents.`,
  ),
  fresh: text(
    `Prețurile sunt la zi: fiecare sursă de prețuri a livrat în ultimele ${TIMEOUT.ro}.`,
    `Prices are up to date: every price source delivered within the last ${TIMEOUT.en}.`,
  ),
  degraded: text(
    'Stare degradată: lipsesc date. Mai jos scrie ce și de când.',
    'Degraded: data are missing. See below which, and since when.',
  ),
  noSource: text('Nicio sursă de prețuri nu este în serviciu.', 'No price source is in service.'),
  noPrice: text('Nu există acum niciun preț de afișat.', 'No price is available now.'),
  sources: text('Sursele', 'Sources'),
  source: text('Sursa', 'Source'),
  state: text('Stare', 'State'),
  delivered: text('Ultima livrare', 'Last delivery'),
  downloaded: text('Ultima descărcare', 'Last download'),
  covers: text('Acoperă acum', 'Covers now'),
  never: text('niciodată', 'never'),
  ago: text(
    (age: string) => `acum ${age}`,
    (age: string) => `${age} ago`,
  ),
  from: text(
    (prices: string, stations: string) => `${prices} din ${stations}`,
    (prices: string, stations: string) => `${prices} of ${stations}`,
  ),
  manual: text(
    (prices: string, stations: string) =>
      `În plus, ${prices} din ${stations} vin din rapoarte verificate de operator; acestea nu au un ritm și nu intră în starea de mai sus.`,
    (prices: string, stations: string) =>
      `In addition, ${prices} of ${stations} come from reports that the operator checked; they come irregularly and do not affect the state above.`,
  ),
  locators: text(
    'Listele de stații ale rețelelor (adrese, orare, servicii) se citesc o dată pe zi și nu conțin prețuri:',
    'The station lists of networks (addresses, hours, services) are read once a day and have no prices:',
  ),
  locatorDelivered: text(
    (source: string, ago: string) => `${source}: ultima livrare ${ago}`,
    (source: string, ago: string) => `${source}: last delivery ${ago}`,
  ),
  rhythm: text(
    (every: string) =>
      `Fiecare sursă este citită o dată la ${every}. O „livrare” este o citire completă și plauzibilă; o „descărcare” poate fi și una pusă deoparte la verificare (regula 32).`,
    (every: string) =>
      `Each source is read once every ${every}. A “delivery” is a complete, plausible reading; a “download” may also be one that the check set aside (rule 32).`,
  ),
  incidents: text('Incidente', 'Incidents'),
  noIncident: text('Niciun incident acum: nicio sursă nu întârzie.', 'No incident now: no source is late.'),
  prices: text('Prețurile, după stare', 'Prices by state'),
  pricesAbout: text(
    'O înregistrare este un carburant la o benzinărie. Numai prețurile de încredere intră în minime, medii și clasamente.',
    'A record is one fuel at one station. Only trusted prices count in minimums, averages and rankings.',
  ),
  fuel: text('Carburant', 'Fuel'),
  all: text('Toate', 'All'),
  total: text('Înregistrări', 'Records'),
  doubts: text('De ce sunt unele prețuri nesigure', 'Why some prices are doubtful'),
  figures: text('Aceleași cifre ca în API', 'The same figures as in the API'),
  figuresAbout: text(
    'Programele le pot citi, fără cheie și fără limită, de la [`/api/v1/health`](/api/v1/health).',
    'Programs can read them, without a key or a cap, from [`/api/v1/health`](/api/v1/health).',
  ),
  method: text('Ce înseamnă fiecare stare: metodologia', 'What each state means: the method'),
  notKnown: text('nu se cunoaște', 'not known'),
  stationsWithPrice: text('Benzinării cu preț', 'Stations with a price'),
  ofStations: text(
    (stations: string) => `din ${stations} cunoscute`,
    (stations: string) => `of ${stations} known`,
  ),
  available: text('Prețuri disponibile', 'Prices available'),
  ofRecords: text(
    (records: string) => `din ${records} de perechi benzinărie–carburant`,
    (records: string) => `of ${records} pairs of station and fuel`,
  ),
  dataAge: text('Vechimea ultimei actualizări', 'Age of the last update'),
};

export const STATE_WORDS: Text<Readonly<Record<SourceState['state'], string>>> = text(
  { current: 'la zi', late: 'întârzie', silent: 'tace', never: 'fără livrări' },
  { current: 'up to date', late: 'late', silent: 'silent', never: 'no delivery yet' },
);

export const KIND_WORDS: Text<Readonly<Record<VerdictKind, string>>> = text(
  { trusted: 'De încredere', doubtful: 'Nesigure', expired: 'Expirate', incoherent: 'Retrase', unknown: 'Necunoscute' },
  { trusted: 'Trusted', doubtful: 'Doubtful', expired: 'Expired', incoherent: 'Withdrawn', unknown: 'Not known' },
);

export const REASON_WORDS: Text<Readonly<Record<DoubtReason, string>>> = text(
  {
    stuck: 'neschimbate, deși prețurile rețelei s-au mișcat',
    stale: 'observate de prea mult timp',
    orphaned: 'sursa nu mai listează stația',
  },
  {
    stuck: 'unchanged while the network’s prices moved',
    stale: 'observed too long ago',
    orphaned: 'the source no longer lists the station',
  },
);

/** What is wrong with a source, as a sentence; `age` is the time since its last delivery. */
export const INCIDENTS: Text<(source: string, age: string) => Readonly<Record<SourceState['state'], string | null>>> =
  text(
    (source, age) => ({
      current: null,
      late: `${source} nu a mai livrat de ${age}, mai mult decât de obicei. Prețurile ei rămân afișate până la ${TIMEOUT.ro}.`,
      silent: `${source} nu a mai livrat de ${age}. Prețurile ei au fost retrase: benzinăriile fără altă sursă apar cu preț expirat.`,
      never: `${source} nu a livrat încă niciodată.`,
    }),
    (source, age) => ({
      current: null,
      late: `${source} has not delivered for ${age}, longer than usual. Its prices stay for up to ${TIMEOUT.en}.`,
      silent: `${source} has not delivered for ${age}. Its prices are withdrawn: stations without another source show an expired price.`,
      never: `${source} has never delivered yet.`,
    }),
  );

/** A station list that is late; `age` is the time since its last delivery, `null` = there was none. */
export const LOCATOR_INCIDENT: Text<(source: string, age: string | null) => string> = text(
  (source, age) =>
    `${source} ${age === null ? 'nu a livrat încă niciodată' : `nu a mai livrat de ${age}`}. Prețurile nu depind de ea; orarele, telefoanele și serviciile pot fi vechi.`,
  (source, age) =>
    `${source} has ${age === null ? 'never delivered yet' : `not delivered for ${age}`}. No price depends on it; hours, telephones and services may be old.`,
);

export const SET_ASIDE: Text<(source: string, time: string) => string> = text(
  (source, time) =>
    `${source} a răspuns pe ${time}, dar citirea a fost pusă deoparte la verificare; rămân valabile prețurile livrate înainte.`,
  (source, time) =>
    `${source} answered on ${time}, but the reading was set aside by the check; the prices delivered before still hold.`,
);
