/** Checks settings that are each valid but may not fit together. Reads nothing outside this machine. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { CONNECTION_LIMITS } from '../../api/http/connection/connection-limits.ts';
import { maxConnections } from '../../app/connection-limits-of-system.ts';
import { type Config, isRemote, PROJECT_DIR } from '../../config/config.ts';
import { hasNoDatabase } from '../../config/follower-settings.ts';
import { type Finding, fail, pass } from '../reports/finding.ts';
import { isAnyAddress } from './network/own-addresses.ts';

/** What the settings of a service mean for its clients. */
export function settingsFindings(config: Config, folder: string = PROJECT_DIR): Finding[] {
  return [settings(config), envFile(folder), publicAddress(config), proxies(config), captcha(config), openFiles()];
}

function settings(config: Config): Finding {
  const { SOURCES, DATABASE_URL, DATA_DIR } = config;
  const sources = SOURCES.length === 0 ? 'none' : SOURCES.join(', ');
  const database = hasNoDatabase(config) ? 'none' : DATABASE_URL === null ? 'embedded' : 'by DATABASE_URL';
  return pass('settings', `read; sources: ${sources}; database: ${database}; DATA_DIR: ${DATA_DIR}`);
}

function envFile(folder: string): Finding {
  const file = path.join(folder, '.env');
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return pass('.env', 'none; settings come from the environment');
  if ((found.mode & 0o077) === 0) return pass('.env', 'readable only by its owner');
  const mode = (found.mode & 0o777).toString(8);
  return fail('.env', `other users of this machine can read it or write to it (mode ${mode})`, `chmod 600 ${file}`);
}

function publicAddress({ PUBLIC_URL, HOST, PORT }: Config): Finding {
  if (PUBLIC_URL !== null) return pass('public address', PUBLIC_URL);
  if (!isAnyAddress(HOST)) return pass('public address', `http://${HOST}:${PORT}, since PUBLIC_URL is unset`);
  return fail(
    'public address',
    `links lead to http://${HOST}:${PORT}, where nobody can follow them`,
    'set PUBLIC_URL to the address that people use, such as https://pompa.example.ro',
  );
}

/** `serve` speaks plain HTTP only, so a public https address means that there is a proxy. */
function proxies({ TRUSTED_PROXIES, PUBLIC_URL }: Config): Finding {
  const ranges = TRUSTED_PROXIES[4].length + TRUSTED_PROXIES[6].length;
  if (ranges > 0) return pass('proxies', `${ranges} range(s) of addresses are trusted`);
  if (PUBLIC_URL === null || !PUBLIC_URL.startsWith('https:')) return pass('proxies', 'none: peers are the clients');
  return fail(
    'proxies',
    'PUBLIC_URL is https, so there is a proxy, but none is trusted: all visitors share the limits of one client',
    'set TRUSTED_PROXIES to the addresses that the proxy connects from, such as 127.0.0.1, ::1',
  );
}

function captcha({ CAPTCHA_KIND, CAPTCHA_HOSTNAMES, CAPTCHA_SITE_KEY, PUBLIC_URL }: Config): Finding {
  if (CAPTCHA_KIND === 'none') return pass('captcha', 'off: reviews with text are refused, stars are accepted');
  if (CAPTCHA_KIND === 'altcha') return pass('captcha', 'proof of work, without any other service');
  const forms = CAPTCHA_SITE_KEY === null ? '; without CAPTCHA_SITE_KEY our own pages take no text' : '';
  if (CAPTCHA_HOSTNAMES !== null)
    return pass('captcha', `tokens of ${CAPTCHA_HOSTNAMES.join(', ')} are accepted${forms}`);
  if (PUBLIC_URL !== null && isRemote(PUBLIC_URL)) {
    return pass('captcha', `tokens of ${new URL(PUBLIC_URL).hostname} are accepted${forms}`);
  }
  return fail(
    'captcha',
    'only tokens of pages on this machine are accepted',
    'set PUBLIC_URL, or CAPTCHA_HOSTNAMES to the hosts of the pages that ask for tokens',
  );
}

function openFiles(): Finding {
  const allowed = maxConnections();
  if (allowed >= CONNECTION_LIMITS.connections) return pass('open files', `enough for ${allowed} connections`);
  return fail(
    'open files',
    `the system lets a process hold ${allowed} connections, of ${CONNECTION_LIMITS.connections} that serve would accept`,
    'raise the limit of open files to 16384: LimitNOFILE= in the systemd unit, --ulimit nofile=16384, or ulimit -n',
  );
}
