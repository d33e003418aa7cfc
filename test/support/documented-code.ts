/** The code on a page of the documentation, so that tests can run what readers copy. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const PROJECT = path.resolve(import.meta.dirname, '../..');

/** The address that the documentation writes for a service. */
export const DOCUMENTED_ADDRESS = 'https://pompa.example';

/** The fenced blocks of a page, such as `docs/CURL.md`, in a language, in their order. */
export function snippetsOf(page: string, language: string): string[] {
  const text = readFileSync(path.join(PROJECT, page), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return blocks.filter(([, of]) => of === language).map(([, , code = '']) => code);
}

/** A snippet as a reader changes it who has a service of their own. Throws when it names none. */
export function atAddress(code: string, url: string): string {
  if (!code.includes(DOCUMENTED_ADDRESS)) throw new Error(`nothing in it names ${DOCUMENTED_ADDRESS}:\n${code}`);
  return code.replaceAll(DOCUMENTED_ADDRESS, url);
}
