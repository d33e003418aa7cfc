/** The changes of a city or a station as an Atom feed (RFC 4287), newest first. */
import type { RecentChange } from '../../domain/changes/served-change.ts';
import { bucharestDay, isoInstant } from '../../domain/days.ts';
import type { Language } from '../../domain/localized-text.ts';
import { routePath } from '../../domain/pages/routes.ts';
import { LICENCE, SERVICE_NAME } from '../../domain/service-identity.ts';
import type { ServedStation } from '../../snapshot/snapshot.ts';
import type { SiteData } from '../frame/site-data.ts';
import { type Html, html } from '../html/html-template.ts';
import { text } from '../html/text.ts';
import { cityName } from '../lookup/place-slugs.ts';
import { type StationPrices, stationLookup } from '../lookup/station-prices.ts';
import { changeFeedPath, type FeedPlace } from './change-feed-path.ts';
import { changeInShort, changeSentence } from './change-sentences.ts';

/** @param name of the place, for the title */
export function changeFeed(
  place: FeedPlace & { readonly name: string },
  changes: readonly RecentChange[],
  language: Language,
  data: SiteData,
): Html {
  const { snapshot, publicUrl, simulated } = data;
  const self = `${publicUrl}${changeFeedPath(place, language)}`;
  const page =
    place.kind === 'city'
      ? routePath('city', language, { city: place.slug })
      : routePath('station', language, { station: place.slug });
  const updated = changes[0]?.toldAt ?? snapshot.updatedAt ?? snapshot.now;
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<title>${TITLE[language](place.name)}</title>
${simulated ? html`<subtitle>${SIMULATED[language]}</subtitle>\n` : null}<id>${self}</id>
<updated>${isoInstant(updated)}</updated>
<author><name>${SERVICE_NAME}</name><uri>${publicUrl}/</uri></author>
<rights>${LICENCE.name}</rights>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${publicUrl}${page}"/>
<link rel="license" href="${LICENCE.url}"/>
${changes.map((change) => entry(change, `${publicUrl}${page}`, language, data))}</feed>
`;
}

/** The same in every feed that has it: readers know it by its id. */
function entry(change: RecentChange, page: string, language: Language, data: SiteData): Html {
  const { publicUrl, snapshot } = data;
  const known = stationLookup(snapshot).byId.get(change.station);
  const url = known ? `${publicUrl}${routePath('station', language, { station: known.slug })}` : page;
  const title = `${known ? stationName(known, data) : STATION[language]}: ${changeInShort(change, language)}`;
  const summary = changeSentence(change, known ? stationInSentence(known.station, data) : null, language);
  return html`<entry><title>${title}</title><id>${entryId(change, publicUrl)}#${language}</id><link rel="alternate" type="text/html" href="${url}"/><updated>${isoInstant(change.toldAt)}</updated><summary>${summary}</summary></entry>\n`;
}

/** A tag URI (RFC 4151). A number may be used again after a restore, but then at another time. */
function entryId({ seq, toldAt }: RecentChange, publicUrl: string): string {
  return `tag:${new URL(publicUrl).hostname},${bucharestDay(toldAt)}:modificari/${toldAt}/${seq}`;
}

/** `Petrom, Calea Turzii 178, Cluj-Napoca`. */
export function stationName({ station }: StationPrices, data: SiteData): string {
  return [station.name ?? station.network.name, ...addressOf(station, data)].join(', ');
}

/** `Petrom (Calea Turzii 178, Cluj-Napoca)`. */
function stationInSentence(station: ServedStation, data: SiteData): string {
  const address = addressOf(station, data).join(', ');
  const name = station.name ?? station.network.name;
  return address === '' ? name : `${name} (${address})`;
}

/** The address and the town, unless the source's own spelling ends with it. */
function addressOf({ address, city, citySlug }: ServedStation, { gazetteer }: SiteData): string[] {
  const town = cityName(citySlug, city, gazetteer);
  const end = address.toLowerCase();
  const isNamed = [city, town].some((each) => each !== '' && end.endsWith(each.toLowerCase()));
  return (isNamed ? [address] : [address, town]).filter((part) => part !== '');
}

const STATION = text('Benzinărie', 'Station');
const TITLE = text(
  (place: string) => `Ce prețuri s-au schimbat: ${place}`,
  (place: string) => `Price changes: ${place}`,
);
const SIMULATED = text('Date simulate: nu sunt prețuri reale.', 'Simulated data: these are not real prices.');
