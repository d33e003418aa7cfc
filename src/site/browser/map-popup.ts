/** What the map says about a station: its prices with their age, and the ways there. */
import type { MapSettings } from './map-start.ts';
import { type MapPrice, type MapStation, priceText } from './map-stations.ts';

/** The price of the chosen fuel first and large, the others below. */
export function popupContent(station: MapStation, fuel: number, settings: MapSettings): HTMLElement {
  const root = document.createElement('div');
  const name = element('a', station.name, 'name');
  name.href = `${settings.stationPath}${station.slug}`;
  const price = element('p', '', 'chosen');
  const chosen = station.prices[fuel] ?? null;
  price.append(
    element('span', settings.fuels[fuel]?.name ?? ''),
    element('strong', amount(chosen)),
    element('span', noteOf(chosen, station.ages[fuel] ?? null, settings)),
  );
  root.className = 'station-popup';
  root.append(
    name,
    element('p', station.place),
    price,
    otherPrices(station, fuel, settings),
    directions(station, settings),
  );
  return root;
}

/** How old a price is; why it does not count if it does not, and until when an expired one was confirmed. */
export function noteOf(price: MapPrice, age: number | null, { texts, ages }: MapSettings): string {
  if (price === null) return '';
  if (price === 'expired' && age !== null) return (texts.expired ?? '').replace('{when}', momentText(age));
  if (typeof price === 'string') return texts[price] ?? '';
  return (age === null ? undefined : ages[age]) ?? texts.undated ?? '';
}

/** Local time in Romania, as all pages write it. */
function momentText(seconds: number): string {
  const locale = document.documentElement.lang === 'ro' ? 'ro-RO' : 'en-GB';
  const format = { timeZone: 'Europe/Bucharest', dateStyle: 'long', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat(locale, format).format(seconds * 1000);
}

function otherPrices({ prices, ages }: MapStation, fuel: number, settings: MapSettings): HTMLElement {
  const list = document.createElement('dl');
  for (const [index, { name }] of settings.fuels.entries()) {
    const price = prices[index] ?? null;
    if (index === fuel || price === null) continue;
    const row = document.createElement('div');
    const value = element('dd', amount(price));
    value.append(' ', element('span', noteOf(price, ages[index] ?? null, settings)));
    row.append(element('dt', name), value);
    list.append(row);
  }
  return list;
}

function directions({ lat, lng }: MapStation, { texts }: MapSettings): HTMLElement {
  const point = `${lat},${lng}`;
  const ways = [
    [texts.app ?? '', `geo:${point}?q=${point}`],
    ['Google Maps', `https://www.google.com/maps/dir/?api=1&destination=${point}`],
    ['Waze', `https://waze.com/ul?ll=${point}&navigate=yes`],
  ] as const;
  const line = element('p', `${texts.directions ?? ''}: `, 'ways');
  for (const [index, [name, href]] of ways.entries()) {
    const link = element('a', name);
    link.href = href;
    link.rel = 'noopener noreferrer';
    line.append(...(index === 0 ? [] : [' · ']), link);
  }
  return line;
}

function amount(price: MapPrice): string {
  return typeof price === 'number' ? `${priceText(price, document.documentElement.lang)} lei` : '–';
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string,
  className = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}
