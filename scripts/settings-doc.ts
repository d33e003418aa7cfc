/** Writes docs/SETTINGS.md from the table that the program itself reads: `node scripts/settings-doc.ts`. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { SETTINGS, type Setting } from '../src/config/settings.ts';

/** Where the page is kept, from the project's folder. */
export const SETTINGS_PAGE = 'docs/SETTINGS.md';

const INTRODUCTION = `# Settings

Generated from \`src/config/settings.ts\` by \`scripts/settings-doc.ts\`: change the table there, then run the script again.
A test fails when the two differ.

Settings are environment variables, also read from a file \`.env\` in the project's folder (one \`NAME=value\` per line). The
environment takes precedence over the file, and an empty value counts as unset. The service reads them once, at start.
Relative paths start at the project's folder.

The start stops with one sentence that names the variable when a value is invalid, when \`.env\` has an unknown name, when
an environment variable is one letter off a setting, or when a setting that another one needs is missing: \`SOURCES\` with a
source on another machine needs \`CONTACT\`.

| variable | default | meaning |
|---|---|---|
`;

/** The page as it should be. */
export function settingsPage(): string {
  const rows = Object.entries<Setting<unknown>>(SETTINGS).map(
    ([name, { defaultText, description }]) =>
      `| \`${name}\` | ${formatDefault(defaultText)} | ${description.replaceAll('|', '\\|')} |\n`,
  );
  return INTRODUCTION + rows.join('');
}

function formatDefault(standard: string | null): string {
  if (standard === null) return 'unset';
  return standard === '' ? 'none' : `\`${standard}\``;
}

if (import.meta.main) {
  writeFileSync(path.resolve(import.meta.dirname, '..', SETTINGS_PAGE), settingsPage());
  console.log(`${SETTINGS_PAGE} written`);
}
