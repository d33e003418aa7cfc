/** The days as an Atom feed (RFC 4287): one entry a day, with the sentences of its page. */

import { dayText, isoInstant, startOfBucharestDay } from '../../../domain/days.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { formatDay } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { dayOf, knownDays } from './day-data.ts';
import { dayPath, FEED_PATH } from './day-page.ts';
import { daySentence } from './day-sentences.ts';
import { TEXTS } from './day-texts.ts';

/** Entries in the feed. */
const DAYS_SHOWN = 30;

/** The feed in a language. */
export function daysFeed(language: Language, { snapshot, publicUrl }: SiteData): Html {
  const days = knownDays(snapshot).slice(-DAYS_SHOWN).toReversed();
  const updated = isoInstant(snapshot.updatedAt ?? snapshot.now);
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<title>${TEXTS.daysHeading[language]}</title>
<id>${publicUrl}${FEED_PATH[language]}</id>
<updated>${updated}</updated>
<author><name>${SERVICE_NAME}</name></author>
<link rel="self" href="${publicUrl}${FEED_PATH[language]}"/>
<link rel="alternate" href="${publicUrl}${ROUTES.days[language]}"/>
${days.map((day) => {
  const known = dayOf(day, snapshot);
  if (known === null) return null;
  const url = `${publicUrl}${dayPath(day, snapshot.today, language)}`;
  const changed = known.isToday ? updated : isoInstant(startOfBucharestDay(day + 1));
  const text = known.fuels.map((each) => daySentence(each, known, language)).join(' ');
  return html`<entry><title>${formatDay(day, language)}</title><id>${publicUrl}/zi/${dayText(day)}#${language}</id><link href="${url}"/><updated>${changed}</updated><summary>${text}</summary></entry>\n`;
})}</feed>
`;
}
