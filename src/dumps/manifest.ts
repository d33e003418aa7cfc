/** What the dumps of a folder are: every file with its size, hash, rows and sources, and what was corrected. */

/** Holds the manifest; written last, so that what it names is there. */
export const MANIFEST_FILE = 'datapackage.json';

/** The formats, by the ending of their files. */
export const FORMATS = {
  'csv.gz': { mediaType: 'text/csv', name: 'CSV (gzip)' },
  parquet: { mediaType: 'application/vnd.apache.parquet', name: 'Parquet' },
  'geo.parquet': { mediaType: 'application/vnd.apache.parquet', name: 'GeoParquet' },
  geojson: { mediaType: 'application/geo+json', name: 'GeoJSON' },
} as const;
export type DumpFormat = keyof typeof FORMATS;

export type DumpFile = {
  /** Below the folder, with slashes. */
  readonly path: string;
  /** The name of its table. */
  readonly table: string;
  readonly format: DumpFormat;
  /** `YYYY-MM`; `null` = it has what is current. */
  readonly month: string | null;
  /** Whether it never changes again: a month that has ended some days ago. */
  readonly isFinal: boolean;
  /** 1, and one more for each correction of the month. */
  readonly revision: number;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  readonly rows: number;
  /** The sources of its rows. */
  readonly sources: readonly string[];
};

/** A final month that was replaced or withdrawn. */
export type Erratum = {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly why: string;
  readonly before: Pick<DumpFile, 'path' | 'sha256'>;
  /** `null` = withdrawn. */
  readonly after: Pick<DumpFile, 'path' | 'sha256'> | null;
};

export type DumpManifest = {
  /** When the dumps were made, epoch ms. */
  readonly madeAt: number;
  /** When the data in them were last updated, epoch ms; `null` = never. */
  readonly updatedAt: number | null;
  /** Of the feed: the changes after it lead on from the current files; `null` = nothing was told. */
  readonly cursor: string | null;
  /** Whether the data are simulated. */
  readonly simulated: boolean;
  /** The sources that were allowed. */
  readonly allowed: readonly string[];
  readonly files: readonly DumpFile[];
  /** Final months of which the allowed sources have no rows, as `table/YYYY-MM`. */
  readonly emptyMonths: readonly string[];
  readonly errata: readonly Erratum[];
};

/** The path of a file below the folder of the dumps. */
export function dumpPath(table: string, format: DumpFormat, month: string | null, revision: number): string {
  if (month === null) return `${table}/${table}.${format}`;
  const corrected = revision > 1 ? `-r${revision}` : '';
  return `${table}/an=${month.slice(0, 4)}/${table}-${month}${corrected}.${format}`;
}
