/** Texts of TypeScript files without types and comments, kept from start to start beside the compiled modules. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';

const STRIP_TYPES = path.join(import.meta.dirname, 'strip-types-process.ts');
/** What decides the texts, besides the files and the runtime. */
const OWN_RULES = [STRIP_TYPES, path.join(import.meta.dirname, 'strip-comments.ts')];
/** Bytes; far more than all modules have. */
const MAX_OUTPUT = 16 * 1024 * 1024;
const CACHE_FILE = 'browser-modules.json';

/** `sum` tells whether the texts are as they were written. */
type Stripped = { readonly hash: string; readonly sum: string; readonly texts: readonly string[] };

/**
 * The files without types and comments, in their order; a syntax that cannot be stripped throws. `cacheFolder` has the
 * texts of the last call with the same content, or gets these; without it, or where it is unusable, each call strips.
 */
export function readStripped(files: readonly string[], cacheFolder = getCompileCacheDir()): readonly string[] {
  const sources = [...OWN_RULES, ...files].map((file) => readFileSync(file, 'utf8'));
  const hash = digest([process.version, sources]);
  const cache = cacheFolder && path.join(cacheFolder, CACHE_FILE);
  const known = cache === undefined ? null : readCache(cache);
  if (known?.hash === hash && known.texts && known.sum === digest(known.texts)) return known.texts;
  const texts = strip(files);
  if (cache) writeCache(cache, { hash, sum: digest(texts), texts });
  return texts;
}

function digest(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** In a process of its own, since the parser of types would occupy 35 MB of this one to its end. */
function strip(files: readonly string[]): readonly string[] {
  const flags = ['--disable-warning=ExperimentalWarning'];
  const texts = execFileSync(process.execPath, [...flags, STRIP_TYPES, ...files], { maxBuffer: MAX_OUTPUT });
  return JSON.parse(texts.toString());
}

function readCache(file: string): Partial<Stripped> | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Does nothing where the folder cannot be written. */
function writeCache(file: string, stripped: Stripped): void {
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, JSON.stringify(stripped));
    renameSync(fresh, file);
  } catch {
    rmSync(fresh, { force: true });
  }
}
