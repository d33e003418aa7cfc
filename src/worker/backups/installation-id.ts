/** What tells the backups of this installation from those of others in the same folder: a file of DATA_DIR. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../../store/database-errors.ts';

const FILE = 'installation-id';
const ID = /^[0-9a-f]{8}$/;

/** Eight hexadecimal digits; `null` = it has none yet. Rejects where the file cannot be read. */
export async function readInstallationId(dataDir: string): Promise<string | null> {
  const text = await readFile(path.join(dataDir, FILE), 'utf8').catch((error) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  });
  return ID.test(text.trim()) ? text.trim() : null;
}

/** Makes one where there is none: call it only where nobody else makes a backup. */
export async function ensureInstallationId(dataDir: string): Promise<string> {
  const known = await readInstallationId(dataDir);
  if (known !== null) return known;
  const made = randomBytes(4).toString('hex');
  const file = path.join(dataDir, FILE);
  await mkdir(dataDir, { recursive: true });
  await writeFile(`${file}.new`, `${made}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return made;
}
