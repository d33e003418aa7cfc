/** What settings say together, each of them good by itself: no look outside. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { LIMITS } from '../../api/http/connection/connection-limits.ts';
import { connectionsAllowed } from '../../app/open-files.ts';
import { type Config, isRemote, PROJECT } from '../../config/config.ts';
import { type Finding, unwell, well } from './finding.ts';

/** What the settings of a service mean for those who ask it. */
export function settingsFindings(config: Config, folder: string = PROJECT): Finding[] {
  return [settings(config), envFile(folder), publicAddress(config), proxies(config), captcha(config), openFiles()];
}

function settings({ SOURCES, DATABASE_URL, DATA_DIR }: Config): Finding {
  const sources = SOURCES.length === 0 ? 'none' : SOURCES.join(', ');
  const database = DATABASE_URL === null ? 'embedded' : 'by DATABASE_URL';
  return well('settings', `read; sources: ${sources}; database: ${database}; DATA_DIR: ${DATA_DIR}`);
}

function envFile(folder: string): Finding {
  const file = path.join(folder, '.env');
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return well('.env', 'none; settings come from the environment');
  if ((found.mode & 0o077) === 0) return well('.env', 'readable by its owner alone');
  const mode = (found.mode & 0o777).toString(8);
  return unwell('.env', `other users of this machine can read it or write to it (mode ${mode})`, `chmod 600 ${file}`);
}

const EVERYWHERE = ['0.0.0.0', '::'];

function publicAddress({ PUBLIC_URL, HOST, PORT }: Config): Finding {
  if (PUBLIC_URL !== null) return well('public address', PUBLIC_URL);
  if (!EVERYWHERE.includes(HOST)) return well('public address', `http://${HOST}:${PORT}, since PUBLIC_URL is unset`);
  return unwell(
    'public address',
    `links lead to http://${HOST}:${PORT}, where nobody can follow them`,
    'set PUBLIC_URL to the address that people use, such as https://pompa.example.ro',
  );
}

/** `serve` speaks plain HTTP only, so that a public https address means a proxy. */
function proxies({ TRUSTED_PROXIES, PUBLIC_URL }: Config): Finding {
  const ranges = TRUSTED_PROXIES[4].length + TRUSTED_PROXIES[6].length;
  if (ranges > 0) return well('proxies', `${ranges} range(s) of addresses are believed`);
  if (PUBLIC_URL === null || !PUBLIC_URL.startsWith('https:')) return well('proxies', 'none: peers are the clients');
  return unwell(
    'proxies',
    'PUBLIC_URL is https, so there is a proxy, but none is trusted: all visitors share the limits of one client',
    'set TRUSTED_PROXIES to the addresses that the proxy connects from, such as 127.0.0.1, ::1',
  );
}

function captcha({ CAPTCHA_SECRET, CAPTCHA_HOSTNAMES, PUBLIC_URL }: Config): Finding {
  if (CAPTCHA_SECRET === null) return well('captcha', 'off: reviews with text are refused, stars are taken');
  if (CAPTCHA_HOSTNAMES !== null) return well('captcha', `tokens of ${CAPTCHA_HOSTNAMES.join(', ')} are taken`);
  if (PUBLIC_URL !== null && isRemote(PUBLIC_URL)) {
    return well('captcha', `tokens of ${new URL(PUBLIC_URL).hostname} are taken`);
  }
  return unwell(
    'captcha',
    'only tokens of pages on this machine are taken',
    'set PUBLIC_URL, or CAPTCHA_HOSTNAMES to the hosts of the pages that ask for tokens',
  );
}

function openFiles(): Finding {
  const allowed = connectionsAllowed();
  if (allowed >= LIMITS.connections) return well('open files', `enough for ${allowed} connections`);
  return unwell(
    'open files',
    `the system lets a process hold ${allowed} connections, of ${LIMITS.connections} that serve would take`,
    'raise the limit of open files to 16384: LimitNOFILE= in the unit of systemd, or ulimit -n',
  );
}
