/** The code on a page of the documentation, so that tests can run what readers copy. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const DOCS = path.resolve(import.meta.dirname, '../../../docs');

/** The fenced blocks of `docs/NAME.md` in a language, in their order. */
export function snippetsOf(name: string, language: string): string[] {
  const page = readFileSync(path.join(DOCS, `${name}.md`), 'utf8');
  const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return blocks.filter(([, of]) => of === language).map(([, , code = '']) => code);
}

/** The address that the documentation writes for a service. */
export const DOCUMENTED_ADDRESS = 'https://pompa.example';
