/** The project's own files, for the checks of the repository. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of the project. */
export const ROOT = path.resolve(import.meta.dirname, '../..');

/** Path from the project folder → text. */
export type Files = ReadonlyMap<string, string>;

/** Files that git ignores, and dependencies. */
const IGNORED =
  /^(data|coverage|\.git|\.setup-lock)(\/|$)|(^|\/)(node_modules|dist|__pycache__|\.mypy_cache)(\/|$)|\.log$|^\.env$/;
const TEXT =
  /\.(ts|py|md|sql|sh|json|toml|yml|yaml|pem|npmrc|gitignore)$|^(bin|scripts|\.ci)\/[^.]+$|^(LICENSE|\.npmrc|\.gitignore)$/;

/** Every text file of the project, including new ones that git does not track yet. */
export function projectFiles(): Files {
  const names = globSync('**/*', { cwd: ROOT, exclude: (name) => IGNORED.test(name) });
  const hidden = globSync(['.ci/*', '.npmrc', '.gitignore'], { cwd: ROOT });
  const wanted = [...names, ...hidden].filter((name) => TEXT.test(name) && !IGNORED.test(name)).sort();
  return new Map(wanted.map((name) => [name, readFileSync(path.join(ROOT, name), 'utf8')]));
}

/** The files whose path starts with `prefix` and ends with `suffix`. */
export function filesUnder(files: Files, prefix: string, suffix = ''): Files {
  return new Map([...files].filter(([name]) => name.startsWith(prefix) && name.endsWith(suffix)));
}

/** All files except tests. */
export function withoutTests(files: Files): Files {
  return new Map([...files].filter(([name]) => !name.endsWith('.test.ts')));
}

/** TypeScript without its comments; string literals remain. */
export function withoutComments(source: string): string {
  return source.replace(TOKENS, (token) => (token.startsWith('/') ? ' ' : token));
}

/** The comments of a TypeScript file. */
export function commentsOf(source: string): string[] {
  return (source.match(TOKENS) ?? []).filter((token) => token.startsWith('/'));
}

/** String literals, so that `//` inside them is not a comment, or comments. */
const TOKENS = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** Modules that a file imports or re-exports: paths from the project folder, or names of packages. */
export function importsOf(name: string, source: string): string[] {
  const onDemand = [...withoutComments(source).matchAll(DYNAMIC)].map(([, from = '']) => resolved(name, from));
  return [...staticImportsOf(name, source), ...onDemand];
}

/** The same without those that are imported on demand. */
export function staticImportsOf(name: string, source: string): string[] {
  return [...withoutComments(source).matchAll(STATEMENT)].map(([, from, bare]) => resolved(name, from ?? bare ?? ''));
}

function resolved(name: string, target: string): string {
  return target.startsWith('.') ? path.posix.join(path.posix.dirname(name), target) : target;
}

const STATEMENT = /^(?:import|export)\s[^;'"]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm;
const DYNAMIC = /\bimport\(\s*'([^']+)'/g;

/** Folders of packages that tests install on demand only. */
export const ON_DEMAND_FOLDERS: readonly string[] = [
  ...['mutations', 'browser', 'clients', 'openapi-tools', 'deploy'].map((name) => `test/${name}`),
  ...[14, 16, 17].map((version) => `test/postgres-versions/${version}`),
];
