/**
 * Valhalla's `/route` over HTTP: `docs/docs/api/turn-by-turn/api-reference.md` and `src/exceptions.cc` of
 * valhalla/valhalla.
 */
import { joinPolylines } from './route-line.ts';
import { divide, type RoutingEngine, toEngineRoute } from './routing-engine.ts';

/**
 * 154: further apart than its limit; 170: no road connects the regions; 171: no road near a place; 442: no path. Its
 * own OSRM form calls 170 and 442 `NoRoute` and 171 `NoSegment`.
 */
const NO_ROUTE_CODES: ReadonlySet<unknown> = new Set([154, 170, 171, 442]);

export const VALHALLA: RoutingEngine = {
  kind: 'valhalla',
  request: (from, to) => ({
    target: '/route',
    json: JSON.stringify({
      locations: [from, to].map(({ lat, lng }) => ({ lat, lon: lng })),
      costing: 'auto',
      units: 'kilometers',
      directions_type: 'none',
      shape_format: 'polyline6',
    }),
  }),
  read(answer, from, to) {
    const { trip, error_code: errorCode } = Object(answer) as { trip?: unknown; error_code?: unknown };
    if (NO_ROUTE_CODES.has(errorCode)) return 'no_route';
    if (errorCode !== undefined) return { invalid: `it refused the request${errorNumberText(errorCode)}` };
    const { status, units, summary, legs } = Object(trip) as Record<string, unknown>;
    if (status !== 0 || (units !== undefined && units !== 'kilometers'))
      return { invalid: 'its answer holds no route in km' };
    const line = joinPolylines(
      (Array.isArray(legs) ? legs : []).map((leg: unknown) => (Object(leg) as { shape?: unknown }).shape),
      from,
      to,
    );
    if ('invalid' in line) return line;
    const { length, time } = Object(summary) as Record<string, unknown>;
    return toEngineRoute(length, divide(time, 60), line);
  },
};

const errorNumberText = (code: unknown) => (Number.isSafeInteger(code) ? `: error ${code}` : '');
