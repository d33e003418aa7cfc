/** How prices are collected, judged and averaged, in words; every number is the constant that the program uses. */
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import {
  AGREEMENT_TOLERANCE,
  LARGE_MOVE,
  MAX_NEW_SHARE,
  MEDIAN_MAX_RUNS,
  MIN_ANSWERED,
  MIN_NEW_ALLOWED,
  MIN_ROWS_SHARE,
  RECENT_MS,
} from '../../../domain/prices/plausibility.ts';
import { MAX_PRICE_AGE_MS } from '../../../domain/prices/price-verdict.ts';
import { MAX_KM_TO_LOCALITY } from '../../../domain/prices/remote-stations.ts';
import { CROSS_SOURCE_RADII_KM } from '../../../domain/stations/link-by-place.ts';
import { durationInWords } from '../../html/duration.ts';

export type MethodSection = {
  readonly id: string;
  readonly title: LocalizedText;
  readonly paragraphs: readonly LocalizedText[];
  readonly rules: readonly number[];
};

const percent = (share: number) => `${Math.round(share * 100)}%`;
const both = (make: (language: Language) => string): LocalizedText => ({ ro: make('ro'), en: make('en') });
const timeout = both((language) => durationInWords(MAX_PRICE_AGE_MS, language));
const recent = both((language) => durationInWords(RECENT_MS, language));
const answered = percent(MIN_ANSWERED);
const rows = percent(MIN_ROWS_SHARE);
const move = percent(LARGE_MOVE);
const tolerance = percent(AGREEMENT_TOLERANCE);
const newShare = percent(MAX_NEW_SHARE);
const radii = CROSS_SOURCE_RADII_KM.map((km) => `${km * 1000} m`);

/** Which of several prices counts; shown below the table of sources. */
export const PRECEDENCE: readonly LocalizedText[] = [
  {
    ro: `Dacă mai multe surse au un preț pentru același carburant la aceeași stație, contează cea de mai sus în tabel; între surse la fel de bune, cea mai nouă. Un preț nesigur lasă locul unuia de încredere dintr-o sursă mai jos. O sursă care tace de ${timeout.ro} nu mai contează, iar când nu mai rămâne niciuna, prețul este retras.`,
    en: `Where several sources have a price of the same fuel at the same station, the one higher in the table counts; among equals, the newest. A doubtful price yields to a trusted one of a lower source. A source that has been silent for ${timeout.en} no longer counts, and when none is left, the price is withdrawn.`,
  },
  {
    ro: 'Păstrăm ce au spus sursele, nu concluzii: dacă un preț este de încredere se hotărăște din nou la fiecare publicare, la miezul nopții și în clipa în care un preț expiră.',
    en: 'We store what the sources said, not conclusions: whether a price can be trusted is decided again at every publication, at midnight, and at the moment a price expires.',
  },
];

/** What follows the tables. */
export const METHOD_SECTIONS: readonly MethodSection[] = [
  {
    id: 'citiri',
    title: { ro: 'Când o citire este pusă deoparte', en: 'When a reading is set aside' },
    paragraphs: [
      {
        ro: `O citire contează dacă au răspuns cel puțin ${answered} din părțile sursei. Este pusă deoparte, fără să schimbe vreun preț, dacă nu are niciun preț valid, dacă are mai puțin de ${rows} din rândurile obișnuite (mediana ultimelor ${MEDIAN_MAX_RUNS} citiri), dacă peste jumătate din prețuri s-au mișcat cu mai mult de ${move} față de o citire mai nouă de ${recent.ro}, sau dacă ar adăuga dintr-odată peste ${MIN_NEW_ALLOWED} de stații și peste ${newShare} din cele știute.`,
        en: `A reading counts if at least ${answered} of the source’s parts answered. It is set aside, and changes no price, if it has no valid price; if it has fewer than ${rows} of the usual rows (the median of the last ${MEDIAN_MAX_RUNS} readings); if more than half of the prices moved by more than ${move} since a reading less than ${recent.en} old; or if it would add more than ${MIN_NEW_ALLOWED} stations at once, and more than ${newShare} of those known.`,
      },
      {
        ro: `A treia citire la rând care se potrivește cu cea dinainte, la ${tolerance}, este acceptată: atunci piața s-a mișcat cu adevărat. Pentru stații noi, hotărăște operatorul.`,
        en: `The third reading in a row that agrees with the one before within ${tolerance} is accepted: then the market has really moved. For new stations, the operator decides.`,
      },
    ],
    rules: [32],
  },
  {
    id: 'medii',
    title: { ro: 'Minime, medii și clasamente', en: 'Minimums, averages and rankings' },
    paragraphs: [
      {
        ro: 'Numai prețurile de încredere contează. Prețul unui oraș este cel mai mic dintre stațiile lui; al unui județ, media acestor minime; al unei rețele și al țării, media stațiilor. Mediile au două zecimale, jumătățile se rotunjesc în sus; prețul unei stații păstrează până la trei.',
        en: 'Only trusted prices count. The price of a city is the lowest of its stations; of a county, the average of those minimums; of a network and of the country, the average of the stations. Averages have two decimals, half up; a station’s price keeps up to three.',
      },
      {
        ro: 'Un preț care lipsește este „necunoscut”, niciodată zero, și nu intră în nicio medie.',
        en: 'A missing price is “not known”, never zero, and is in no average.',
      },
    ],
    rules: [23, 24],
  },
  {
    id: 'zile',
    title: { ro: 'Zilele și istoricul', en: 'Days and history' },
    paragraphs: [
      {
        ro: 'O zi este ziua din București. Valoarea unei zile este prețul pe care regulile de aici îl dau din ce se știa la sfârșitul ei; contează ultima publicare a zilei. O zi fără măsurătoare rămâne un gol vizibil. Schimbarea pe un interval este ultimul preț cunoscut minus primul.',
        en: 'A day is the day in Bucharest. The value of a day is the price that these rules give from what was known at its end; the last publication of the day counts. A day without a measurement stays a visible gap. The change over a window is the last known price minus the first.',
      },
    ],
    rules: [20, 30, 31],
  },
  {
    id: 'statii',
    title: { ro: 'Stațiile', en: 'Stations' },
    paragraphs: [
      {
        ro: `Aceeași stație apare în mai multe surse sub nume diferite. O recunoaștem după loc: în aceeași rețea, până la ${radii.join(', apoi ')}, cea mai apropiată întâi. Dacă o a doua este la mai puțin de dublul distanței, nu le legăm: mai bine fără preț decât cu prețul altei stații. Identificatorul unei stații nu se schimbă niciodată, nici când se mută sau își schimbă marca.`,
        en: `The same station appears in several sources under different names. We recognise it by place: within one network, up to ${radii.join(', then ')}, the nearest first. If a second one is less than twice as far, they are not linked: better no price than that of another station. A station’s identifier never changes, even when it moves or changes its brand.`,
      },
      {
        ro: `Orașul unei stații este cel declarat de sursă, altfel cea mai apropiată localitate. O stație fără oraș declarat, la peste ${MAX_KM_TO_LOCALITY} km de orice localitate din România, este refuzată: este în străinătate.`,
        en: `A station’s city is the one that its source declares, else the nearest place. A station without a declared city, more than ${MAX_KM_TO_LOCALITY} km from every place in Romania, is refused: it lies abroad.`,
      },
    ],
    rules: [21, 28, 29],
  },
];
