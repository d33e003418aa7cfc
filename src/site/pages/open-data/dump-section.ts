/** The part of the data page about the files of open data, and the small tables for spreadsheets. */
import type { Language } from '../../../domain/localized-text.ts';
import { DUMP_PATH } from '../../../domain/pages/dump-path.ts';
import { aggregatePath } from '../../../dumps/description/dump-identity.ts';
import { type DumpFile, type DumpManifest, FORMATS } from '../../../dumps/manifest.ts';
import type { AnyTable } from '../../../dumps/table.ts';
import { AGGREGATE_TABLES } from '../../../dumps/tables/aggregate-tables.ts';
import { DUMP_TABLES } from '../../../dumps/tables/all-tables.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { formatBucharestTime, formatBytes, formatCount } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { inlineMarkup } from '../../html/inline-markup.ts';
import { scrollableTable } from '../../html/scrollable-table.ts';
import { DUMP_TEXTS as TEXTS } from './dump-section-texts.ts';

const NO_BREAK_SPACE = '\u00a0';
/** Months of each table that the page lists; the descriptions name all. */
const MONTHS_SHOWN = 12;

/** What is published, how large and how old it is; or that nothing is. */
export function dumpSection({ dumps, publicUrl }: SiteData, language: Language): Html {
  if (dumps === null)
    return html`<h2 id="fisiere">${TEXTS.heading[language]}</h2>
<p>${TEXTS.none[language]}</p>
`;
  const monthly = DUMP_TABLES.filter(({ name }) =>
    dumps.files.some(({ table, month }) => table === name && month !== null),
  );
  return html`<h2 id="fisiere">${TEXTS.heading[language]}</h2>
<p>${TEXTS.about[language]}</p>
<p>${age(dumps, language)} ${inlineMarkup(TEXTS.sources[language](dumps.allowed.join(', ')))}</p>
${currentFiles(dumps, language)}${monthly.map((table) => monthFiles(table, dumps, language))}<p>${inlineMarkup(TEXTS.describedBy[language])}</p>
<p>${TEXTS.example[language]}</p>
<pre tabindex="0"><code>${duckDbExample(dumps, publicUrl)}</code></pre>
`;
}

/** The small tables, which every service has. */
export function spreadsheetSection({ publicUrl }: SiteData, language: Language): Html {
  const [cities] = AGGREGATE_TABLES;
  return html`<h2 id="foi">${TEXTS.sheets[language]}</h2>
<p>${TEXTS.sheetsAbout[language]}</p>
<ul>
${AGGREGATE_TABLES.map(({ name, title }) => html`<li><a href="${DUMP_PATH}${aggregatePath(name)}" download>${title[language]}</a> <span class="soft">CSV</span></li>\n`)}</ul>
<p>${TEXTS.sheetsFormula[language]}</p>
<pre tabindex="0"><code>=IMPORTDATA("${publicUrl}${DUMP_PATH}${aggregatePath(cities?.name ?? '')}"; ","; "en_US")</code></pre>
`;
}

/** For the structured data of the page: current files, and those of the latest months. */
export function dumpDownloads({ dumps }: SiteData): { readonly mediaType: string; readonly path: string }[] {
  const aggregates = AGGREGATE_TABLES.map(({ name }) => ({
    mediaType: 'text/csv',
    path: `${DUMP_PATH}${aggregatePath(name)}`,
  }));
  const files = (dumps?.files ?? []).filter(
    (file, _, all) => file.month === null || file.month === latestMonth(all, file.table),
  );
  return [
    ...files.map(({ format, path }) => ({ mediaType: FORMATS[format].mediaType, path: `${DUMP_PATH}${path}` })),
    ...aggregates,
  ];
}

function age({ madeAt, updatedAt }: DumpManifest, language: Language): string {
  const updated = updatedAt === null ? null : formatBucharestTime(updatedAt, language);
  return TEXTS.made[language](formatBucharestTime(madeAt, language), updated);
}

function currentFiles({ files }: DumpManifest, language: Language): Html {
  const rows = DUMP_TABLES.flatMap(({ name, title }) => {
    const own = files.filter(({ table, month }) => table === name && month === null);
    return own.length === 0 ? [] : [fileRow(title[language], own, language)];
  });
  return filesTable(TEXTS.caption[language], TEXTS.table[language], rows, language);
}

function monthFiles({ name, title }: AnyTable, { files }: DumpManifest, language: Language): Html {
  const months = Map.groupBy(
    files.filter(({ table, month }) => table === name && month !== null),
    ({ month }) => month as string,
  );
  const rows = [...months]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .slice(0, MONTHS_SHOWN)
    .map(([month, own]) =>
      fileRow(own.some(({ isFinal }) => !isFinal) ? `${month} (${TEXTS.open[language]})` : month, own, language),
    );
  return filesTable(TEXTS.monthsCaption[language](title[language]), TEXTS.month[language], rows, language);
}

function filesTable(caption: string, first: string, rows: readonly Html[], language: Language): Html {
  return html`${scrollableTable(caption)}<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">${first}</th><th scope="col" class="num">${TEXTS.rows[language]}</th><th scope="col">${TEXTS.files[language]}</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>
`;
}

function fileRow(name: string, files: readonly DumpFile[], language: Language): Html {
  const [{ rows }] = files as [DumpFile];
  return html`<tr><th scope="row">${name}</th><td class="num">${formatCount(rows, language)}</td><td>${files.map((file) => fileLink(file, language))}</td></tr>
`;
}

/** A link and its size, which stay on one line. */
function fileLink({ path, format, bytes }: DumpFile, language: Language): Html {
  const size = formatBytes(bytes, language).replace(' ', NO_BREAK_SPACE);
  return html`<a href="${DUMP_PATH}${path}" download>${FORMATS[format].name.replace(' ', NO_BREAK_SPACE)}</a>${NO_BREAK_SPACE}<span class="soft">${size}</span> `;
}

function latestMonth(files: readonly DumpFile[], table: string): string | null {
  return files.reduce<string | null>(
    (latest, file) =>
      file.table === table && file.month !== null && file.month > (latest ?? '') ? file.month : latest,
    null,
  );
}

/** Of the latest month; before there is one, of the days on which the prices of now were observed. */
function duckDbExample(dumps: DumpManifest, publicUrl: string): string {
  const file = dumps.files.findLast(({ table, format }) => table === 'zilnic' && format === 'parquet');
  const address = (path: string) => `${publicUrl}${DUMP_PATH}${path}`;
  if (file === undefined)
    return `select observat_zi as zi, round(avg(pret), 3) as medie\nfrom '${address('preturi/preturi.parquet')}'\nwhere tip = 'motorina_standard' and not nesigur group by 1 order by 1;`;
  return `select zi, round(avg(motorina_standard), 3) as medie\nfrom '${address(file.path)}' group by 1 order by 1;`;
}
