/** The dumps as a DCAT 3 catalogue in JSON-LD for data portals: a dataset per table, a distribution per file. */
import { dayText, utcInstant } from '../../domain/days.ts';
import type { LocalizedText } from '../../domain/localized-text.ts';
import { DUMP_PATH } from '../../domain/pages/dump-path.ts';
import { LICENCE, SERVICE_NAME } from '../../domain/service-identity.ts';
import { type DumpFile, type DumpManifest, FORMATS } from '../manifest.ts';
import { firstDayOf, nextMonth } from '../months.ts';
import type { AnyTable } from '../table.ts';
import { AGGREGATE_TABLES } from '../tables/aggregate-tables.ts';
import { DUMP_TABLES } from '../tables/all-tables.ts';
import { aggregatePath, DESCRIPTION, homeOf, SIMULATED, schemaPath, TITLE } from './dump-identity.ts';

const CONTEXT = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  spdx: 'http://spdx.org/rdf/terms#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
};
const MEDIA_TYPES = 'https://www.iana.org/assignments/media-types/';
const EVERY_DAY = 'http://publications.europa.eu/resource/authority/frequency/DAILY';
const ROMANIA = 'http://publications.europa.eu/resource/authority/country/ROU';
const THEME = 'http://publications.europa.eu/resource/authority/data-theme/ENER';

/** @param address of the folder, with a slash at its end */
export function dcatCatalog(manifest: DumpManifest, address: string): object {
  const datasets = [
    ...DUMP_TABLES.map((table) =>
      dataset(
        table,
        manifest.files.filter((file) => file.table === table.name).map((file) => distribution(file, address)),
        manifest,
        address,
      ),
    ),
    ...AGGREGATE_TABLES.map((table) => dataset(table, [aggregateDistribution(table, address)], manifest, address)),
  ];
  return {
    '@context': CONTEXT,
    '@id': `${address}catalog.jsonld`,
    '@type': 'dcat:Catalog',
    'dct:title': both(manifest.simulated ? inFront(SIMULATED, TITLE) : TITLE),
    'dct:description': both(DESCRIPTION),
    'dct:publisher': publisher(address),
    'dct:license': id(LICENCE.url),
    'dct:language': [
      id('http://publications.europa.eu/resource/authority/language/RON'),
      id('http://publications.europa.eu/resource/authority/language/ENG'),
    ],
    'dct:modified': instant(manifest.madeAt),
    'foaf:homepage': id(`${homeOf(address)}/date`),
    'dcat:dataset': datasets,
  };
}

function dataset(table: AnyTable, distributions: object[], { madeAt }: DumpManifest, address: string): object {
  return {
    '@id': `${address}#${table.name}`,
    '@type': 'dcat:Dataset',
    'dct:identifier': `${DUMP_PATH}${table.name}`,
    'dct:title': both(table.title),
    'dct:description': both(table.about),
    'dct:publisher': publisher(address),
    'dct:license': id(LICENCE.url),
    'dct:accrualPeriodicity': id(EVERY_DAY),
    'dct:spatial': id(ROMANIA),
    'dct:modified': instant(madeAt),
    'dct:conformsTo': id(`${address}${schemaPath(table.name)}`),
    'dcat:theme': id(THEME),
    'dcat:distribution': distributions,
  };
}

function distribution(file: DumpFile, address: string): object {
  const { path, format, bytes, sha256, month } = file;
  return {
    '@id': `${address}${path}`,
    '@type': 'dcat:Distribution',
    'dct:title': path,
    'dct:format': FORMATS[format].name,
    'dct:license': id(LICENCE.url),
    'dcat:accessURL': id(`${address}${path}`),
    'dcat:downloadURL': id(`${address}${path}`),
    'dcat:mediaType': id(`${MEDIA_TYPES}${FORMATS[format].mediaType}`),
    ...(format === 'csv.gz' && { 'dcat:compressFormat': id(`${MEDIA_TYPES}application/gzip`) }),
    'dcat:byteSize': { '@type': 'xsd:nonNegativeInteger', '@value': String(bytes) },
    'spdx:checksum': {
      '@type': 'spdx:Checksum',
      'spdx:algorithm': id('spdx:checksumAlgorithm_sha256'),
      'spdx:checksumValue': sha256,
    },
    ...(month !== null && {
      'dct:temporal': {
        '@type': 'dct:PeriodOfTime',
        'dcat:startDate': { '@type': 'xsd:date', '@value': dayText(firstDayOf(month)) },
        'dcat:endDate': { '@type': 'xsd:date', '@value': dayText(firstDayOf(nextMonth(month)) - 1) },
      },
    }),
  };
}

function aggregateDistribution({ name }: AnyTable, address: string): object {
  const url = `${address}${aggregatePath(name)}`;
  return {
    '@id': url,
    '@type': 'dcat:Distribution',
    'dct:title': aggregatePath(name),
    'dct:format': 'CSV',
    'dct:license': id(LICENCE.url),
    'dcat:accessURL': id(url),
    'dcat:downloadURL': id(url),
    'dcat:mediaType': id(`${MEDIA_TYPES}text/csv`),
  };
}

function publisher(address: string): object {
  const home = `${homeOf(address)}/`;
  return { '@id': home, '@type': 'foaf:Agent', 'foaf:name': SERVICE_NAME, 'foaf:homepage': id(home) };
}

const id = (url: string) => ({ '@id': url });
const instant = (at: number) => ({ '@type': 'xsd:dateTime', '@value': utcInstant(at) });
const inFront = (first: LocalizedText, then: LocalizedText): LocalizedText => ({
  ro: `${first.ro} ${then.ro}`,
  en: `${first.en} ${then.en}`,
});
const both = ({ ro, en }: LocalizedText) => [
  { '@language': 'ro', '@value': ro },
  { '@language': 'en', '@value': en },
];
