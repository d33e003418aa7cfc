/** The sources this program knows, each with the way to its pages. */

import { createDownloader, type DownloaderOptions } from '../clients/http/download.ts';
import { type Config, isRemote } from '../config/config.ts';
import { PUBLIC_REGISTER, SETTINGS } from '../config/settings.ts';
import { isHttpUrl, PAGE_SETTINGS } from '../config/sources.ts';
import { loadGazetteer } from '../geodata/load-gazetteer.ts';
import { locatorSource } from '../sources/locators/locators.ts';
import { priceListSource } from '../sources/price-list/price-list.ts';
import { readListFile } from '../sources/price-list/read-file.ts';
import { registerSource } from '../sources/register/register.ts';
import { registerAuthorities } from '../sources/register/requests/authorities.ts';
import { rompetrolSource } from '../sources/rompetrol/rompetrol.ts';
import type { Source } from '../sources/source.ts';
import type { Feed } from '../worker/collection/collect.ts';
import { UsageError } from './command.ts';
import { version } from './version.ts';

const DOWNLOAD_LIMITS = { timeoutMs: 30_000, maxBytes: 20_000_000, retries: 3, backoffMs: 1_000 };
/** A source on this machine is a simulation or a test: there is nobody to spare by waiting long. */
const LOCAL_BACKOFF_MS = 50;

/** Who we are to those we ask. */
export function userAgentOf({ CONTACT }: Pick<Config, 'CONTACT'>): string {
  return `Pompa/${version()}${CONTACT ? ` (+${CONTACT})` : ''}`;
}

/** The sources by name: those of the networks and the register, and the price lists of the settings. */
export function feedsOf(config: Config): ReadonlyMap<string, Feed> {
  const pages: Readonly<Record<keyof typeof PAGE_SETTINGS, Source>> = {
    rompetrol: rompetrolSource(),
    'locator:omv': locatorSource('omv'),
    'locator:petrom': locatorSource('petrom'),
    'locator:mol': locatorSource('mol'),
  };
  const feeds = [
    registerFeed(config),
    ...Object.entries(PAGE_SETTINGS).map(([name, setting]) =>
      singlePageFeed(config, pages[name as keyof typeof pages], config[setting], SETTINGS[setting].defaultText),
    ),
    ...[...config.priceLists].map(([name, place]) => listFeed(config, name, place)),
  ];
  return new Map(feeds.map((feed) => [feed.source.name, feed]));
}

/** Refuses names that are no feed's. Throws `UsageError`. */
export function requireFeeds(config: Config, names: readonly string[]): void {
  const known = [...feedsOf(config).keys()];
  const unknownName = names.find((name) => !known.includes(name));
  if (unknownName === undefined) return;
  const advice = unknownName.startsWith('prices:')
    ? '; a price list is named in SOURCES, such as prices:socar=FILE'
    : '';
  throw new UsageError(`no source is called "${unknownName}"; known are ${known.join(', ')}${advice}`);
}

function registerFeed(config: Config): Feed {
  const base = config.REGISTER_URL;
  return {
    source: registerSource(),
    parallel: config.REGISTER_PARALLEL,
    open: openFeed(config, (target) => `${base}/${target}`, {
      pauseMs: config.REGISTER_PAUSE_MS,
      parallel: config.REGISTER_PARALLEL,
      // An address the operator set may be anywhere; the public one must not be led to a private host by its DNS.
      allowPrivate: base !== PUBLIC_REGISTER,
      ca: registerAuthorities(),
    }),
  };
}

/** A feed of one page. */
function singlePageFeed(config: Config, source: Source, address: string, defaultAddress: string | null): Feed {
  const allowPrivate = address !== defaultAddress;
  return {
    source,
    parallel: 1,
    open: openFeed(config, () => address, { pauseMs: 0, parallel: 1, allowPrivate }),
  };
}

/** A price list: on the network wherever the operator says, or a file of this machine. */
function listFeed(config: Config, name: string, location: string): Feed {
  const map = config.priceMaps.get(name.slice('prices:'.length)) ?? null;
  const source = priceListSource({ name, map, gazetteer: loadGazetteer() });
  if (isHttpUrl(location)) return singlePageFeed(config, source, location, null);
  const open = () => ({ ask: () => readListFile(location, DOWNLOAD_LIMITS.maxBytes), close: async () => undefined });
  return { source, parallel: 1, open };
}

type Politeness = Pick<DownloaderOptions, 'pauseMs' | 'parallel' | 'allowPrivate' | 'ca'>;

function openFeed(config: Config, addressOf: (target: string) => string, politeness: Politeness): Feed['open'] {
  return (signal) => {
    const downloader = createDownloader({
      ...DOWNLOAD_LIMITS,
      ...(isRemote(addressOf('')) ? {} : { backoffMs: LOCAL_BACKOFF_MS }),
      ...politeness,
      userAgent: userAgentOf(config),
    });
    return {
      ask: (target, options) => downloader.download(addressOf(target), { ...options, signal }),
      requestCount: () => downloader.sent(),
      close: () => downloader.close(),
    };
  };
}
