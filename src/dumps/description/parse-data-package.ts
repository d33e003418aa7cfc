/** Reads the manifest from a `datapackage.json` of ours. */
import { isObject } from '../../json/is-object.ts';
import { tryParseJson } from '../../json/try-parse-json.ts';
import { type DumpFile, type DumpFormat, type DumpManifest, dumpPath, type Erratum, FORMATS } from '../manifest.ts';

/** `null` = the text is no such file, or one of another version. */
export function parseDataPackage(text: string): DumpManifest | null {
  const value = tryParseJson(text);
  if (!isObject(value) || !Array.isArray(value.resources)) return null;
  const madeAt = Date.parse(String(value.created));
  if (Number.isNaN(madeAt)) return null;
  const updatedAt = Date.parse(String(value.date_actualizate_la));
  return {
    madeAt,
    updatedAt: Number.isNaN(updatedAt) ? null : updatedAt,
    cursor: typeof value.cursor === 'string' ? value.cursor : null,
    simulated: value.simulate === true,
    allowed: titlesOf(value.sources),
    files: value.resources.map(toFile).filter((file) => file !== null),
    emptyMonths: texts(value.luni_goale),
    errata: (Array.isArray(value.erata) ? value.erata : []).map(toErratum).filter((one) => one !== null),
  };
}

/** `null` = a resource that has no hash, or whose path is not that of such a file. */
function toFile(resource: unknown): DumpFile | null {
  if (!isObject(resource)) return null;
  const { path, tabel, fel, luna, definitiv, revizie, bytes, hash, randuri, sources } = resource;
  const sha256 = /^sha256:([0-9a-f]{64})$/.exec(String(hash))?.[1];
  if (sha256 === undefined || typeof tabel !== 'string' || !isFormat(fel)) return null;
  const month = typeof luna === 'string' ? luna : null;
  const revision = Number(revizie);
  // So that no path leads out of the folder, whoever wrote the file.
  if (path !== dumpPath(tabel, fel, month, revision) || !/^[a-z]+\/(an=\d{4}\/)?[a-z0-9.-]+$/.test(path)) return null;
  return {
    ...{ path, table: tabel, format: fel, month, isFinal: definitiv === true, revision },
    ...{ bytes: Number(bytes), sha256, rows: Number(randuri), sources: titlesOf(sources) },
  };
}

/** `null` = an entry that does not name the file it corrects. */
function toErratum(entry: unknown): Erratum | null {
  if (!isObject(entry)) return null;
  const before = toFileName(entry.inainte);
  return before && { day: String(entry.zi), why: String(entry.motiv), before, after: toFileName(entry.dupa) };
}

function toFileName(value: unknown): Erratum['after'] {
  if (!isObject(value) || typeof value.path !== 'string' || typeof value.sha256 !== 'string') return null;
  return { path: value.path, sha256: value.sha256 };
}

function isFormat(text: unknown): text is DumpFormat {
  return typeof text === 'string' && Object.hasOwn(FORMATS, text);
}

function titlesOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter(isObject).map(({ title }) => String(title)) : [];
}

function texts(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}
