/** The endpoints about places and about the service itself, explained. Source: API contract. */
import type { EndpointDoc } from './endpoint-section.ts';
import { WEEKLY_CAP_NOTE } from './price-endpoints.ts';

export const SERVICE_ENDPOINTS: readonly EndpointDoc[] = [
  {
    id: 'geocode',
    path: '/api/v1/geocode',
    title: { ro: 'Completarea numelui unui oraș', en: 'City-name autocomplete' },
    access: WEEKLY_CAP_NOTE,
    about: [
      {
        ro: 'Cel mult 10 nume care conțin textul, indiferent de majuscule și diacritice.',
        en: 'At most 10 names that contain the text, letter case and diacritics aside.',
      },
    ],
    parameters: [
      {
        names: ['q'],
        type: 'string',
        about: {
          ro: 'Cel puțin 2 caractere; mai puține dau o listă goală.',
          en: 'At least 2 characters; fewer give an empty list.',
        },
      },
    ],
    fields: [
      {
        of: { ro: 'Răspuns (fără `status`)', en: 'Answer (without `status`)' },
        entries: [
          {
            names: ['results'],
            type: 'string[]',
            about: {
              ro: 'Numele, cu diacritice, cele mai populate primele.',
              en: 'The names, with diacritics, most populous first.',
            },
          },
        ],
      },
    ],
    example: () => '/api/v1/geocode?q=cluj',
  },
  {
    id: 'health',
    path: '/api/v1/health',
    title: { ro: 'Prospețimea datelor', en: 'Data freshness' },
    access: { ro: 'totul, fără limită.', en: 'everything, no cap.' },
    about: [
      {
        ro: 'Statusul HTTP este 200 când fiecare sursă în serviciu a livrat în ultimele 24 de ore și există prețuri; altfel 503, cu aceleași câmpuri și `status` = `degraded`.',
        en: 'HTTP 200 when every source in service delivered within the last 24 hours and prices are being served; else 503 with the same fields and `status` = `degraded`.',
      },
    ],
    parameters: [],
    fields: [
      {
        of: { ro: 'Răspuns', en: 'Answer' },
        entries: [
          { names: ['status'], type: 'string', about: { ro: '`ok` sau `degraded`.', en: '`ok` or `degraded`.' } },
          {
            names: ['actualizat_la'],
            type: 'string | null',
            about: { ro: 'Ultima actualizare reușită a prețurilor.', en: 'Last successful price update.' },
          },
          {
            names: ['vechime_secunde'],
            type: 'integer | null',
            about: {
              ro: 'Vechimea celei mai recente actualizări; informativ.',
              en: 'Age of the most recent update; informative.',
            },
          },
          {
            names: ['vechime_maxima_secunde'],
            type: 'integer | null',
            about: {
              ro: 'Vechimea celei mai vechi surse în serviciu; peste 86400 starea este `degraded`.',
              en: 'Age of the oldest source in service; above 86400 the status is `degraded`.',
            },
          },
          {
            names: ['vechime_maxima_descarcare_secunde'],
            type: 'integer | null',
            about: { ro: 'Vechimea celei mai vechi descărcări.', en: 'Age of the oldest download.' },
          },
          {
            names: ['observatie_cea_mai_veche'],
            type: 'string | null',
            about: { ro: 'Ziua celei mai vechi observații.', en: 'Day of the oldest observation.' },
          },
          {
            names: ['preturi_fara_data_observatie'],
            type: 'integer',
            about: { ro: 'Prețuri fără zi a observației.', en: 'Prices without an observation day.' },
          },
          {
            names: ['inregistrari_total'],
            type: 'integer',
            about: { ro: 'Toate înregistrările, cu preț sau fără.', en: 'All records, with a price or without.' },
          },
          {
            names: ['preturi_disponibile'],
            type: 'integer',
            about: {
              ro: 'Înregistrări cu preț valabil; la zero starea este `degraded`.',
              en: 'Records with a valid price; at zero the status is `degraded`.',
            },
          },
          {
            names: ['statii_cu_pret'],
            type: 'integer',
            about: {
              ro: 'Câmp vechi: înregistrări cu preț, nu stații.',
              en: 'Legacy: records with a price, not stations.',
            },
          },
          {
            names: ['statii_total'],
            type: 'integer',
            about: {
              ro: 'Stații fizice, și cele fără preț.',
              en: 'Physical stations, those without a price included.',
            },
          },
          {
            names: ['statii_cu_pret_unice'],
            type: 'integer',
            about: { ro: 'Stații fizice cu cel puțin un preț.', en: 'Physical stations with at least one price.' },
          },
        ],
      },
    ],
    example: () => '/api/v1/health',
  },
  {
    id: 'openapi',
    path: '/openapi.json',
    title: { ro: 'Descrierea OpenAPI 3.1', en: 'The OpenAPI 3.1 description' },
    access: { ro: 'totul, fără limită.', en: 'everything, no cap.' },
    about: [
      {
        ro: 'Toate adresele, câmpurile și erorile, pentru programe. Se poate păstra 5 minute; aceeași descriere, mereu proaspătă, la [`/api/v1/openapi.json`](/api/v1/openapi.json).',
        en: 'All paths, fields and errors, for programs. May be cached for 5 minutes; the same, never cached, at [`/api/v1/openapi.json`](/api/v1/openapi.json).',
      },
    ],
    parameters: [],
    fields: [],
    example: () => '/openapi.json',
  },
];
