/** The settings of the nightly backups. Each parser throws a clause that describes a valid value. */
import { BadValue, durationBetween, integerBetween } from './parse.ts';
import { setting } from './setting.ts';

/** What stands for the path of the file in `BACKUP_COMMAND`. */
export const FILE_PLACEHOLDER = '{}';
const MAX_WORDS = 50;

export const BACKUP_SETTINGS = {
  BACKUP_DIR: setting<string | null>(
    null,
    (text) => text,
    'Folder of its own, which must exist, into which the worker writes a backup every night, such as `/var/backups/pompa`; see [BACKUPS.md](BACKUPS.md). Unset = no backups.',
  ),
  BACKUP_KEEP: setting(
    '14',
    integerBetween(1, 3_660, 14),
    'How many nightly backups stay there: older ones are deleted once a newer one was restored for a check.',
  ),
  BACKUP_COMMAND: setting<readonly string[] | null>(
    null,
    backupCommand,
    'What takes each backup elsewhere: a program and its arguments, separated by spaces, where `{}` stands for the path of the file, such as `rclone copy {} offsite:pompa`. No shell reads it. Unset = backups stay here.',
  ),
  BACKUP_COMMAND_TIMEOUT: setting(
    '1h',
    durationBetween(1_000, 86_400_000, '1s to 1d', '30m or 2h'),
    'How long it may take; then it is stopped and tried again an hour later.',
  ),
};

/** Whoever writes a sign that is special to a shell expects a shell. */
function backupCommand(text: string): readonly string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const special = /["'`$\\|&;<>*?~()]/.exec(text)?.[0];
  if (special !== undefined)
    throw new BadValue(`must have no ${special}: no shell reads it; put what needs one into a script, and name that`);
  if (
    words.length > MAX_WORDS ||
    words[0] === FILE_PLACEHOLDER ||
    !words.some((word) => word.includes(FILE_PLACEHOLDER))
  )
    throw new BadValue(
      `must be a program and up to ${MAX_WORDS - 1} arguments with {} for the file, such as rclone copy {} offsite:pompa`,
    );
  return Object.freeze(words);
}
