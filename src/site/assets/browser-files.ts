/**
 * The code that runs in browsers: TypeScript as it stands in `src/site/browser/` and `src/site/embed-code/`, without
 * its types and comments, and libraries as their packages ship them; and the style sheet of the pages. One fingerprint
 * in the path stands for the content of all, so that a browser keeps a file for ever and imports between files need no
 * rewriting.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PAGE_CSS } from '../html/style.ts';
import { readStripped } from './strip-types.ts';

/** `isCurrent` = the address has this fingerprint: the file there never changes. */
type BrowserFile = { readonly contentType: string; readonly content: string; readonly isCurrent: boolean };

export type BrowserFiles = {
  /** The service worker, whose address never changes: a browser would take another one for another worker. */
  readonly serviceWorker: string;
  /** The element that pages of other sites use, which have its address in them. */
  readonly element: string;
  /** The address of a file, by its name. Throws where there is none, so that no page links to nothing. */
  pathOf(name: string): string;
  /** The files that a browser loads together with modules: what they import, and so on, except by `import()`. */
  importedBy(modules: readonly string[]): readonly string[];
  /**
   * The file at an address, under whichever fingerprint: while servers are upgraded one after the other, a page of the
   * next fingerprint may ask one that has this one. `undefined` = there is none.
   */
  read(address: string): BrowserFile | undefined;
};

const FOLDERS = ['../browser', '../embed-code'].map((folder) => path.join(import.meta.dirname, folder));
const SERVICE_WORKER = path.join(import.meta.dirname, '../service-worker/service-worker.ts');
/** Served at an address of its own, and so not among the files below `/b/`. */
const ELEMENT = 'pompa-pret.ts';
const PREFIX = '/b/';
/** Files of packages, by the name under which they are served. */
const LIBRARY_FILES = { 'leaflet.js': 'leaflet/dist/leaflet.js', 'leaflet.css': 'leaflet/dist/leaflet.css' };
/** Characters of the hash in the path: enough that no two contents share it. */
const FINGERPRINT_LENGTH = 12;
const ADDRESS = new RegExp(`^${PREFIX}[0-9a-f]{${FINGERPRINT_LENGTH}}/([^/]+)$`);

let own: BrowserFiles | undefined;

/** The site's own files, read once per process. */
export function browserFiles(): BrowserFiles {
  own ??= loadBrowserFiles();
  return own;
}

/** Reads all files. A syntax that cannot be stripped stops the start. */
export function loadBrowserFiles(folders: readonly string[] = FOLDERS): BrowserFiles {
  const sources = folders.flatMap(modulesIn).sort();
  const names = sources.map((source) => path.basename(source));
  const [serviceWorker, ...modules] = readStripped([SERVICE_WORKER, ...sources]);
  const files = new Map([
    ...names.map((name, index) => [name, modules[index] as string] as const),
    ['style.css', PAGE_CSS] as const,
    ...Object.entries(LIBRARY_FILES).map(([name, source]) => [name, readLibraryFile(source)] as const),
  ]);
  const element = files.get(ELEMENT) ?? '';
  files.delete(ELEMENT);
  const hash = createHash('sha256')
    .update(JSON.stringify([...files]))
    .digest('hex');
  const folder = `${PREFIX}${hash.slice(0, FINGERPRINT_LENGTH)}/`;
  return {
    serviceWorker: serviceWorker as string,
    element,
    pathOf: (name) => {
      if (!files.has(name)) throw new Error(`there is no browser module ${name}`);
      return `${folder}${name}`;
    },
    importedBy: (modules) => {
      const reached = new Set(modules);
      for (const name of reached) for (const imported of importsOf(files.get(name) ?? '')) reached.add(imported);
      return [...reached].slice(modules.length);
    },
    read: (address) => {
      const [, name = ''] = ADDRESS.exec(address) ?? [];
      const content = files.get(name);
      if (content === undefined) return undefined;
      return { contentType: contentTypeOf(name), content, isCurrent: address.startsWith(folder) };
    },
  };
}

function modulesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => path.join(folder, name));
}

/** The static imports of a module without types, all of its own folder. */
function importsOf(code: string): string[] {
  return [...code.matchAll(/^import\s[^;'"]*['"]\.\/([^'"]+)['"]/gm)].map(([, name = '']) => name);
}

/** Without the name of its source map, which is not served. */
function readLibraryFile(source: string): string {
  return readFileSync(fileURLToPath(import.meta.resolve(source)), 'utf8').replace(
    /\n\/\/# sourceMappingURL=.*\s*$/,
    '\n',
  );
}

function contentTypeOf(name: string): string {
  return name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
}
