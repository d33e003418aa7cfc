/** Pages that are about no place, by the words that people search for them with. */
import type { LocalizedText } from '../../domain/localized-text.ts';
import type { RouteName, RouteParameters } from '../../domain/pages/routes.ts';
import { foldName } from '../../domain/places/place-names.ts';
import type { SearchText } from './search-text.ts';

/** Routes without a variable part. */
type PlainRoute = { [Name in RouteName]: keyof RouteParameters<Name> extends never ? Name : never }[RouteName];

export type NamedPage = { readonly route: PlainRoute; readonly name: LocalizedText; readonly note: LocalizedText };

/** A word of fewer letters has to be written out. */
const MIN_BEGINNING = 3;

/** The pages that every word of a text means. Where a text has only words that name no place, those count. */
export function pagesNamed({ typed, words }: SearchText): readonly NamedPage[] {
  const sought = words.length > 0 ? words : foldName(typed).split(' ');
  return PAGES.filter(({ known }) =>
    sought.every((word) => known.some((each) => each === word || isBeginning(word, each))),
  );
}

function isBeginning(word: string, known: string): boolean {
  return word.length >= MIN_BEGINNING && known.startsWith(word);
}

function page(route: PlainRoute, name: LocalizedText, note: LocalizedText, words: string) {
  const known = foldName([name.ro, name.en, words].join(' ')).split(' ');
  return { route, name, note, known: [...new Set(known)] };
}

const PAGES = [
  page(
    'motorways',
    { ro: 'Autostrăzi', en: 'Motorways' },
    { ro: 'cât costă în plus carburantul pe autostradă', en: 'what fuel costs more on the motorway' },
    'autostrada highway A1 A2 A3',
  ),
  page(
    'alerts',
    { ro: 'Alerte', en: 'Alerts' },
    { ro: 'o notificare când se schimbă prețul', en: 'a notification when the price changes' },
    'alerta alertă notificări notificare notifications abonare',
  ),
  page(
    'germany',
    { ro: 'Germania', en: 'Germany' },
    { ro: 'benzinării din Germania, în euro', en: 'stations in Germany, in euros' },
    'Deutschland germane german nemțești Tankstelle euro străinătate abroad',
  ),
  page(
    'statistics',
    { ro: 'Statistici', en: 'Statistics' },
    { ro: 'istoricul prețurilor, cu grafice și CSV', en: 'the history of prices, with charts and CSV' },
    'statistica istoric istoricul history grafic grafice chart charts evoluție evoluția recorduri records',
  ),
  page(
    'map',
    { ro: 'Hartă', en: 'Map' },
    { ro: 'toate benzinăriile pe hartă', en: 'all stations on a map' },
    'harta hărți maps',
  ),
  page(
    'journey',
    { ro: 'Traseu', en: 'Route' },
    { ro: 'unde merită oprit pe drum', en: 'where to stop on the way' },
    'trasee drum drumul rută ruta journey trip way',
  ),
  page(
    'nearby',
    { ro: 'Lângă mine', en: 'Near me' },
    { ro: 'benzinăriile din jurul poziției dvs.', en: 'the stations around your position' },
    'aproape apropiere apropiate nearby around',
  ),
  page(
    'today',
    { ro: 'Azi', en: 'Today' },
    { ro: 'prețurile zilei, în propoziții și cifre', en: 'the day’s prices, in sentences and figures' },
    'astăzi ziua scumpire ieftinire',
  ),
  page(
    'days',
    { ro: 'Arhivă', en: 'Archive' },
    { ro: 'prețurile fiecărei zile', en: 'the prices of each day' },
    'arhiva zile ieri days yesterday',
  ),
  page(
    'method',
    { ro: 'Metodologie', en: 'Method' },
    { ro: 'surse, reguli și semne', en: 'sources, rules and flags' },
    'metodologia methodology metoda reguli rules surse sources',
  ),
  page(
    'status',
    { ro: 'Starea datelor', en: 'State of the data' },
    { ro: 'cât de proaspătă este fiecare sursă', en: 'how fresh each source is' },
    'stare status incidente incidents actualizare prospețime',
  ),
  page(
    'data',
    { ro: 'Date deschise', en: 'Open data' },
    { ro: 'fișiere, licență, cum se citează', en: 'files, licence, how to cite' },
    'csv descărcare descarcă download licență licence',
  ),
  page(
    'embeds',
    { ro: 'Pe site-ul dvs.', en: 'For your site' },
    { ro: 'prețuri pentru alte site-uri și pentru presă', en: 'prices for other sites and the press' },
    'widget widgeturi insignă insigne badge iframe embed presă press tabel table',
  ),
  page(
    'docs',
    { ro: 'Documentația API', en: 'API documentation' },
    { ro: 'pentru programe', en: 'for programs' },
    'docs json dezvoltatori developers openapi',
  ),
  page(
    'plans',
    { ro: 'Planuri', en: 'Plans' },
    { ro: 'chei API și ce costă', en: 'API keys and what they cost' },
    'plan tarife tarif pricing abonament abonamente cheie chei keys',
  ),
  page(
    'privacy',
    { ro: 'Confidențialitate', en: 'Privacy' },
    { ro: 'ce se păstrează despre vizitatori', en: 'what is kept about visitors' },
    'gdpr cookie cookies personale',
  ),
  page(
    'terms',
    { ro: 'Termeni', en: 'Terms' },
    { ro: 'termenii de folosire', en: 'terms of use' },
    'condiții conditions folosire',
  ),
];
