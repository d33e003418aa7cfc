/** Checks what a container, a unit or a shell gives the process: its user, and a folder for temporary files. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { codeOf, messageOf } from '../../store/database-errors.ts';
import { type Finding, fail, pass } from '../reports/finding.ts';

/** What the system tells of the process. */
export type ProcessSurroundings = {
  /** `null` where the system has no user ids. */
  readonly uid: number | null;
  /** `null` = the user has no entry in `/etc/passwd`. */
  readonly userName: string | null;
  /** Our image and container engines set the variable `container`, after systemd's Container Interface. */
  readonly isContainer: boolean;
  readonly temporaryFolder: string;
};

/** Never rejects. */
export async function sandboxFindings(
  { DATABASE_URL }: { DATABASE_URL: string | null },
  surroundings: ProcessSurroundings = currentSurroundings(),
): Promise<Finding[]> {
  return [user(surroundings, DATABASE_URL === null), await temporaryFolder(surroundings)];
}

function currentSurroundings(): ProcessSurroundings {
  return {
    uid: process.getuid?.() ?? null,
    userName: userName(),
    isContainer: process.env.container !== undefined,
    temporaryFolder: os.tmpdir(),
  };
}

function userName(): string | null {
  try {
    return os.userInfo().username;
  } catch {
    return null;
  }
}

function user({ uid, userName, isContainer }: ProcessSurroundings, isEmbedded: boolean): Finding {
  if (uid === 0 && isContainer)
    return fail(
      'user',
      'Pompa runs as root in a container',
      "let it run as the image's own user 10001: leave out --user and user:, or set runAsUser: 10001",
    );
  if (uid !== null && userName === null && isEmbedded)
    return fail(
      'user',
      `user ${uid} has no entry in /etc/passwd, where the embedded PostgreSQL looks for its name`,
      "run as a user that has one, in a container as the image's own user 10001, or set DATABASE_URL",
    );
  return pass('user', uid === null ? 'unknown on this system' : `${userName ?? 'without a name'} (${uid})`);
}

async function temporaryFolder({ temporaryFolder }: ProcessSurroundings): Promise<Finding> {
  try {
    await rm(await mkdtemp(path.join(temporaryFolder, 'pompa-doctor-')), { recursive: true });
    return pass('temporary folder', `${temporaryFolder} is writable`);
  } catch (error) {
    const advice =
      codeOf(error) === 'EROFS'
        ? `mount a folder in memory there: --tmpfs ${temporaryFolder}, tmpfs: of compose, or an emptyDir of Kubernetes`
        : 'set TMPDIR to a folder that this user can write to';
    return fail('temporary folder', `${temporaryFolder} cannot be written to: ${messageOf(error)}`, advice);
  }
}
