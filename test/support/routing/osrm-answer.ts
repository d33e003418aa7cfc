/** Answers in the shape of OSRM's route service, with the same fields as recorded ones. */
import type { Polyline } from '../../../src/domain/roads/line.ts';

/** An answer with one route, by default of 33.6 km and 31 minutes; the geometry is in the requested form. */
export function osrmAnswer(geometry: unknown, route: Readonly<Record<string, unknown>> = {}): unknown {
  const measure = { weight: 1519.3, duration: 1860, distance: 33_600 };
  const legs = [{ steps: [], summary: '', ...measure }];
  return {
    code: 'Ok',
    routes: [{ geometry, legs, weight_name: 'routability', ...measure, ...route }],
    waypoints: [
      {
        hint: '-0eQgNlS0oMEAAAAEwAAACwAAAA8',
        distance: 7.615206,
        name: 'Strada Mihai Viteazu',
        location: [23.6, 46.766671],
      },
      { hint: 'NbnigxYXmIlLAAAAAAAAAEoAAAAA', distance: 72.232413, name: '', location: [23.783331, 46.566669] },
    ],
  };
}

export const geoJson = (line: Polyline) => ({ type: 'LineString', coordinates: line.map(([lat, lng]) => [lng, lat]) });

/** Google's encoded polyline with this many decimal digits. */
export function polyline(line: Polyline, digits: number): string {
  let text = '';
  let before = [0, 0];
  for (const point of line) {
    const now = point.map((degrees) => Math.round(degrees * 10 ** digits));
    text += now.map((value, axis) => encoded(value - (before[axis] ?? 0))).join('');
    before = now;
  }
  return text;
}

function encoded(value: number): string {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  let text = '';
  for (; rest >= 32; rest = Math.floor(rest / 32)) text += String.fromCharCode((rest % 32) + 32 + 63);
  return text + String.fromCharCode(rest + 63);
}
