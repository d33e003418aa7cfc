/** Opening hours as sources write them, in the form of schema.org: `Mo-Fr 06:00-22:00`. */
import { foldName } from '../../../domain/places/place-names.ts';

const ALWAYS = 'Mo-Su 00:00-24:00';
const NON_STOP = /^(non[ -]?stop|24 ?\/ ?7)$/i;

/** English as in OpenStreetMap, Romanian in full and as people shorten it. */
const DAYS: Readonly<Record<string, string>> = {
  ...{ mo: 'Mo', luni: 'Mo', lu: 'Mo', l: 'Mo', tu: 'Tu', marti: 'Tu', ma: 'Tu', we: 'We', miercuri: 'We', mi: 'We' },
  ...{ th: 'Th', joi: 'Th', jo: 'Th', j: 'Th', fr: 'Fr', vineri: 'Fr', vi: 'Fr', v: 'Fr' },
  ...{ sa: 'Sa', sambata: 'Sa', s: 'Sa', su: 'Su', duminica: 'Su', du: 'Su', d: 'Su' },
};
const RULE = /^(?:([\p{L}]+)(?: ?[-–] ?([\p{L}]+))?[: ] ?)?(.+)$/u;
const SPAN = /^(\d{1,2})(?:[:.](\d\d))? ?[-–] ?(\d{1,2})(?:[:.](\d\d))?$/;
/** Longer texts are prose. */
const MAX_LENGTH = 200;

/** A text for each rule, times with leading zeros; none if any part of the text is something else. */
export function openingHoursOf(text: string): readonly string[] {
  if (text.length > MAX_LENGTH) return [];
  if (NON_STOP.test(text.trim())) return [ALWAYS];
  const rules = text.split(';').map((rule) => rule.trim());
  const read = rules.filter((rule) => rule !== '').map(hoursOfRule);
  return read.includes(null) ? [] : read.flatMap((hours) => hours ?? []);
}

function hoursOfRule(rule: string): string[] | null {
  const [, from, to, spans = ''] = RULE.exec(rule) ?? [];
  const days = from === undefined ? 'Mo-Su' : daysOf(from, to);
  const read = spans.split(',').map((span) => spanOf(span.trim()));
  return days === null || read.includes(null) ? null : read.map((span) => `${days} ${span}`);
}

function daysOf(from: string, to: string | undefined): string | null {
  const [first, last] = [from, to ?? from].map((name) => DAYS[foldName(name)]);
  if (first === undefined || last === undefined) return null;
  return first === last ? first : `${first}-${last}`;
}

function spanOf(text: string): string | null {
  const [, ...parts] = SPAN.exec(text) ?? [];
  const [fromHour = 99, fromMinute = 0, toHour = 99, toMinute = 0] = parts.map((part) => Number(part ?? 0));
  if (fromHour > 24 || toHour > 24 || fromMinute > 59 || toMinute > 59) return null;
  const time = (hour: number, minute: number) => [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
  return `${time(fromHour, fromMinute)}-${time(toHour, toMinute)}`;
}
