/** Writes docs/SETTINGS.md from the table that the program itself reads: `node scripts/settings-doc.ts`. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { SETTINGS, type Setting } from '../src/config/settings.ts';

/** Where the page is kept, from the project's folder. */
export const SETTINGS_PAGE = 'docs/SETTINGS.md';

const INTRODUCTION = `# Settings

Made from \`src/config/settings.ts\` by \`scripts/settings-doc.ts\`: change the table there, then write this page again.
A test fails when the two differ.

Settings are environment variables, also read from a file \`.env\` in the project's folder (\`NAME=value\` a line); the
environment wins over the file, and an empty value is no value. They are read once, at the start. Relative paths are
taken from the project's folder.

The start stops with one sentence that names the variable when a value is bad, when \`.env\` has a name that is no
setting, when a variable of the environment is one letter off a setting, or when a setting lacks its partner:
\`SOURCES\` with a source that is asked over the network needs \`CONTACT\`, unless its address leads to this machine.

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
