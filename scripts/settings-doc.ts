/** Writes docs/SETTINGS.md from the table that the program itself reads: `node scripts/settings-doc.ts`. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Setting } from '../src/config/setting.ts';
import { SETTINGS } from '../src/config/settings.ts';

/** The path of the page in the project. */
export const SETTINGS_PAGE = 'docs/SETTINGS.md';

const INTRODUCTION = `# Settings

Generated from \`src/config/settings.ts\` by \`scripts/settings-doc.ts\`: change the table there, then run the script again.
A test fails when the two differ.

Settings are environment variables, also read from a file \`.env\` in the project's folder (one \`NAME=value\` per line). The
environment takes precedence over the file, and an empty value counts as unset. The service reads them once, at startup.
Relative paths start at the project's folder.

Startup fails with one sentence that names the variable when a value is invalid, when \`.env\` has an unknown name, when
an environment variable is one letter off a setting, or when a setting that another one needs is missing: \`SOURCES\` with a
source on another machine needs \`CONTACT\`, \`CAPTCHA_KIND=recaptcha\` needs \`CAPTCHA_SECRET\`, and \`MAP_TILES_URL\` needs
\`MAP_ATTRIBUTION\`. It also fails when \`.env\` has a secret (a key, a database address with a password) and other
users of the machine can read it: \`chmod 600 .env\`.

| variable | default | least to greatest | meaning |
|---|---|---|---|
`;

/** The expected text of the page. */
export function settingsPage(): string {
  const rows = Object.entries<Setting<unknown>>(SETTINGS).map(
    ([name, { defaultText, parse, description }]) =>
      `| \`${name}\` | ${formatDefault(defaultText)} | ${parse.range ?? ''} | ${description.replaceAll('|', '\\|')} |\n`,
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
