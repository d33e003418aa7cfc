/** The station finders of OMV, Petrom and MOL, for tests and demonstrations: rows and addresses. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';

type Json = Readonly<Record<string, unknown>>;

/** A station to be found; `overrides` replace its usual fields. */
export type LocatorStation = {
  readonly id: string;
  readonly brand: 'OMV' | 'PETROM' | 'MOL';
  readonly town: string;
  readonly address: string;
  readonly postcode: string;
  readonly lat: number;
  readonly lng: number;
  readonly overrides?: Json;
};

export const WIGEOGIS_PATH = '/kunden/omv/data/getresults.php';
export const MOL_PATH = '/api.php';

/** A row as WIGeoGIS sends it: numbers as texts, x before y. */
export function wigeogisRow({ id, brand, town, address, postcode, lat, lng, overrides }: LocatorStation): Json {
  const days = [1, 2, 3, 4, 5, 6, 7, 8].map((day) => `dayOfWeek=${day},closed=FALSE,from=00:00,to=24:00`);
  return {
    brand_id: brand,
    postcode,
    address_l: address,
    town_l: town,
    country_l: 'România',
    telnr: '+40213001122',
    open_hours: 'Mo-Su 00:00-24:00',
    national_code: 'RO',
    opening_hours: days.join('#'),
    sid: id,
    x: String(lng),
    y: String(lat),
    distance: 0,
    ...overrides,
  };
}

/** A row as MOL sends it. */
export function molRow({ id, town, address, postcode, lat, lng, overrides }: LocatorStation): Json {
  const hours = ['WeekDay', 'Saturday', 'Sunday'].flatMap((day) =>
    ['Summer', 'Winter'].map((season) => [`opened${season}${day}`, '00:00-24:00']),
  );
  return {
    code: id,
    brand: 'MOL',
    company: 'MOL Romania',
    postcode,
    city: town,
    county: '',
    address,
    name: `${town} 1`,
    phoneNum: '+40264123456',
    mobileNum: '',
    stationStatus: '1',
    gpsPosition: { latitude: lat, longitude: lng },
    openedHours: { ...Object.fromEntries(hours), summerToWinterDate: '11-01', winterToSummerDate: '04-01' },
    fuelsAndAdditives: {
      values: [
        { id: 'EVO_95', name: 'EVO 95' },
        { id: 'EVO_100', name: 'EVO 100' },
        { id: 'EVO_DIESEL', name: 'EVO Diesel' },
        { id: 'EVO_DIESEL_PLUS', name: 'EVO Diesel Plus' },
      ],
    },
    services: {
      values: [
        { id: 'AD_BLUE', name: 'AdBlue' },
        { id: 'SHOP', name: 'Magazin' },
      ],
    },
    cards: { values: [{ id: 'MOL_GOLD_CARD_RO', name: 'MOL Gold Card RO' }] },
    gastroCategory: { values: [{ id: 'FRESH_CORNER', name: 'Fresh Corner' }] },
    ...overrides,
  };
}

/** Answers requests to both finders with the current stations, and requests to other addresses with 404. */
export function locatorHandler(found: () => readonly LocatorStation[]): RequestListener {
  return async (request, response) => {
    const rows = await answerTo(request, found());
    response
      .writeHead(rows === null ? 404 : 200, { 'content-type': rows === null ? 'text/html' : 'application/json' })
      .end(rows === null ? '<!DOCTYPE html><h1>404</h1>' : JSON.stringify(rows));
  };
}

async function answerTo(request: IncomingMessage, found: readonly LocatorStation[]): Promise<readonly Json[] | null> {
  const { pathname } = new URL(request.url ?? '/', 'http://locator.example');
  const asked = await text(request);
  if (request.method !== 'POST') return null;
  if (pathname === WIGEOGIS_PATH) {
    const form = new URLSearchParams(asked);
    const own = found.filter(({ brand }) => brand !== 'MOL' && brand === form.get('BRAND'));
    return form.get('CTRISO') === 'ROU' ? own.map(wigeogisRow) : [];
  }
  if (pathname !== MOL_PATH) return null;
  const { api, mode, input } = JSON.parse(asked) as Json;
  const isAsked = api === 'stations' && mode === 'country' && input === 'RO';
  return isAsked ? found.filter(({ brand }) => brand === 'MOL').map(molRow) : [];
}
