/** The project's own files, as the checks of the house read them. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The project's folder. */
export const ROOT = path.resolve(import.meta.dirname, '../..');

/** Path from the project's folder → text. */
export type Files = ReadonlyMap<string, string>;

/** What git is told not to keep, and what is no text of ours. */
const IGNORED = /^(data|coverage|\.git|\.setup-lock)(\/|$)|(^|\/)node_modules(\/|$)|\.log$|^\.env$/;
const TEXT =
  /\.(ts|md|sql|sh|json|yml|yaml|pem|npmrc|gitignore)$|^(bin|scripts|\.ci)\/[^.]+$|^(LICENSE|\.npmrc|\.gitignore)$/;

/** Every text file of the project, whether git knows it already or not. */
export function projectFiles(): Files {
  const names = globSync('**/*', { cwd: ROOT, exclude: (name) => IGNORED.test(name) });
  const hidden = globSync(['.ci/*', '.npmrc', '.gitignore'], { cwd: ROOT });
  const wanted = [...names, ...hidden].filter((name) => TEXT.test(name) && !IGNORED.test(name)).sort();
  return new Map(wanted.map((name) => [name, readFileSync(path.join(ROOT, name), 'utf8')]));
}

/** The files whose path begins and ends so. */
export function filesUnder(files: Files, prefix: string, suffix = ''): Files {
  return new Map([...files].filter(([name]) => name.startsWith(prefix) && name.endsWith(suffix)));
}

/** The files that are no tests. */
export function withoutTests(files: Files): Files {
  return new Map([...files].filter(([name]) => !name.endsWith('.test.ts')));
}

/** TypeScript without its comments; texts in quotes stay. */
export function withoutComments(source: string): string {
  return source.replace(TOKENS, (token) => (token.startsWith('/') ? ' ' : token));
}

/** The comments of a TypeScript file. */
export function commentsOf(source: string): string[] {
  return (source.match(TOKENS) ?? []).filter((token) => token.startsWith('/'));
}

/** Texts in quotes, so that `//` within them is no comment; then comments. */
const TOKENS = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** What a module imports or re-exports: paths from the project's folder, or names of packages. */
export function importsOf(name: string, source: string): string[] {
  const code = withoutComments(source);
  const found = [...code.matchAll(STATEMENT), ...code.matchAll(DYNAMIC)].map(([, from, bare]) => from ?? bare ?? '');
  return found.map((target) => (target.startsWith('.') ? path.posix.join(path.posix.dirname(name), target) : target));
}

const STATEMENT = /^(?:import|export)\s[^;'"]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm;
const DYNAMIC = /\bimport\(\s*'([^']+)'/g;
