/**
 * The manifest as `datapackage.json` (Data Package 2.0). It is also what the next dump, `serve` and `doctor` read; what
 * the standard has no word for is in members of ours.
 */
import { utcInstant } from '../../domain/days.ts';
import { LICENCE, SERVICE_NAME } from '../../domain/service-identity.ts';
import { type DumpFile, type DumpManifest, FORMATS } from '../manifest.ts';
import { AGGREGATE_TABLES } from '../tables/aggregate-tables.ts';
import { DUMP_TABLES } from '../tables/all-tables.ts';
import { aggregatePath, DESCRIPTION, homeOf, LICENCE_TITLE, SIMULATED, schemaPath, TITLE } from './dump-identity.ts';

/** Of the columns: raised when one changes its meaning, which a folder `v2` then has. */
const SCHEMA_VERSION = '1.0.0';
const PROFILE = 'https://datapackage.org/profiles/2.0/datapackage.json';

/** @param address of the folder, with a slash at its end */
export function dataPackage(manifest: DumpManifest, address: string): object {
  const { madeAt, updatedAt, cursor, simulated, allowed, emptyMonths, errata, files } = manifest;
  return {
    $schema: PROFILE,
    name: 'pompa-preturi-carburanti',
    id: address,
    title: simulated ? `${SIMULATED.ro} ${TITLE.ro}` : TITLE.ro,
    description: `${DESCRIPTION.ro} / ${DESCRIPTION.en}`,
    homepage: `${homeOf(address)}/date`,
    version: SCHEMA_VERSION,
    created: utcInstant(madeAt),
    contributors: [{ title: SERVICE_NAME, path: `${homeOf(address)}/`, roles: ['publisher'] }],
    licenses: [{ name: 'CC-BY-4.0', path: LICENCE.url, title: LICENCE_TITLE }],
    sources: allowed.map((title) => ({ title })),
    keywords: ['prețuri', 'carburanți', 'benzinării', 'România', 'fuel prices', 'Romania'],
    ...(simulated && { simulate: true }),
    date_actualizate_la: updatedAt === null ? null : utcInstant(updatedAt),
    cursor,
    luni_goale: emptyMonths,
    erata: errata.map(({ day, why, before, after }) => ({ zi: day, motiv: why, inainte: before, dupa: after })),
    resources: [
      ...files.map(resource),
      ...AGGREGATE_TABLES.map(({ name, title }) => aggregateResource(name, title.ro)),
    ],
  };
}

function resource({ path, table, format, month, isFinal, revision, bytes, sha256, rows, sources }: DumpFile): object {
  const title = DUMP_TABLES.find(({ name }) => name === table)?.title.ro ?? table;
  return {
    name: path.replace(/^.*\//, '').replaceAll(/[^a-z0-9-]+/g, '-'),
    path,
    title: month === null ? title : `${title}, ${month}`,
    ...(format === 'csv.gz' && { type: 'table', encoding: 'utf-8', compression: 'gz' }),
    format: format === 'csv.gz' ? 'csv' : format.replace('geo.', ''),
    mediatype: FORMATS[format].mediaType,
    bytes,
    hash: `sha256:${sha256}`,
    schema: schemaPath(table),
    sources: sources.map((source) => ({ title: source })),
    tabel: table,
    fel: format,
    luna: month,
    definitiv: isFinal,
    revizie: revision,
    randuri: rows,
  };
}

/** Without size and hash: it changes with every reading of the sources. */
function aggregateResource(name: string, title: string): object {
  return {
    ...{ name: `${name}-csv`, path: aggregatePath(name), title, type: 'table' },
    ...{ encoding: 'utf-8', format: 'csv', mediatype: 'text/csv', schema: schemaPath(name) },
  };
}
