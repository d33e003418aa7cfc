/** Every flag that a price or a station can carry in the API, in words, with the rule behind it. */

import type { LocalizedText } from '../../../domain/localized-text.ts';
import { NEAREST_LOCALITIES, OUTSIDE_COUNTY_KM } from '../../../domain/places/county-check.ts';
import {
  MAX_PRICE_AGE_MS,
  ORPHAN_PRICE_MS,
  ORPHAN_RECORD_MS,
  STALE_DAYS,
  STUCK_DAYS,
} from '../../../domain/prices/price-verdict.ts';
import { MIN_OTHER_STATIONS } from '../../../domain/prices/stuck-price.ts';
import { counted, DAYS } from '../../html/counted.ts';
import { durationInWords } from '../../html/duration.ts';

export type Flag = {
  /** As the API has it, with its value where that matters. */
  readonly code: string;
  readonly name: LocalizedText;
  readonly meaning: LocalizedText;
  readonly rules: readonly number[];
};

const timeout = { ro: durationInWords(MAX_PRICE_AGE_MS, 'ro'), en: durationInWords(MAX_PRICE_AGE_MS, 'en') };
const orphanPrice = { ro: durationInWords(ORPHAN_PRICE_MS, 'ro'), en: durationInWords(ORPHAN_PRICE_MS, 'en') };
const orphanRecord = { ro: durationInWords(ORPHAN_RECORD_MS, 'ro'), en: durationInWords(ORPHAN_RECORD_MS, 'en') };
const stuck = { ro: counted(STUCK_DAYS, DAYS, 'ro'), en: counted(STUCK_DAYS, DAYS, 'en') };
const stale = { ro: counted(STALE_DAYS, DAYS, 'ro'), en: counted(STALE_DAYS, DAYS, 'en') };

/** What can be said about a price. */
export const PRICE_FLAGS: readonly Flag[] = [
  {
    code: 'motiv_nesigur: blocat',
    name: { ro: 'Neschimbat suspect de mult', en: 'Stuck' },
    meaning: {
      ro: `Prețul stă pe loc de cel puțin ${stuck.ro}, timp în care cel puțin jumătate din celelalte stații ale rețelei cu același carburant și l-au schimbat, după aceeași sursă. Nu se aplică rețelelor cu mai puțin de ${MIN_OTHER_STATIONS} alte stații.`,
      en: `The price has not changed for at least ${stuck.en}, while at least half of the network’s other stations with that fuel changed theirs, by the same source. It does not apply with fewer than ${MIN_OTHER_STATIONS} other stations.`,
    },
    rules: [26],
  },
  {
    code: 'motiv_nesigur: observatie_veche',
    name: { ro: 'Observat de mult', en: 'Stale' },
    meaning: {
      ro: `Data pe care o dă chiar sursa are o vechime de cel puțin ${stale.ro}.`,
      en: `The date that the source itself gives is at least ${stale.en} old.`,
    },
    rules: [26],
  },
  {
    code: 'motiv_nesigur: orfan_anpc',
    name: { ro: 'Orfan', en: 'Orphaned' },
    meaning: {
      ro: `Registrul național a fost citit complet și nu mai trimite rândul. Prețul rămâne cel mult ${orphanPrice.ro}, stația pe hartă cel mult ${orphanRecord.ro}. La celelalte surse, un rând care dispare este scos imediat.`,
      en: `The national register was read completely and no longer sends the row. The price stays for at most ${orphanPrice.en}, the station on the map for at most ${orphanRecord.en}. A row that any other source drops is gone at once.`,
    },
    rules: [26],
  },
  {
    code: 'nesigur',
    name: { ro: 'Nesigur', en: 'Doubtful' },
    meaning: {
      ro: 'Unul dintre cele trei motive de mai sus; se dă primul care se potrivește. Prețul este arătat în gri, dar nu intră în minime, medii și clasamente.',
      en: 'One of the three reasons above; the first that applies is given. The price is shown greyed, but is in no minimum, mean or ranking.',
    },
    rules: [24, 26],
  },
  {
    code: 'nesigur_din',
    name: { ro: 'Nesigur din', en: 'Doubtful since' },
    meaning: {
      ro: 'Ziua de când prețul stă pe loc sau ziua ultimei observații; la un orfan nu există.',
      en: 'The day since which the price stands still, or of the last observation; an orphan has none.',
    },
    rules: [26],
  },
  {
    code: 'pret_expirat',
    name: { ro: 'Expirat', en: 'Expired' },
    meaning: {
      ro: `Toate sursele acestui preț tac de peste ${timeout.ro}; prețul este retras, nu lăsat să îmbătrânească în tăcere. Un raport manual expiră după ${timeout.ro} de la ora lui.`,
      en: `Every source of this price has been silent for more than ${timeout.en}; the price is withdrawn, not left to age silently. A manual report expires ${timeout.en} after its own time.`,
    },
    rules: [25],
  },
  {
    code: 'pret_incoerent',
    name: { ro: 'Incoerent', en: 'Incoherent' },
    meaning: {
      ro: 'Un carburant premium sub prețul celui standard la aceeași pompă: prețul premium este retras. Prețuri egale sunt în regulă.',
      en: 'A premium fuel below the standard one at the same pump: the premium price is withdrawn. Equal prices are fine.',
    },
    rules: [27],
  },
  {
    code: 'observat_la',
    name: { ro: 'Observat la', en: 'Observed on' },
    meaning: {
      ro: 'Când a fost văzut prețul, după sursă: o zi, sau o zi și o oră. Nu este niciodată ora descărcării; dacă sursa nu spune, nu scriem nimic.',
      en: 'When the price was seen, by its source: a day, or a day and a time. Never the time of the download; where the source does not say, nothing is given.',
    },
    rules: [20, 31],
  },
  {
    code: 'pret_masurat_la',
    name: { ro: 'Măsurat la', en: 'Measured on' },
    meaning: {
      ro: 'Data exact cum o scrie sursa; pentru vechime se folosește `observat_la`.',
      en: 'The date exactly as the source writes it; `observat_la` is the measure of age.',
    },
    rules: [],
  },
];

/** What can be said about a station. */
export const STATION_FLAGS: readonly Flag[] = [
  {
    code: 'coord_suspecta',
    name: { ro: 'Coordonate suspecte', en: 'Suspect coordinates' },
    meaning: {
      ro: `Punctul cade în afara țării, sau la peste ${OUTSIDE_COUNTY_KM} km în afara județului declarat, care nu apare nici la cele mai apropiate ${NEAREST_LOCALITIES} localități. Dacă altă sursă are coordonate bune, se folosesc acelea.`,
      en: `The point lies abroad, or more than ${OUTSIDE_COUNTY_KM} km outside the declared county, which is also absent among the ${NEAREST_LOCALITIES} nearest places. Where another source has good coordinates, those are used.`,
    },
    rules: [29],
  },
  {
    code: 'approximate_coords',
    name: { ro: 'Coordonate aproximative', en: 'Approximate coordinates' },
    meaning: {
      ro: 'Se cunoaște numai localitatea: punctul este al ei, nu al pompei.',
      en: 'Only the place is known: the point is that of the place, not of the pump.',
    },
    rules: [28],
  },
  {
    code: 'franciza',
    name: { ro: 'Franciză', en: 'Franchise' },
    meaning: {
      ro: 'Stația poartă marca rețelei, dar este administrată de altcineva, care poate avea prețurile lui.',
      en: 'The station bears the network’s brand but is run by somebody else, who may set other prices.',
    },
    rules: [],
  },
  {
    code: 'nota_pret',
    name: { ro: 'Notă despre preț', en: 'Price note' },
    meaning: {
      ro: 'De ce o stație nu are preț, când rețeaua ei nu publică prețuri.',
      en: 'Why a station has no price, where its network publishes none.',
    },
    rules: [],
  },
];
