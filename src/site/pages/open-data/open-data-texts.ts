/** The texts of the data page. */

import type { LocalizedText } from '../../../domain/localized-text.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { LICENCE, SERVICE_NAME } from '../../../domain/service-identity.ts';
import { text } from '../../html/text.ts';
import type { CityCsvColumn } from '../city/city-csv.ts';

export const TEXTS = {
  heading: text('Date deschise', 'Open data'),
  work: text('Prețurile carburanților în România', 'Fuel prices in Romania'),
  title: text(
    (stations: string) => `Date deschise: prețurile din ${stations}, CSV și API`,
    (stations: string) => `Open data: fuel prices of ${stations}, CSV and API`,
  ),
  description: text(
    (prices: string, stations: string, day: string) =>
      `${prices} din ${stations}, pe ${day}, ca fișiere CSV pe orașe și API JSON, sub licența ${LICENCE.name}: câmpuri, ritm și cum se citează.`,
    (prices: string, stations: string, day: string) =>
      `${prices} of ${stations} on ${day}, as CSV files by city and a JSON API under ${LICENCE.name}: fields, rhythm and how to cite.`,
  ),
  lead: text(
    (prices: string, stations: string, cities: string) =>
      `Tot ce vedeți pe site se poate refolosi: acum, ${prices} din ${stations}, în ${cities}. Fără cont; pentru programe, și cu o cheie.`,
    (prices: string, stations: string, cities: string) =>
      `Everything on this site can be reused: now, ${prices} of ${stations} in ${cities}. No account; for programs, also with a key.`,
  ),
  licence: text('Licența și citarea', 'Licence and citation'),
  licenceAbout: text(
    `Datele sunt publicate sub licența [${LICENCE.name}](${LICENCE.url}): le puteți copia, schimba și folosi și comercial, dacă menționați sursa, ${SERVICE_NAME}, și licența.`,
    `The data are published under [${LICENCE.name}](${LICENCE.url}): you may copy, change and use them, commercially too, if you credit ${SERVICE_NAME} and name the licence.`,
  ),
  citeAs: text('De exemplu:', 'For example:'),
  csv: text('CSV, pe orașe', 'CSV, by city'),
  csvAbout: text(
    'Fiecare oraș are un fișier cu toate prețurile lui de acum: un rând pentru fiecare benzinărie și carburant, UTF-8, virgulă între coloane, punct zecimal.',
    'Every city has a file with all its current prices: one row for each station and fuel, UTF-8, commas between columns, a point as the decimal mark.',
  ),
  csvAddress: text(
    'Celelalte orașe: adresa paginii orașului, cu `.csv` la sfârșit.',
    'Other cities: the address of the city’s page in Romanian, with `.csv` at its end.',
  ),
  csvDays: text(
    `Cifrele unei zile: adresa paginii ei, cu \`.csv\` la sfârșit ([toate zilele](${ROUTES.days.ro})); seriile zilnice ale țării, județelor, rețelelor și orașelor: [statistici](${ROUTES.statistics.ro}).`,
    `The figures of a day: the address of its page in Romanian, with \`.csv\` at its end ([all days](${ROUTES.days.en})); daily series of the country, counties, networks and cities: [statistics](${ROUTES.statistics.en}).`,
  ),
  csvStates: text(
    `Coloana \`stare\`: \`sigur\`, \`nesigur\`, \`expirat\`, \`retras\` sau \`necunoscut\`, [explicate la metodologie](${ROUTES.method.ro}#stari). În minime și medii numai prețurile \`sigur\` contează. Un preț care lipsește este o celulă goală, niciodată 0.`,
    `The column \`stare\`: \`sigur\` (trusted), \`nesigur\` (doubtful), \`expirat\` (expired), \`retras\` (withdrawn) or \`necunoscut\` (not known), [explained on the page of the method](${ROUTES.method.en}#stari). Only \`sigur\` prices count in minimums and means. A missing price is an empty cell, never 0.`,
  ),
  apiAbout: text(
    (cities: number) =>
      `API-ul JSON dă aceleași cifre: prețurile țării, ale județelor, rețelelor, orașelor și stațiilor, cu istoric zilnic. Fără cheie, \`/preturi\` are cele mai mari ${cities} de orașe.`,
    (cities: number) =>
      `The JSON API has the same figures: prices of the country, counties, networks, cities and stations, with daily history. Without a key, \`/preturi\` has the ${cities} largest cities.`,
  ),
  docs: text('Documentația API', 'API documentation'),
  docsAbout: text('Adrese, câmpuri, erori și limite', 'Endpoints, fields, errors and limits'),
  openApiAbout: text('Descrierea API-ului, pentru programe', 'The description of the API, for programs'),
  plans: text('Planuri', 'Plans'),
  plansAbout: text('Ce este liber și ce aduce o cheie', 'What is free and what a key adds'),
  germany: text('Germania', 'Germany'),
  germanyAbout: text('Stații din Germania, în EUR, separat', 'Stations in Germany, in EUR, apart'),
  embeds: text('Pe site-ul dvs.', 'For your site'),
  embedsAbout: text('Cadre, insigne, tabele pentru presă', 'Frames, badges, tables for the press'),
  rhythm: text('Când se actualizează', 'When the data are updated'),
  everySoOften: text(
    (every: string | null) =>
      every === null
        ? 'Sursele sunt citite de mai multe ori pe zi.'
        : `Sursele sunt citite o dată la ${every}, iar paginile, fișierele și API-ul se schimbă deodată.`,
    (every: string | null) =>
      every === null
        ? 'The sources are read several times a day.'
        : `The sources are read once every ${every}; pages, files and the API change together.`,
  ),
  lastUpdate: text(
    (time: string) => `Ultima actualizare: ${time}.`,
    (time: string) => `Last update: ${time}.`,
  ),
  status: text('Starea fiecărei surse', 'The state of each source'),
  method: text('Cum se verifică prețurile', 'How the prices are checked'),
  terms: text('Termenii de utilizare', 'Terms of use'),
};

/** What each column of a city's file holds. */
export const COLUMN_MEANINGS: Readonly<Record<CityCsvColumn, LocalizedText>> = {
  ziua: { ro: 'ziua pentru care este valabil fișierul, `AAAA-LL-ZZ`', en: 'day of the file, `YYYY-MM-DD`' },
  statie_id: {
    ro: 'identificatorul stabil al stației, același ca în API',
    en: 'stable identifier of the station, the same as in the API',
  },
  retea: { ro: 'numele rețelei', en: 'name of the network' },
  adresa: { ro: 'adresa, cum o dă sursa', en: 'address, as its source gives it' },
  lat: { ro: 'latitudinea, WGS84', en: 'latitude, WGS84' },
  lng: { ro: 'longitudinea, WGS84', en: 'longitude, WGS84' },
  carburant: { ro: 'carburantul', en: 'fuel, in Romanian' },
  pret_lei_l: {
    ro: 'prețul în lei pe litru; gol dacă este retras, expirat sau necunoscut',
    en: 'price in lei per litre; empty if withdrawn, expired or not known',
  },
  stare: { ro: 'cât de sigur este prețul, vezi mai jos', en: 'how far the price can be trusted, see below' },
  observat: {
    ro: 'ziua în care sursa a văzut prețul; gol dacă nu spune',
    en: 'day on which the source saw the price; empty where it does not say',
  },
};
