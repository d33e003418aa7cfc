/** The price endpoints, explained. Source: API contract. */
import { ANONYMOUS_LIMITS } from '../../domain/access/plans.ts';
import type { LocalizedText } from '../../domain/localized-text.ts';
import type { DocumentedField, EndpointDoc } from './endpoint-section.ts';

/** For the endpoints with a weekly cap. */
export const WEEKLY_CAP_NOTE: LocalizedText = {
  ro: 'o cerere pe săptămână de la aceeași adresă IP ([limite](#limite)).',
  en: 'one request per week from the same IP address ([limits](#limite)).',
};

const ANSWER: LocalizedText = {
  ro: 'Răspuns, pe lângă [câmpurile comune](#comune)',
  en: 'Answer, besides the [common fields](#comune)',
};

const zeros: DocumentedField = {
  names: ['zeros'],
  type: 'string',
  about: {
    ro: '`1`, `true`, `yes` sau `da`: prețurile lipsă vin ca `0`, nu ca `null` ([detalii](#preturi-lipsa)).',
    en: '`1`, `true`, `yes` or `da`: missing prices come as `0` instead of `null` ([details](#preturi-lipsa)).',
  },
};

const missing: DocumentedField = {
  names: ['preturi_lipsa'],
  type: 'string',
  about: {
    ro: 'Cum sunt scrise prețurile lipsă: `null` sau `zero`.',
    en: 'How missing prices are written: `null` or `zero`.',
  },
};

const shortPrices: DocumentedField = {
  names: ['benzina', 'benzina_premium', 'motorina', 'motorina_premium', 'gpl'],
  type: 'number | null',
  about: { ro: 'Lei pe litru.', en: 'RON per litre.' },
};

const fuels: LocalizedText = {
  ro: '`benzina_standard`, `benzina_premium`, `motorina_standard`, `motorina_premium`, `gpl`',
  en: '`benzina_standard`, `benzina_premium`, `motorina_standard`, `motorina_premium`, `gpl`',
};

const networkFields: readonly DocumentedField[] = [
  {
    names: ['nume', 'slug'],
    type: 'string',
    about: { ro: 'Numele rețelei și forma lui pentru adrese.', en: 'Name of the network and its URL form.' },
  },
  {
    names: ['culoare'],
    type: 'string',
    about: { ro: 'Culoare pentru interfețe, `#rrggbb`.', en: 'Colour for user interfaces, `#rrggbb`.' },
  },
  {
    names: ['logo'],
    type: 'string',
    about: {
      ro: 'Calea unei embleme SVG pe acest serviciu, de exemplu [`/logo/petrom.svg`](/logo/petrom.svg).',
      en: 'Path of an SVG mark on this service, for example [`/logo/petrom.svg`](/logo/petrom.svg).',
    },
  },
  shortPrices,
];

const NETWORK: LocalizedText = { ro: 'Un element din `retele`', en: 'One item of `retele`' };

export const PRICE_ENDPOINTS: readonly EndpointDoc[] = [
  {
    id: 'preturi',
    path: '/api/v1/preturi',
    title: { ro: 'Prețul minim pe orașe și media rețelelor', en: 'City minimum prices and network averages' },
    access: {
      ro: `primele ${ANONYMOUS_LIMITS.cities} orașe după populație, cu explicația în câmpul \`nota\`; fără limită de cereri.`,
      en: `the ${ANONYMOUS_LIMITS.cities} largest cities by population, explained in the field \`nota\`; no cap on requests.`,
    },
    about: [
      {
        ro: 'Orașele vin în ordinea populației; cele fără niciun preț de încredere lipsesc. Numele lor sunt scrise fără diacritice.',
        en: 'Cities come by population, largest first; those without any relied-on price are left out. Their names are written without diacritics.',
      },
    ],
    parameters: [
      {
        names: ['judet'],
        type: 'string',
        about: {
          ro: 'Numai orașele unui județ: numele (cu sau fără diacritice) sau codul auto. Județ necunoscut: 404.',
          en: 'Only the cities of one county: name (with or without diacritics) or plate code. Unknown county: 404.',
        },
      },
      zeros,
    ],
    fields: [
      {
        of: ANSWER,
        entries: [
          {
            names: ['total'],
            type: 'integer',
            about: { ro: 'Câte orașe sunt în `rezultate`.', en: 'Number of cities in `rezultate`.' },
          },
          { names: ['rezultate'], type: 'array', about: { ro: 'Orașele.', en: 'The cities.' } },
          {
            names: ['retele'],
            type: 'array',
            about: { ro: 'Rețelele, ca la [`/retele`](#retele).', en: 'The networks, as in [`/retele`](#retele).' },
          },
          missing,
          {
            names: ['nota'],
            type: 'string',
            about: { ro: 'Numai fără cheie: explică trunchierea.', en: 'Only without a key: explains the truncation.' },
          },
        ],
      },
      {
        of: { ro: 'Un element din `rezultate`', en: 'One item of `rezultate`' },
        entries: [
          {
            names: ['oras', 'slug'],
            type: 'string',
            about: { ro: 'Numele orașului și forma lui pentru adrese.', en: 'City name and its URL form.' },
          },
          {
            names: ['judet'],
            type: 'string',
            about: { ro: 'Codul auto al județului.', en: 'Plate code of the county.' },
          },
          { names: ['lat', 'lng'], type: 'number', about: { ro: 'Coordonate WGS84.', en: 'WGS84 coordinates.' } },
          {
            ...shortPrices,
            about: { ro: 'Cel mai mic preț din oraș, lei pe litru.', en: 'Lowest price in the city, RON per litre.' },
          },
        ],
      },
    ],
    example: () => '/api/v1/preturi?judet=Cluj',
  },
  {
    id: 'minime',
    path: '/api/v1/preturi/minime',
    title: { ro: 'Minim, medie și maxim la nivel național', en: 'National minimum, mean and maximum' },
    access: { ro: 'totul, fără limită.', en: 'everything, no cap.' },
    about: [
      {
        ro: 'Calculate peste toate prețurile de încredere ale stațiilor; media are două zecimale.',
        en: 'Over all relied-on station prices; the mean has two decimals.',
      },
    ],
    parameters: [zeros],
    fields: [
      {
        of: ANSWER,
        entries: [
          {
            names: ['preturi'],
            type: 'object',
            about: {
              ro: `Pentru fiecare dintre ${fuels.ro}: \`{min, mediu, max}\`, fiecare \`number | null\`, lei pe litru.`,
              en: `For each of ${fuels.en}: \`{min, mediu, max}\`, each \`number | null\`, RON per litre.`,
            },
          },
          missing,
        ],
      },
    ],
    example: () => '/api/v1/preturi/minime',
  },
  {
    id: 'judete',
    path: '/api/v1/judete/{judet}',
    title: { ro: 'Media unui județ', en: 'Average of one county' },
    access: WEEKLY_CAP_NOTE,
    about: [
      {
        ro: 'Media prețurilor minime ale orașelor din județ. Județ necunoscut: 404.',
        en: 'Mean of the minimum prices of the cities of the county. Unknown county: 404.',
      },
    ],
    parameters: [
      {
        names: ['judet'],
        type: 'string',
        about: {
          ro: 'În cale, obligatoriu: numele (cu sau fără diacritice, orice majuscule) sau codul auto.',
          en: 'In the path, required: name (with or without diacritics, any letter case) or plate code.',
        },
      },
      zeros,
    ],
    fields: [
      {
        of: ANSWER,
        entries: [
          {
            names: ['judet'],
            type: 'string',
            about: { ro: 'Codul auto, oricum a fost scris județul în cerere.', en: 'Plate code, whatever was sent.' },
          },
          {
            names: ['nr_orase'],
            type: 'integer',
            about: { ro: 'Câte orașe intră în medie.', en: 'Number of cities averaged.' },
          },
          {
            names: ['benzina_standard', 'benzina_premium', 'motorina_standard', 'motorina_premium', 'gpl'],
            type: 'number | null',
            about: {
              ro: 'Lei pe litru; `null` când niciun oraș nu are prețul.',
              en: 'RON per litre; `null` when no city has the price.',
            },
          },
          missing,
        ],
      },
    ],
    example: () => '/api/v1/judete/CJ',
  },
  {
    id: 'retele',
    path: '/api/v1/retele',
    title: { ro: 'Media națională a fiecărei rețele', en: 'National average of each network' },
    access: WEEKLY_CAP_NOTE,
    about: [
      {
        ro: 'O rețea care nu vinde un carburant are `null` la acel carburant.',
        en: 'A network that does not sell a fuel has `null` for it.',
      },
    ],
    parameters: [zeros],
    fields: [
      {
        of: ANSWER,
        entries: [
          { names: ['retele'], type: 'array', about: { ro: 'Rețelele, după nume.', en: 'The networks, by name.' } },
          missing,
        ],
      },
      { of: NETWORK, entries: networkFields },
    ],
    example: () => '/api/v1/retele',
  },
];
