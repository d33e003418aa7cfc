/** The latest changes of a city or a station as an Atom feed (RFC 4287). */
import { isoInstant } from '../../domain/days.ts';
import type { Language } from '../../domain/localized-text.ts';
import { routePath } from '../../domain/pages/routes.ts';
import { LICENCE, SERVICE_NAME } from '../../domain/service-identity.ts';
import { stationIdOf } from '../../domain/stations/station-slug.ts';
import { type PriceSubject, priceSubject } from '../embeds/price-subject.ts';
import type { LatestChange } from '../frame/latest-changes.ts';
import type { SiteData } from '../frame/site-data.ts';
import { formatBucharestTime } from '../html/formats.ts';
import { type Html, html } from '../html/html-template.ts';
import { text } from '../html/text.ts';
import { stationLookup } from '../lookup/station-prices.ts';
import { addressWithCity } from '../parts/station-address.ts';
import { changeSentence } from './change-sentence.ts';
import { type FeedPlace, feedAt, feedPath } from './feed-address.ts';

/** Entries of a feed at most. */
const CHANGES_SHOWN = 50;

/** A feed, or the path that its place has now, or why there is none for the moment. */
export type ChangeFeed = { readonly document: string } | { readonly moved: string } | { readonly unavailable: string };

/** What is at a path; `null` = nothing. */
export function changeFeedAt(path: string, data: SiteData): ChangeFeed | null {
  const asked = feedAt(path);
  if (asked === null || data.latestChanges === null) return null;
  const { kind } = asked.place;
  const subject = priceSubject(asked.place, data);
  if (subject === undefined) return null;
  const place = { kind, slug: subject.slug };
  if (place.slug !== asked.place.slug) return { moved: feedPath(place, asked.language) };
  const where = kind === 'city' ? { city: subject.slug } : { station: stationIdOf(subject.slug) ?? '' };
  const changes = data.latestChanges(where, CHANGES_SHOWN);
  if (changes === null) return { unavailable: TEXTS.unavailable[asked.language] };
  return { document: feedOf({ subject, place, changes: withoutFirstReasons(changes) }, data, asked.language).text };
}

type Told = {
  readonly subject: PriceSubject;
  readonly place: FeedPlace;
  /** Newest first. */
  readonly changes: readonly LatestChange[];
};

function feedOf({ subject, place, changes }: Told, data: SiteData, language: Language): Html {
  const { publicUrl, snapshot, simulated } = data;
  const { kind } = place;
  const self = `${publicUrl}${feedPath(place, language)}`;
  const name = `${TEXTS.title[language]} ${subject.name[language]}`;
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<title>${simulated ? `${TEXTS.simulated[language]} ${name}` : name}</title>
<id>${self}</id>
<updated>${isoInstant(changes[0]?.at ?? snapshot.updatedAt ?? snapshot.now)}</updated>
<author><name>${SERVICE_NAME}</name><uri>${publicUrl}/</uri></author>
<rights>${TEXTS.rights[language]}</rights>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${publicUrl}${subject.pagePath(language)}"/>
<link rel="license" href="${LICENCE.url}"/>
${changes.map((change) => entryOf(change, kind, data, language))}</feed>
`;
}

/** That a fuel of a new station has no price yet is no news beside the station. */
function withoutFirstReasons(changes: readonly LatestChange[]): readonly LatestChange[] {
  const stationAt = ({ station, at }: LatestChange) => `${station} ${at}`;
  const added = new Set(changes.filter(({ kind }) => kind === 'station added').map(stationAt));
  return changes.filter((change) => change.kind !== 'flag' || !added.has(stationAt(change)));
}

function entryOf(change: LatestChange, kind: FeedPlace['kind'], data: SiteData, language: Language): Html {
  const { publicUrl, snapshot, gazetteer } = data;
  const known = stationLookup(snapshot).byId.get(change.station);
  const sentence = changeSentence(change, language);
  const name = known === undefined ? TEXTS.gone[language] : `${known.station.network.name}, ${known.station.address}`;
  const where = known && `${known.station.network.name}, ${addressWithCity(known.station, gazetteer)}`;
  const url = known && `${publicUrl}${routePath('station', language, { station: known.slug })}`;
  return html`<entry>
<title>${kind === 'city' ? `${sentence} – ${name}` : sentence}</title>
<id>${entryId(change, publicUrl, language)}</id>
<updated>${isoInstant(change.at)}</updated>
${url === undefined ? null : html`<link rel="alternate" type="text/html" href="${url}"/>\n`}<summary>${where ?? capitalized(name)}. ${TEXTS.since[language]} ${formatBucharestTime(change.at, language)}.</summary>
</entry>
`;
}

/** The same for as long as the change is told (RFC 4151). */
function entryId({ id }: LatestChange, publicUrl: string, language: Language): string {
  return `tag:${new URL(publicUrl).hostname},2026:${language}/modificari/${id}`;
}

const capitalized = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const TEXTS = {
  title: text('Modificări de preț:', 'Price changes:'),
  simulated: text('DATE SIMULATE:', 'SIMULATED DATA:'),
  gone: text('o benzinărie care nu mai apare', 'a station that is gone'),
  since: text('Afișat din', 'Shown since'),
  unavailable: text(
    'Modificările de preț nu sunt disponibile momentan. Încercați din nou peste câteva secunde.',
    'The price changes are not available at the moment. Try again in a few seconds.',
  ),
  rights: text(
    `${LICENCE.name}: se poate prelua cu menționarea sursei (${SERVICE_NAME}). Prețurile sunt orientative.`,
    `${LICENCE.name}: may be reused if ${SERVICE_NAME} is credited. Prices are indicative.`,
  ),
};
