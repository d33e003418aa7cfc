/** The kinds of sources, in words. */
import type { LocalizedText } from '../../../domain/localized-text.ts';
import type { SourceKind } from '../../../domain/reports/source-kind.ts';

export type SourceKindWords = {
  readonly name: LocalizedText;
  readonly about: LocalizedText;
  /** What the source says about the time of a price. */
  readonly time: LocalizedText;
};

export const SOURCE_KINDS: Readonly<Record<SourceKind, SourceKindWords>> = {
  list: {
    name: { ro: 'Lista de prețuri a unei rețele', en: 'A network’s own price list' },
    about: {
      ro: 'Prețurile pe care rețeaua le publică singură, pe stație sau pentru toată rețeaua; valabile numai pentru stațiile ei.',
      en: 'Prices that a network publishes itself, by station or for the whole network; they hold for its own stations only.',
    },
    time: { ro: 'cât de exact o dă lista', en: 'as exactly as the list gives it' },
  },
  register: {
    name: { ro: 'Registrul național', en: 'The national register' },
    about: {
      ro: 'Monitorul Prețurilor al Consiliului Concurenței, la care raportează marile rețele.',
      en: 'The price monitor of the Romanian Competition Council, to which the large networks report.',
    },
    time: { ro: 'o zi, fără oră', en: 'a day, without a time' },
  },
  network: {
    name: { ro: 'Pagina unei rețele', en: 'A network’s page' },
    about: {
      ro: 'Lista de stații cu prețuri de pe site-ul unei rețele.',
      en: 'The list of stations with prices on a network’s site.',
    },
    time: { ro: 'zi și oră', en: 'day and time' },
  },
  manual: {
    name: { ro: 'Raport manual', en: 'A manual report' },
    about: {
      ro: 'Un preț văzut la pompă și introdus de operator, cu ora la care a fost văzut.',
      en: 'A price seen at the pump and entered by the operator, with the time at which it was seen.',
    },
    time: { ro: 'zi și oră', en: 'day and time' },
  },
  locator: {
    name: { ro: 'Lista de stații a unei rețele', en: 'A network’s list of stations' },
    about: {
      ro: 'Adrese, program și servicii, fără prețuri: completează harta, nu clasamentul.',
      en: 'Addresses, opening hours and services without prices: it completes the map, not the ranking.',
    },
    time: { ro: 'fără preț', en: 'no price' },
  },
};
