/** All sources of this program, configured by the settings, each with its connection. */

import '../../clients/http/load-client.ts';
import { createDownloader, type DownloaderOptions } from '../../clients/http/download.ts';
import { type Config, isRemote } from '../../config/config.ts';
import { PUBLIC_REGISTER, SETTINGS } from '../../config/settings.ts';
import { FEED_URL_SETTINGS, isHttpUrl } from '../../config/source-settings.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { MAX_FEED_BYTES } from '../../sources/feed/station-feed.ts';
import { locatorSource } from '../../sources/locators/locators.ts';
import { MAX_LIST_BYTES, priceListSource } from '../../sources/price-list/price-list.ts';
import { readListFile } from '../../sources/price-list/read-file.ts';
import { MAX_ANSWER_BYTES } from '../../sources/register/parsing/register-ids.ts';
import { registerSource } from '../../sources/register/register.ts';
import { registerAuthorities } from '../../sources/register/requests/authorities.ts';
import { rompetrolSource } from '../../sources/rompetrol/rompetrol.ts';
import type { Source } from '../../sources/source.ts';
import type { ConfiguredSource } from '../../worker/collection/collect.ts';
import { userAgentOf } from '../settings/derived-settings.ts';

const DOWNLOAD_LIMITS = { timeoutMs: 30_000, retries: 3, backoffMs: 1_000 };
/** A source on this machine is a simulation or a test: retries need not spare it. */
const LOCAL_BACKOFF_MS = 50;

/** The sources by name: the register, those of the networks, and the price lists of the settings. */
export function configuredSources(config: Config): ReadonlyMap<string, ConfiguredSource> {
  const feeds: Readonly<Record<keyof typeof FEED_URL_SETTINGS, Source>> = {
    rompetrol: rompetrolSource(loadGazetteer()),
    'locator:omv': locatorSource('omv'),
    'locator:petrom': locatorSource('petrom'),
    'locator:mol': locatorSource('mol'),
  };
  const sources = [
    configuredRegister(config),
    ...Object.entries(FEED_URL_SETTINGS).map(([name, setting]) =>
      singleAddressSource(config, feeds[name as keyof typeof feeds], config[setting], {
        defaultAddress: SETTINGS[setting].defaultText,
        maxBytes: MAX_FEED_BYTES,
      }),
    ),
    ...[...config.priceLists].map(([name, place]) => configuredPriceList(config, name, place)),
  ];
  return new Map(sources.map((configured) => [configured.source.name, configured]));
}

function configuredRegister(config: Config): ConfiguredSource {
  const base = config.REGISTER_URL;
  return {
    source: registerSource(),
    parallel: config.REGISTER_PARALLEL,
    connect: connectOverHttp(config, (target) => `${base}/${target}`, {
      pauseMs: config.REGISTER_PAUSE_MS,
      parallel: config.REGISTER_PARALLEL,
      // The operator may set a private address; DNS must not lead the public one to a private host.
      allowPrivate: base !== PUBLIC_REGISTER,
      ca: registerAuthorities(),
      maxBytes: MAX_ANSWER_BYTES,
    }),
  };
}

/** A source with one address. */
function singleAddressSource(
  config: Config,
  source: Source,
  address: string,
  { defaultAddress, maxBytes }: { readonly defaultAddress: string | null; readonly maxBytes: number },
): ConfiguredSource {
  const allowPrivate = address !== defaultAddress;
  return {
    source,
    parallel: 1,
    connect: connectOverHttp(config, () => address, { pauseMs: 0, parallel: 1, allowPrivate, maxBytes }),
  };
}

/** A price list: at an HTTP address that the operator names, or in a local file. */
function configuredPriceList(config: Config, name: string, location: string): ConfiguredSource {
  const map = config.priceMaps.get(name.slice('prices:'.length)) ?? null;
  const source = priceListSource({ name, map, gazetteer: loadGazetteer() });
  if (isHttpUrl(location))
    return singleAddressSource(config, source, location, { defaultAddress: null, maxBytes: MAX_LIST_BYTES });
  const connect = () => ({ fetch: () => readListFile(location, MAX_LIST_BYTES), close: async () => undefined });
  return { source, parallel: 1, connect };
}

type FeedLimits = Pick<DownloaderOptions, 'pauseMs' | 'parallel' | 'allowPrivate' | 'ca' | 'maxBytes'>;

function connectOverHttp(
  config: Config,
  addressOf: (target: string) => string,
  limits: FeedLimits,
): ConfiguredSource['connect'] {
  return (signal) => {
    const downloader = createDownloader({
      ...DOWNLOAD_LIMITS,
      ...(isRemote(addressOf('')) ? {} : { backoffMs: LOCAL_BACKOFF_MS }),
      ...limits,
      userAgent: userAgentOf(config),
    });
    return {
      fetch: (target, options) => downloader.download(addressOf(target), { ...options, signal }),
      requestCount: () => downloader.sent(),
      close: () => downloader.close(),
    };
  };
}
