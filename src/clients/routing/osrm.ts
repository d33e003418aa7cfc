/** OSRM's route service over HTTP, version 1 of its API: `docs/http.md` of Project-OSRM/osrm-backend. */
import type { Point } from '../../domain/point.ts';
import { readLine } from './route-line.ts';
import { divide, type RoutingEngine, toEngineRoute } from './routing-engine.ts';

/** Codes for no road near a place, or no route between the two. */
const NO_ROUTE_CODES: ReadonlySet<unknown> = new Set(['NoRoute', 'NoSegment']);

export const OSRM: RoutingEngine = {
  kind: 'osrm',
  request: (from, to) => ({
    target: `/route/v1/driving/${coordinatesText(from)};${coordinatesText(to)}?overview=full&geometries=polyline6&steps=false&alternatives=false`,
  }),
  read(answer, from, to) {
    const { code, routes } = Object(answer) as { code?: unknown; routes?: unknown };
    if (NO_ROUTE_CODES.has(code)) return 'no_route';
    if (code !== 'Ok') return { invalid: `it refused the request${errorCodeText(code)}` };
    const [route] = Array.isArray(routes) ? routes : [];
    const { distance, duration, geometry } = Object(route) as Record<string, unknown>;
    const line = readLine(geometry, from, to);
    if ('invalid' in line) return line;
    return toEngineRoute(divide(distance, 1000), divide(duration, 60), line);
  },
};

/** To a tenth of a metre, never as `1e-7`. */
const coordinatesText = ({ lat, lng }: Point) => `${lng.toFixed(6)},${lat.toFixed(6)}`;

/** The engine's error code, if it is a plain word: foreign text must not reach the log unchecked. */
const errorCodeText = (code: unknown) => (typeof code === 'string' && /^[A-Za-z]{1,40}$/.test(code) ? `: ${code}` : '');
