/** The settings of servers that follow others, and of those that read from a replica. */
import { absoluteUrl, BadValue, postgresUrl } from './parse.ts';
import { setting } from './setting.ts';

const MIN_TOKEN_LENGTH = 32;

export const FOLLOWER_SETTINGS = {
  FOLLOW_URL: setting<string | null>(
    null,
    absoluteUrl('https://pompa.example.ro'),
    'Address of another server whose publications `serve` follows over HTTP; without `DATABASE_URL` it then uses no database, see [FOLLOWERS.md](FOLLOWERS.md). Goes together with `FOLLOW_TOKEN`. Unset = the database is followed.',
  ),
  FOLLOW_TOKEN: setting<string | null>(
    null,
    followToken,
    'The secret of servers that follow each other, at least 32 characters, such as `openssl rand -hex 32` makes: `serve` relays its publications to whoever has it, and sends it to `FOLLOW_URL`. Unset = it relays none.',
  ),
  DATABASE_READ_URL: setting<string | null>(
    null,
    postgresUrl,
    'A streaming replica of `DATABASE_URL`, from which `serve` reads what was published; where it lags or fails, the primary is read. Unset = all is read from `DATABASE_URL`.',
  ),
};

function followToken(text: string): string {
  if (/^[\x21-\x7e]{32,200}$/.test(text)) return text;
  throw new BadValue(
    `must be ${MIN_TOKEN_LENGTH} to 200 letters, digits and signs without spaces: openssl rand -hex 32 makes one`,
  );
}

export type FollowerSettings = {
  readonly FOLLOW_URL: string | null;
  readonly FOLLOW_TOKEN: string | null;
  readonly DATABASE_URL: string | null;
  readonly DATABASE_READ_URL: string | null;
  readonly DATABASE_DIRECT_URL: string | null;
};

/** Checks the settings against each other. Throws `BadValue` with a whole sentence. */
export function checkFollowerSettings(settings: FollowerSettings): void {
  const { FOLLOW_URL, FOLLOW_TOKEN, DATABASE_URL, DATABASE_READ_URL, DATABASE_DIRECT_URL } = settings;
  if (FOLLOW_URL !== null && FOLLOW_TOKEN === null)
    throw new BadValue('FOLLOW_TOKEN must be set when FOLLOW_URL is: the one of the server that it names');
  if (DATABASE_READ_URL !== null && DATABASE_URL === null)
    throw new BadValue('DATABASE_URL must be set when DATABASE_READ_URL is: the primary of that replica');
  if (DATABASE_DIRECT_URL !== null && DATABASE_URL === null)
    throw new BadValue('DATABASE_URL must be set when DATABASE_DIRECT_URL is: the pooler in front of that server');
  if (DATABASE_READ_URL !== null && FOLLOW_URL !== null)
    throw new BadValue(
      'DATABASE_READ_URL must be unset when FOLLOW_URL is set: publications come from that server, not from a replica',
    );
  if (DATABASE_READ_URL !== null && DATABASE_READ_URL === DATABASE_URL)
    throw new BadValue('DATABASE_READ_URL must be the address of a replica, not that of DATABASE_URL');
}

/** Whether this installation has no database at all. */
export function hasNoDatabase({ FOLLOW_URL, DATABASE_URL }: Pick<FollowerSettings, 'FOLLOW_URL' | 'DATABASE_URL'>) {
  return FOLLOW_URL !== null && DATABASE_URL === null;
}
