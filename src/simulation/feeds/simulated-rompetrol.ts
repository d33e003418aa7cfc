/** The station list of Rompetrol's site, for tests and demonstrations: rows, windows and addresses. */
import type { RequestListener } from 'node:http';

/** A station to be listed. `prices` are texts as shown, by the product's name: `{'Efix Benzina 95': '8.88 LEI/L'}`. */
export type RompetrolStation = {
  readonly id: number;
  readonly name: string;
  readonly city: string;
  readonly county: string;
  readonly address: string;
  readonly lat: number;
  readonly lng: number;
  readonly services: readonly string[];
  readonly prices: Readonly<Record<string, string>>;
  readonly hours?: string;
  readonly phone?: string;
};

export const ROMPETROL_PATH = '/routeplanner/stations';

/** A row as the site sends it. */
export function rompetrolRow({
  hours,
  phone,
  prices,
  ...station
}: RompetrolStation): Readonly<Record<string, unknown>> {
  return { ...station, lang: 'ro', type: 'station', infowindow: infoWindow(station.name, prices, hours, phone) };
}

/** The HTML of a station's window. */
export function infoWindow(name: string, prices: Readonly<Record<string, string>>, hours = '', phone = ''): string {
  const items = Object.entries(prices).map(
    ([product, price]) =>
      `<div class="item"><div class="fuel">${product}</div>\n<span class="small">${price}</span></div>`,
  );
  return `<div class="infowindow">
  <h3>${name}</h3>
  <div class="prices">${items.join('\n')}</div>
  <p><span>Program:</span> ${hours}</p>
  <p><span>Telefon:</span> ${phone}</p>
</div>`;
}

/** Answers `GET /routeplanner/stations?language_id=1` with the current stations; other addresses with 404. */
export function rompetrolHandler(listed: () => readonly RompetrolStation[]): RequestListener {
  return ({ method, url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://rompetrol.example');
    const found = method === 'GET' && pathname === ROMPETROL_PATH && searchParams.has('language_id');
    const body = found ? JSON.stringify(listed().map(rompetrolRow)) : '<!DOCTYPE html><h1>404</h1>';
    response
      .writeHead(found ? 200 : 404, { 'content-type': found ? 'application/json' : 'text/html; charset=utf-8' })
      .end(body);
  };
}
