/** The German channel, explained. Source: API contract. */
import { GERMAN_SOURCE, GERMANY_RATE_LIMIT } from '../../domain/access/plans.ts';
import type { EndpointDoc } from './endpoint-section.ts';

export const GERMAN_ENDPOINTS: readonly EndpointDoc[] = [
  {
    id: 'de-statii',
    path: '/api/v1/de-statii',
    title: { ro: 'Stații din Germania în jurul unui punct, prețuri în EUR', en: 'Stations in Germany, in EUR' },
    access: {
      ro: `totul, cel mult ${GERMANY_RATE_LIMIT.perMinute} de cereri pe minut de la o adresă IP; nu cere cheie.`,
      en: `everything, at most ${GERMANY_RATE_LIMIT.perMinute} requests per minute from one IP address; no key needed.`,
    },
    about: [
      {
        ro: `Prețuri în timp real de la [Tankerkönig](${GERMAN_SOURCE.url}) (MTS-K, CC BY 4.0), separate de datele din România. Un răspuns se păstrează 10 minute pentru aceeași sutime de grad și aceeași rază în km întregi. 502: sursa nu răspunde; 503: serviciul nu este configurat sau nu o poate întreba acum.`,
        en: `Live prices from [Tankerkönig](${GERMAN_SOURCE.url}) (MTS-K, CC BY 4.0), separate from the Romanian data. An answer is kept for 10 minutes for the same hundredth of a degree and the same radius in whole km. 502: the source does not answer; 503: not configured, or it cannot be asked right now.`,
      },
    ],
    parameters: [
      {
        names: ['lat', 'lng'],
        type: 'number',
        about: {
          ro: 'Obligatorii: un punct din Germania, `lat` de la 47 la 55.2, `lng` de la 5.5 la 15.5; altfel 400.',
          en: 'Required: a point in Germany, `lat` from 47 to 55.2, `lng` from 5.5 to 15.5; else 400.',
        },
      },
      {
        names: ['rad'],
        type: 'number',
        about: {
          ro: 'Raza în km, implicit 15; adusă între 1 și 25 și rotunjită.',
          en: 'Radius in km, 15 by default; clamped to 1 to 25 and rounded.',
        },
      },
    ],
    fields: [
      {
        of: { ro: 'Răspuns', en: 'Answer' },
        entries: [
          {
            names: ['tara', 'moneda'],
            type: 'string',
            about: { ro: 'Mereu `DE` și `EUR`.', en: 'Always `DE` and `EUR`.' },
          },
          {
            names: ['sursa', 'atribuire'],
            type: 'string',
            about: {
              ro: 'Sursa cu licența ei și adresa de menționat când arătați datele.',
              en: 'The source with its licence, and the link to give when you show the data.',
            },
          },
          {
            names: ['lat', 'lng', 'rad_km'],
            type: 'number',
            about: {
              ro: 'Punctul și raza căutării; pot fi ale unei cereri anterioare apropiate.',
              en: 'Point and radius of the search; the point may be that of an earlier request near by.',
            },
          },
          { names: ['nr_statii'], type: 'integer', about: { ro: 'Numărul stațiilor.', en: 'Number of stations.' } },
          {
            names: ['generat_la'],
            type: 'string',
            about: { ro: 'Când a răspuns sursa, ISO 8601.', en: 'When the source answered, ISO 8601.' },
          },
        ],
      },
      {
        of: { ro: '`statii[]`, cele mai apropiate primele', en: '`statii[]`, nearest first' },
        entries: [
          {
            names: ['nume', 'brand', 'adresa', 'oras'],
            type: 'string',
            about: {
              ro: 'Numele stației, marca (poate fi goală), strada cu numărul, localitatea.',
              en: 'Name, brand (may be empty), street and number, town.',
            },
          },
          {
            names: ['cod_postal'],
            type: 'integer',
            about: { ro: 'Cod poștal ca număr: 1067 este 01067.', en: 'Postcode as a number: 1067 is 01067.' },
          },
          {
            names: ['lat', 'lng', 'dist_km'],
            type: 'number',
            about: { ro: 'Coordonatele și distanța în km.', en: 'Coordinates, and the distance in km.' },
          },
          {
            names: ['benzina', 'e10', 'motorina'],
            type: 'number | null',
            about: { ro: 'E5, E10 și motorină, EUR pe litru.', en: 'E5, E10 and diesel, EUR per litre.' },
          },
          { names: ['deschis'], type: 'boolean', about: { ro: 'Deschisă acum.', en: 'Open now.' } },
        ],
      },
    ],
    example: () => '/api/v1/de-statii?lat=52.52&lng=13.4&rad=5',
  },
];
