/** `CRAWLERS_FILE`: the operator's own table of crawlers. */

import {
  type Crawler,
  type CrawlerTable,
  crawlerTable,
  DEFAULT_CRAWLERS,
  type DnsSuffix,
  isCrawlerToken,
} from '../domain/access/crawlers.ts';
import { readJsonFile } from './json-file.ts';
import { BadValue } from './parse.ts';

const EXAMPLE = '[{"token": "Googlebot", "suffixes": [".googlebot.com"]}]';
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * The crawlers listed in the file, which replace the built-in ones: an array of objects with a `token`, and optionally
 * the DNS `suffixes` of its operator. A relative path starts at `folder`; `null` = the built-in table. Throws
 * `BadValue`.
 */
export function readCrawlers(file: string | null, folder: string): CrawlerTable {
  if (file === null) return crawlerTable(DEFAULT_CRAWLERS);
  const { name, value: entries } = readJsonFile(file, folder, EXAMPLE);
  if (!Array.isArray(entries)) throw new BadValue(`must point to an array such as ${EXAMPLE}; ${name} is not one`);
  const crawlers = entries.map((entry, at) => crawler(entry, `entry ${at + 1} of ${name}`));
  crawlers.forEach(({ token }, at) => {
    const first = crawlers.findIndex((other) => other.token.toLowerCase() === token.toLowerCase());
    if (first < at) throw new BadValue(`must name each token once; entries ${first + 1} and ${at + 1} are ${token}`);
  });
  return crawlerTable(crawlers);
}

function crawler(entry: unknown, where: string): Crawler {
  const { token, suffixes = [], ...rest } = Object(entry) as Record<string, unknown>;
  const unknownMember = Object.keys(rest)[0];
  if (typeof token !== 'string' || !isCrawlerToken(token)) {
    throw new BadValue(`needs a "token" of letters, digits, ".", "_" and "-", such as "Googlebot", in ${where}`);
  }
  if (unknownMember !== undefined) {
    throw new BadValue(
      `accepts "token" and "suffixes", not ${JSON.stringify(unknownMember.slice(0, 40))}, in ${where}`,
    );
  }
  if (!Array.isArray(suffixes)) {
    throw new BadValue(`needs "suffixes" to be an array such as [".googlebot.com"], in ${where}`);
  }
  return { token, suffixes: Object.freeze(suffixes.map((suffix) => dnsSuffix(suffix, where))) };
}

/** The leading dot is optional; the suffix always means the names below it. */
function dnsSuffix(value: unknown, where: string): DnsSuffix {
  const domain = typeof value === 'string' ? value.toLowerCase().replace(/^\./, '') : '';
  if (domain.split('.').every((label) => LABEL.test(label))) return `.${domain}`;
  throw new BadValue(`needs DNS suffixes such as ".googlebot.com" in ${where}`);
}
