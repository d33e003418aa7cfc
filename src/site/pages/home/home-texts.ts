/** The texts of the home page. */

import type { Language } from '../../../domain/localized-text.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';

export const TEXTS = {
  heading: { ro: 'Prețurile carburanților în România', en: 'Fuel prices in Romania' },
  previewNote: { ro: 'Benzină, motorină și GPL, zi de zi', en: 'Petrol, diesel and LPG, day by day' },
  title: { ro: 'Prețul carburanților azi', en: 'Fuel prices in Romania now' },
  description: {
    ro: 'Prețul minim, mediu și maxim al benzinei, motorinei și GPL-ului în România, pe orașe și benzinării, actualizat zilnic.',
    en: 'Lowest, average and highest prices of petrol, diesel and LPG in Romania, by city and station, updated daily.',
  },
  about: {
    ro: `${SERVICE_NAME} adună de mai multe ori pe zi prețurile de la pompă, le verifică și le arată pe orașe, județe, rețele și benzinării, cu istoric zilnic.`,
    en: `${SERVICE_NAME} collects prices at the pump several times a day, checks them, and shows them by city, county, network and station, with daily history.`,
  },
  caption: {
    ro: 'Media la nivel național a prețurilor de încredere, schimbarea ei, ultimele 30 de zile, cel mai mic și cel mai mare preț.',
    en: 'National average of trusted prices, its change, the last 30 days, the lowest and the highest price.',
  },
  asYesterday: { ro: 'la fel ca ieri', en: 'same as yesterday' },
  sinceYesterday: { ro: 'față de ieri', en: 'since yesterday' },
  nothingYet: { ro: 'Încă nu a fost publicat niciun preț.', en: 'No price has been published yet.' },
  afterFirst: {
    ro: 'Prețurile apar aici după prima colectare încheiată.',
    en: 'Prices appear here after the first collection.',
  },
  inSeconds: {
    ro: 'Primele prețuri sunt așteptate în aproximativ % s.',
    en: 'The first prices are expected in about % s.',
  },
  cheapest: { ro: 'Cel mai ieftin acum', en: 'Cheapest now' },
  map: {
    ro: 'Cel mai mic preț la benzină în orașele României',
    en: 'Lowest petrol price in the cities of Romania',
  },
  networks: { ro: 'Rețele: prețul mediu al benzinei', en: 'Networks: the average price of petrol' },
  cities: { ro: 'Cele mai mari orașe', en: 'The largest cities' },
  citiesCaption: {
    ro: 'Cel mai mic preț din fiecare oraș, lei pe litru',
    en: 'Lowest price in each city, lei per litre',
  },
  updated: { ro: 'Ultima actualizare (ora României)', en: 'Last update (Romanian time)' },
  known: { ro: 'Stații cunoscute', en: 'Stations known' },
  priced: { ro: 'Stații cu cel puțin un preț', en: 'Stations with at least one price' },
  unknown: { ro: 'indisponibil', en: 'not available' },
  example: {
    ro: 'Toate adresele API-ului cu prețuri răspund și fără cheie. De exemplu:',
    en: 'All endpoints with prices also answer without a key. For example:',
  },
  developers: { ro: 'Pentru dezvoltatori', en: 'For developers' },
  docs: { ro: 'Documentația API', en: 'API documentation' },
  docsAbout: {
    ro: 'Adrese, parametri, câmpuri, erori și limite',
    en: 'Endpoints, parameters, fields, errors and limits',
  },
  plans: { ro: 'Planuri', en: 'Plans' },
  plansAbout: { ro: 'Ce este liber și ce aduce o cheie API', en: 'What is free and what an API key adds' },
  health: { ro: 'Starea datelor', en: 'State of the data' },
  healthAbout: {
    ro: 'Cât de proaspete sunt prețurile, sursă cu sursă',
    en: 'How fresh the prices are, source by source',
  },
  openApiAbout: { ro: 'Descrierea API-ului, pentru programe', en: 'The description of the API, for programs' },
  and: { ro: ', iar ', en: ', and ' },
  costs: {
    ro: (fuel: string, mean: string, low: string, high: string) =>
      `${fuel} costă în medie ${mean} lei pe litru (între ${low} și ${high})`,
    en: (fuel: string, mean: string, low: string, high: string) =>
      `${fuel} costs ${mean} lei a litre on average (between ${low} and ${high})`,
  },
  today: {
    ro: (day: string, prices: string, stations: string) =>
      `Azi, ${day}, ${prices}. Au cel puțin un preț de încredere ${stations}.`,
    en: (day: string, prices: string, stations: string) =>
      `Today, ${day}, ${prices}. At least one trusted price is known of ${stations}.`,
  },
  described: {
    ro: (day: string, prices: string, stations: string) =>
      `Prețurile medii din România pe ${day}, în lei pe litru: ${prices}; din ${stations}, pe orașe, județe și rețele.`,
    en: (day: string, prices: string, stations: string) =>
      `Average prices in Romania on ${day}, in lei per litre: ${prices}; over ${stations}, by city, county and network.`,
  },
} as const satisfies Record<string, Readonly<Record<Language, unknown>>>;
