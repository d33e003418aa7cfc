/** What is known about a station besides its prices, and the way there. */
import type { Language } from '../../../domain/localized-text.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import type { ServedStation } from '../../../snapshot/snapshot.ts';
import { type Html, html } from '../../html/html-template.ts';
import { linksToPoint, type MapLink } from '../../html/map-links.ts';
import type { StationDetails } from './station-data.ts';
import { TEXTS } from './station-texts.ts';

/** Hours, services, phone, and who runs the station. */
export function aboutSection(details: StationDetails, language: Language): Html {
  const { station } = details;
  const { network, name, hours, services, phone, franchise, priceNote } = station;
  const rows: [name: string, value: Html | string | null][] = [
    [TEXTS.name[language], name],
    [
      TEXTS.network[language],
      html`<a href="${routePath('network', language, { network: network.slug })}">${network.name}</a>`,
    ],
    [TEXTS.address[language], postalAddress(details)],
    [TEXTS.hours[language], hours],
    [TEXTS.services[language], services.length === 0 ? null : services.join(', ')],
    [TEXTS.phone[language], phone === null ? null : phoneLink(phone)],
    [
      TEXTS.ownership[language],
      franchise === null ? null : (franchise ? TEXTS.franchise : TEXTS.ownedByNetwork)[language],
    ],
    [TEXTS.priceNote[language], priceNote],
  ];
  return html`<h2>${TEXTS.about[language]}</h2>
<dl class="named">
${rows.flatMap(([term, value]) => (value === null || value === '' ? [] : [html`<div><dt>${term}</dt><dd>${value}</dd></div>\n`]))}</dl>`;
}

/** How pages call the station. */
export function headingOf({ station }: Pick<StationDetails, 'station'>): string {
  const name = station.name ?? station.network.name;
  return station.address === '' ? name : `${name}, ${station.address}`;
}

/** The address with the town, unless the source's own spelling ends with it. */
export function postalAddress({ station, city }: Pick<StationDetails, 'station' | 'city'>): string {
  const { address } = station;
  if (city === null || endsWithCity(station, city.name)) return address;
  return address === '' ? city.name : `${address}, ${city.name}`;
}

function endsWithCity({ address, city }: ServedStation, name: string): boolean {
  const end = address.toLowerCase();
  return [city, name].some((each) => each !== '' && end.endsWith(each.toLowerCase()));
}

const NO_BREAK_SPACE = '\u00a0';

function phoneLink(phone: string): Html {
  const digits = phone.replaceAll(/[^\d+]/g, '');
  return html`<a href="tel:${digits}">${phone.replaceAll(' ', NO_BREAK_SPACE)}</a>`;
}

/** Links that open the way to the station in other apps; by its address where its coordinates cannot be trusted. */
export function directionsSection(details: StationDetails, language: Language): Html {
  const { position } = details;
  const exact = position === 'exact';
  const links = exact ? linksToPoint(details.station, details.station.network.name) : linksToAddress(details);
  const items = links.map(([name, href]) => {
    const label = name ?? TEXTS.mapApp[language];
    return html`<li><a href="${href}"${name === null ? null : html` rel="noopener noreferrer"`}>${label}</a></li>\n`;
  });
  return html`<h2>${TEXTS.directions[language]}</h2>
${exact ? null : html`<p>${TEXTS.position[position][language]} ${TEXTS.byAddress[language]}</p>\n`}<nav class="tabs" aria-label="${TEXTS.directions[language]}"><ul>
${items}</ul></nav>`;
}

function linksToAddress(details: StationDetails): MapLink[] {
  const words = encodeURIComponent([details.station.network.name, postalAddress(details)].join(', '));
  return [
    [null, `geo:0,0?q=${words}`],
    ['Google Maps', `https://www.google.com/maps/search/?api=1&query=${words}`],
    ['Waze', `https://waze.com/ul?q=${words}`],
    ['OpenStreetMap', `https://www.openstreetmap.org/search?query=${words}`],
  ];
}
