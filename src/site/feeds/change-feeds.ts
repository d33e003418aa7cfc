/** Answers the addresses of the feeds of changes; each is made once for what was told and is served now. */
import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { stationIdOf } from '../../domain/stations/station-slug.ts';
import type { ChangedPlace, RecentChanges } from '../frame/change-source.ts';
import type { SiteResponse } from '../frame/page.ts';
import type { SiteData } from '../frame/site-data.ts';
import { type StationPrices, stationLookup } from '../lookup/station-prices.ts';
import { changeFeed, stationName } from './change-feed-document.ts';
import { changeFeedAt, changeFeedPath, type FeedAddress } from './change-feed-path.ts';

/** Entries of a feed. */
const MAX_ENTRIES = 50;
/** Feeds kept: 25 kB each. */
const MAX_CACHED = 200;

type CachedFeed = { readonly head: object; readonly data: SiteData; readonly response: SiteResponse };
type KnownPlace = { readonly place: ChangedPlace; readonly slug: string; readonly name: string };

export class ChangeFeeds {
  readonly #changes: RecentChanges | null;
  readonly #cache = new BoundedMap<CachedFeed>(MAX_CACHED);

  /** @param changes `null` = there are no feeds. */
  constructor(changes: RecentChanges | null) {
    this.#changes = changes;
  }

  /** The feed at a path if it is made already. */
  cachedAt(path: string, data: SiteData): SiteResponse | undefined {
    const known = this.#cache.get(path);
    return known !== undefined && known.head === this.#changes?.head() && known.data === data
      ? known.response
      : undefined;
  }

  /** The feed at a path; `undefined` = there is none. */
  at(path: string, data: SiteData): SiteResponse | undefined {
    const address = changeFeedAt(path);
    if (this.#changes === null || address === undefined) return undefined;
    const known = placeOf(address, data);
    if (known === null) return undefined;
    if (known.slug !== address.slug) return moved(changeFeedPath({ ...address, slug: known.slug }, address.language));
    const head = this.#changes.head();
    if (head === null) return NOT_READY;
    const earlier = this.cachedAt(path, data);
    if (earlier !== undefined) return earlier;
    const changes = this.#changes.newest(known.place, MAX_ENTRIES);
    const body = Buffer.from(changeFeed({ ...address, name: known.name }, changes, address.language, data).text);
    const before = this.#cache.get(path)?.response.body;
    // The same buffer, so that it is not compressed again.
    const response = { ...FOUND, body: before?.equals(body) ? before : body };
    this.#cache.set(path, { head, data, response });
    return response;
  }
}

/** `null` = no such city or station is served. */
function placeOf({ kind, slug }: FeedAddress, data: SiteData): KnownPlace | null {
  const lookup = stationLookup(data.snapshot);
  if (kind === 'city') {
    const locality = data.gazetteer.localityBySlug(slug);
    return locality === undefined || !lookup.byCity.has(slug)
      ? null
      : { place: { city: slug }, slug, name: locality.name };
  }
  const known: StationPrices | undefined = lookup.byId.get(stationIdOf(slug) ?? '');
  if (known === undefined) return null;
  return { place: { station: known.station.id }, slug: known.slug, name: stationName(known, data) };
}

const FOUND = {
  status: 200,
  contentType: 'application/atom+xml; charset=utf-8',
  headers: { 'Cache-Control': 'no-cache' },
} as const;

/** Readers keep what they have, and come back. */
const NOT_READY: SiteResponse = {
  status: 503,
  contentType: 'text/plain; charset=utf-8',
  headers: { 'Cache-Control': 'no-store', 'Retry-After': '60' },
  body: Buffer.from('Modificările nu sunt disponibile acum. / The changes are not available right now.\n'),
};

function moved(address: string): SiteResponse {
  return {
    status: 301,
    contentType: 'text/plain; charset=utf-8',
    headers: { Location: address, 'Cache-Control': 'public, max-age=3600' },
    body: Buffer.from(`${address}\n`),
    singleUse: true,
  };
}
