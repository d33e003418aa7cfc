/** The flags that say how far a record can be trusted, explained. Source: API contract, "Station record". */
import type { DocumentedField } from './endpoint-section.ts';

export const FLAGS: readonly DocumentedField[] = [
  {
    names: ['pret_expirat'],
    type: 'true',
    about: {
      ro: 'Prețul a fost retras pentru că sursa lui nu a mai publicat de peste 24 de ore; `pret` este `null`.',
      en: 'The price was withdrawn because its source did not publish for over 24 hours; `pret` is `null`.',
    },
  },
  {
    names: ['nesigur'],
    type: 'true',
    about: {
      ro: 'Prețul este afișat, dar nu este de încredere: nu intră în minime, medii și clasamente. Excludeți aceste înregistrări când calculați minime.',
      en: 'The price is served but not relied on: it is in no minimum, mean or ranking. Exclude these records when computing minimums.',
    },
  },
  {
    names: ['motiv_nesigur'],
    type: 'string',
    about: {
      ro: 'Numai cu `nesigur`. `blocat`: neschimbat de cel puțin 14 zile, în timp ce restul rețelei s-a schimbat. `observatie_veche`: sursa nu a mai raportat de cel puțin 7 zile. `orfan_anpc`: registrul național nu mai trimite acest preț.',
      en: 'Only with `nesigur`. `blocat`: unchanged for at least 14 days while the rest of the network changed. `observatie_veche`: the source has not reported for at least 7 days. `orfan_anpc`: the national register no longer sends this price.',
    },
  },
  {
    names: ['nesigur_din'],
    type: 'string | null',
    about: {
      ro: 'Numai cu `nesigur`: ziua de când prețul este neschimbat (`blocat`) sau ziua ultimei observații (`observatie_veche`); `null` pentru `orfan_anpc`.',
      en: 'Only with `nesigur`: the day since which the price is unchanged (`blocat`) or the day of the last observation (`observatie_veche`); `null` for `orfan_anpc`.',
    },
  },
  {
    names: ['pret_incoerent'],
    type: 'true',
    about: {
      ro: 'Un preț premium a fost retras pentru că era sub cel standard la aceeași stație; `pret` este `null`.',
      en: 'A premium price was withdrawn because it was below the standard price at the same station; `pret` is `null`.',
    },
  },
  {
    names: ['coord_suspecta'],
    type: 'true',
    about: {
      ro: 'Coordonatele cad în alt județ decât cel declarat.',
      en: 'The coordinates fall in a county other than the declared one.',
    },
  },
  {
    names: ['approximate_coords'],
    type: 'true',
    about: { ro: 'Coordonatele sunt aproximative.', en: 'The coordinates are approximate.' },
  },
];
