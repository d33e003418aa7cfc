/** The fields of a station record, explained. Source: API contract, "Station record". */
import type { DocumentedField } from './endpoint-section.ts';

export const STATION_FIELDS: readonly DocumentedField[] = [
  {
    names: ['id'],
    type: 'string',
    about: { ro: 'Identificatorul stabil al stației.', en: 'Stable identifier of the station.' },
  },
  {
    names: ['brand', 'oras', 'adresa'],
    type: 'string',
    about: {
      ro: 'Rețeaua, orașul (fără diacritice) și adresa.',
      en: 'Network, city (without diacritics) and address.',
    },
  },
  {
    names: ['judet'],
    type: 'string',
    about: { ro: 'Numele județului (nu codul); poate fi gol.', en: 'Name of the county (not the code); may be empty.' },
  },
  { names: ['lat', 'lng'], type: 'number', about: { ro: 'Coordonate WGS84.', en: 'WGS84 coordinates.' } },
  { names: ['tip'], type: 'string', about: { ro: 'Carburantul.', en: 'The fuel.' } },
  {
    names: ['pret'],
    type: 'number | null',
    about: {
      ro: 'Lei pe litru, cel mult trei zecimale; `null` = indisponibil.',
      en: 'RON per litre, at most three decimals; `null` = unavailable.',
    },
  },
  {
    names: ['observat_la'],
    type: 'string | null',
    about: {
      ro: 'Când a fost observat prețul: ziua raportării (`AAAA-LL-ZZ`) sau un moment cu decalaj orar. `null` = necunoscut sau fără preț. Nu este ora descărcării.',
      en: 'When the price was observed: the reporting day (`YYYY-MM-DD`) or an instant with offset. `null` = unknown, or no price. Never the download time.',
    },
  },
  {
    names: ['pret_masurat_la'],
    type: 'string',
    about: {
      ro: 'Când sursa o dă: data măsurării, exact cum o trimite. Vechimea se judecă după `observat_la`.',
      en: 'When the source gives it: the measurement date exactly as sent. For age use `observat_la`.',
    },
  },
  {
    names: [
      'pret_expirat',
      'nesigur',
      'motiv_nesigur',
      'nesigur_din',
      'pret_incoerent',
      'coord_suspecta',
      'approximate_coords',
    ],
    type: 'boolean, string',
    about: { ro: 'Semnele de [calitate](#calitate).', en: 'The [quality](#calitate) flags.' },
  },
  {
    names: ['nume', 'franciza', 'nota_pret', 'program', 'servicii', 'telefon'],
    type: 'string, boolean',
    about: {
      ro: 'Când sursa le dă: numele stațiilor adăugate manual, franciză (`boolean`), o notă pentru rețelele care nu publică prețuri, program, servicii, telefon.',
      en: 'When the source gives them: name of manually added stations, franchise (`boolean`), a note for networks that publish no price, opening hours, services, phone.',
    },
  },
  {
    names: ['distanta_km'],
    type: 'number',
    about: {
      ro: 'Numai cu filtrul geografic: distanța până la punct.',
      en: 'Only with the geo filter: distance from the point.',
    },
  },
];
