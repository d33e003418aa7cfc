/** `pompa restore --drill`: the newest nightly backup is restored beside the service, and its answers are compared. */

import { drillNewest } from '../app/backups/drill.ts';
import { type CommandCall, CommandError } from '../app/command.ts';
import { withDatabase } from '../app/database/configured-database.ts';
import { version } from '../app/settings/version.ts';
import { type Drill, recordDrill } from '../store/backup/backup-runs.ts';
import { asCommandError } from './backup.ts';

/** Records the drill, and prints what was compared; throws `CommandError` where it failed or answers differ. */
export async function runDrill(call: CommandCall): Promise<number> {
  const { config, flags, terminal, signal } = call;
  const folder = config.BACKUP_DIR;
  if (folder === null)
    throw new CommandError(
      'BACKUP_DIR is not set: it names the folder of the nightly backups, of which the newest is drilled',
    );
  const onTable = (table: string) => terminal.progress(`drill: ${table}`);
  const drill = await withDatabase(call, async ({ kysely }) => {
    const options = { folder, program: version(), now: Date.now(), log: SILENT, signal, onTable };
    const result = await drillNewest(kysely, options);
    await recordDrill(kysely, result);
    return result;
  }).catch((error) => Promise.reject(asCommandError(error)));
  terminal.progress('');
  if (flags.json) terminal.out(JSON.stringify(drill));
  const why = problemOf(drill);
  if (why !== null) throw new CommandError(`the drill of ${drill.file} failed: ${why}`);
  if (!flags.json)
    terminal.out(
      `${drill.file}: restored beside the service; ${drill.compared.length} answers are those of its moment: ${drill.compared.join(', ')}; ${drill.seconds} s`,
    );
  return 0;
}

/** Why a drill did not pass; `null` = it did. */
export function problemOf({ failure, differences }: Pick<Drill, 'failure' | 'differences'>): string | null {
  if (failure !== null) return failure;
  return differences.length === 0 ? null : `other answers than at its moment: ${differences.join(', ')}`;
}

/** A database that is gone in a moment is nothing to log. */
const SILENT = { info: () => undefined, warn: () => undefined };
