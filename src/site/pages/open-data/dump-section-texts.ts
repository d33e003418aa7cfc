/** The texts about the files of open data. */
import { DUMP_PATH } from '../../../domain/pages/dump-path.ts';
import { text } from '../../html/text.ts';

export const DUMP_TEXTS = {
  heading: text('Fișiere complete', 'Complete files'),
  about: text(
    'Benzinăriile, prețurile de acum, fiecare modificare și prețurile zilnice, pe stații, ca CSV comprimat, Parquet și GeoJSON. Fără cheie și fără limită de cereri; descărcările întrerupte se pot continua.',
    'Stations, current prices, every change and daily prices, by station, as compressed CSV, Parquet and GeoJSON. No key and no request limit; interrupted downloads can be resumed.',
  ),
  none: text(
    'Pe acest serviciu nu se publică acum fișiere cu toate stațiile: operatorul nu a indicat nicio sursă ale cărei date pot fi publicate astfel, sau fișierele nu sunt gata încă. Prețurile de mai sus și API-ul rămân libere.',
    'This service does not publish files of all stations now: its operator has listed no source whose data may be published this way, or the files are not ready yet. The prices above and the API stay free.',
  ),
  made: text(
    (made: string, updated: string | null) =>
      `Făcute pe ${made}${updated === null ? '' : `, din datele citite până pe ${updated}`}.`,
    (made: string, updated: string | null) =>
      `Made on ${made}${updated === null ? '' : `, from data read up to ${updated}`}.`,
  ),
  sources: text(
    (sources: string) => `Sursele din fișiere: ${sources}. Coloana \`sursa\` arată sursa fiecărui rând.`,
    (sources: string) => `Sources in the files: ${sources}. The column \`sursa\` gives the source of each row.`,
  ),
  caption: text('Fișierele de acum', 'Current files'),
  monthsCaption: text(
    (table: string) => `${table}: ultimele luni`,
    (table: string) => `${table}: the latest months`,
  ),
  table: text('Tabelul', 'Table'),
  month: text('Luna', 'Month'),
  rows: text('Rânduri', 'Rows'),
  files: text('Fișiere', 'Files'),
  open: text('în curs', 'not over yet'),
  describedBy: text(
    `Toate fișierele, cu mărime și sumă SHA-256: [datapackage.json](${DUMP_PATH}datapackage.json), [catalog.jsonld](${DUMP_PATH}catalog.jsonld) (DCAT) și [SHA256SUMS](${DUMP_PATH}SHA256SUMS). [Licența](${DUMP_PATH}LICENTA.txt), [erata](${DUMP_PATH}ERATA.md), [cum se citează](${DUMP_PATH}CITATION.cff). Fișierele lunilor încheiate nu se mai schimbă.`,
    `All files, with size and SHA-256 sum: [datapackage.json](${DUMP_PATH}datapackage.json), [catalog.jsonld](${DUMP_PATH}catalog.jsonld) (DCAT) and [SHA256SUMS](${DUMP_PATH}SHA256SUMS). [Licence](${DUMP_PATH}LICENTA.txt), [errata](${DUMP_PATH}ERATA.md), [citation](${DUMP_PATH}CITATION.cff). The files of past months never change.`,
  ),
  example: text(
    'De exemplu, cu DuckDB, prețul mediu al motorinei pe zile:',
    'For example, with DuckDB, the mean price of diesel by day:',
  ),
  sheets: text('Pentru foi de calcul', 'For spreadsheets'),
  sheetsAbout: text(
    'Trei fișiere CSV mici, fără cheie, la fel de noi ca paginile:',
    'Three small CSV files without a key, as new as the pages:',
  ),
  sheetsFormula: text(
    'În Google Sheets, unde „en_US” arată că fișierul are punct zecimal (o foaie în română ar citi altfel 7.12 ca dată):',
    'In Google Sheets, where "en_US" says that the file has a decimal point (a Romanian sheet would read 7.12 as a date):',
  ),
};
