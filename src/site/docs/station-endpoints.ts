/** The endpoints about stations, explained. Source: API contract. */
import { ANONYMOUS_LIMITS } from '../../domain/access/plans.ts';
import { HISTORY_DAYS } from '../../snapshot/history.ts';
import type { EndpointDoc } from './endpoint-section.ts';
import { WEEKLY_CAP_NOTE } from './price-endpoints.ts';
import { STATION_FIELDS } from './station-fields.ts';

export const STATION_ENDPOINTS: readonly EndpointDoc[] = [
  {
    id: 'statii',
    path: '/api/v1/statii',
    title: { ro: 'Câte o înregistrare pentru fiecare stație și carburant', en: 'One record per station and fuel' },
    access: {
      ro: `un eșantion de cel mult ${ANONYMOUS_LIMITS.records} de înregistrări și ${WEEKLY_CAP_NOTE.ro}`,
      en: `a sample of at most ${ANONYMOUS_LIMITS.records} records, and ${WEEKLY_CAP_NOTE.en}`,
    },
    about: [
      {
        ro: 'Cu `lat` și `lon` împreună vin numai stațiile din rază, cea mai apropiată prima, fiecare cu `distanta_km`.',
        en: 'With `lat` and `lon` together only the stations within the radius, nearest first, each with `distanta_km`.',
      },
    ],
    parameters: [
      {
        names: ['brand'],
        type: 'string',
        about: {
          ro: 'Numele sau slug-ul unei rețele, orice majuscule. Necunoscut: listă goală.',
          en: 'Name or slug of a network, any letter case. Unknown: an empty list.',
        },
      },
      {
        names: ['tip'],
        type: 'string',
        about: {
          ro: '`benzina_standard`, `benzina_premium`, `motorina_standard`, `motorina_premium`, `gpl` sau `adblue` (ultimul numai la unele stații). Altă valoare: 400.',
          en: '`benzina_standard`, `benzina_premium`, `motorina_standard`, `motorina_premium`, `gpl` or `adblue` (the last at some stations only). Another value: 400.',
        },
      },
      {
        names: ['lat'],
        type: 'number',
        about: {
          ro: 'Latitudinea punctului; numai împreună cu `lon`.',
          en: 'Latitude of the point; only together with `lon`.',
        },
      },
      {
        names: ['lon'],
        type: 'number',
        about: {
          ro: 'Longitudinea punctului; se poate scrie și `lng`.',
          en: 'Longitude of the point; may also be written `lng`.',
        },
      },
      {
        names: ['raza'],
        type: 'number',
        about: {
          ro: 'Raza în km, implicit 10; valorile sunt aduse între 0.1 și 50.',
          en: 'Radius in km, 10 by default; clamped to 0.1 to 50.',
        },
      },
    ],
    fields: [
      {
        of: { ro: 'Răspuns, pe lângă [câmpurile comune](#comune)', en: 'Answer, besides the [common fields](#comune)' },
        entries: [
          {
            names: ['total'],
            type: 'integer',
            about: { ro: 'Câte înregistrări sunt în răspuns.', en: 'Number of records returned.' },
          },
          { names: ['statii'], type: 'array', about: { ro: 'Înregistrările.', en: 'The records.' } },
          {
            names: ['total_disponibil'],
            type: 'integer',
            about: {
              ro: 'Numai fără cheie, când răspunsul este trunchiat: câte există pentru aceleași filtre.',
              en: 'Only without a key, when truncated: how many exist for the same filters.',
            },
          },
          {
            names: ['nota'],
            type: 'string',
            about: {
              ro: 'Numai fără cheie, când răspunsul este trunchiat.',
              en: 'Only without a key, when truncated.',
            },
          },
        ],
      },
      { of: { ro: 'Un element din `statii`', en: 'One item of `statii`' }, entries: STATION_FIELDS },
    ],
    example: () => '/api/v1/statii?lat=44.4268&lon=26.1025&raza=5&tip=motorina_standard',
  },
  {
    id: 'istoric',
    path: '/api/v1/statie/{station_id}/istoric',
    title: { ro: 'Istoricul zilnic al unei stații', en: 'Daily price history of one station' },
    access: WEEKLY_CAP_NOTE,
    about: [
      {
        ro: 'Zilele sunt cele din România, de la prima zi cunoscută a stației până azi. Stație necunoscută sau fără istoric: 404.',
        en: 'Days are Romanian calendar days, from the first known day of the station to today. Unknown station or one without history: 404.',
      },
    ],
    parameters: [
      {
        names: ['station_id'],
        type: 'string',
        about: {
          ro: 'În cale, obligatoriu: câmpul `id` din `/statii`.',
          en: 'In the path, required: the `id` of a `/statii` record.',
        },
      },
      {
        names: ['days'],
        type: 'integer',
        about: {
          ro: `Câte zile, implicit 30; peste ${HISTORY_DAYS} înseamnă ${HISTORY_DAYS}, sub 1: 400.`,
          en: `How many days, 30 by default; above ${HISTORY_DAYS} means ${HISTORY_DAYS}, below 1: 400.`,
        },
      },
    ],
    fields: [
      {
        of: { ro: 'Răspuns, pe lângă `status`', en: 'Answer, besides `status`' },
        entries: [
          { names: ['station_id'], type: 'string', about: { ro: 'Stația.', en: 'The station.' } },
          {
            names: ['labels'],
            type: 'string[]',
            about: { ro: 'Zilele, în ordine, ca `ZZ.LL`.', en: 'The days in order, as `DD.MM`.' },
          },
          {
            names: ['series'],
            type: 'object',
            about: {
              ro: 'Pentru fiecare carburant vândut: prețurile, în aceeași ordine ca `labels`; `null` = fără măsurătoare.',
              en: 'For each fuel sold: the prices, aligned with `labels`; `null` = no measurement.',
            },
          },
          {
            names: ['variatie'],
            type: 'object',
            about: {
              ro: 'Pentru fiecare carburant: schimbarea prețului în fereastra cerută, în lei; pozitiv = scumpire. Gol când sunt prea puține date.',
              en: 'For each fuel: the price change over the window in RON; positive = increase. Empty when there is too little data.',
            },
          },
        ],
      },
    ],
    example: ({ id }) => `/api/v1/statie/${id}/istoric?days=30`,
  },
];
