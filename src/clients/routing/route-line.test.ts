import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { geoJson, polyline } from '../../../test/support/routing/osrm-answer.ts';
import type { Polyline } from '../../domain/roads/line.ts';
import { joinPolylines, readLine } from './route-line.ts';

const CLUJ = { lat: 46.76667, lng: 23.6 };
const TURDA = { lat: 46.56667, lng: 23.78333 };
const LINE: Polyline = [
  [46.76667, 23.6],
  [46.66, 23.7],
  [46.56667, 23.78333],
];
const UNREADABLE = { invalid: 'its line cannot be read' };
const ELSEWHERE = { invalid: 'its line does not lead between the places asked for' };

describe('a line', () => {
  for (const [form, geometry] of [
    ['GeoJSON', geoJson(LINE)],
    ['a polyline of 6 digits', polyline(LINE, 6)],
    ['a polyline of 5 digits', polyline(LINE, 5)],
  ] as const) {
    test(`is read from ${form}`, () => assert.deepEqual(readLine(geometry, CLUJ, TURDA), LINE));
  }

  test('is read from Google’s own example of the encoding', () => {
    const [from, to] = [
      { lat: 38.5, lng: -120.2 },
      { lat: 43.252, lng: -126.453 },
    ];
    assert.deepEqual(readLine('_p~iF~ps|U_ulLnnqC_mqNvxq`@', from, to), [
      [38.5, -120.2],
      [40.7, -120.95],
      [43.252, -126.453],
    ]);
  });

  test('of any points on the earth survives encoding and decoding, to the last digit', () => {
    const point = fc.tuple(fc.integer({ min: -90e6, max: 90e6 }), fc.integer({ min: -180e6, max: 180e6 }));
    const lines = fc.array(
      point.map(([lat, lng]) => [lat / 1e6, lng / 1e6] as const),
      { minLength: 2, maxLength: 20 },
    );
    fc.assert(
      fc.property(lines, (line) => {
        const [from, to] = [line[0], line.at(-1)].map((end) => ({ lat: end?.[0] ?? 0, lng: end?.[1] ?? 0 }));
        assert.ok(from && to);
        assert.deepEqual(readLine(polyline(line, 6), from, to), line);
        assert.deepEqual(joinPolylines([polyline(line, 6)], from, to), line);
      }),
    );
  });

  test('from any text is on the earth or refused, never an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 60 }), (text) => {
        const line = readLine(text, CLUJ, TURDA);
        assert.ok('invalid' in line || line.every(([lat, lng]) => Math.abs(lat) <= 90 && Math.abs(lng) <= 180));
      }),
    );
  });

  test('of several legs is joined in their order', () => {
    const legs = [LINE.slice(0, 2), LINE.slice(1)].map((leg) => polyline(leg, 6));
    assert.deepEqual(joinPolylines(legs, CLUJ, TURDA), [LINE[0], LINE[1], LINE[1], LINE[2]]);
    assert.deepEqual(joinPolylines([], CLUJ, TURDA), UNREADABLE);
    assert.deepEqual(joinPolylines([legs[0], 7], CLUJ, TURDA), UNREADABLE);
  });

  test('of more than 100,000 points is refused, in each form', () => {
    const long: Polyline = Array.from({ length: 100_001 }, (_, index) => [46.7 - index / 1e6, 23.6]);
    const to = { lat: 46.6, lng: 23.6 };
    assert.ok(!('invalid' in readLine(geoJson(long.slice(1)), CLUJ, to)));
    for (const geometry of [geoJson(long), polyline(long, 6)])
      assert.deepEqual(readLine(geometry, CLUJ, to), UNREADABLE);
    const half = polyline(long.slice(0, 60_000), 6);
    assert.deepEqual(joinPolylines([half, half], CLUJ, to), UNREADABLE);
  });

  for (const [what, geometry] of [
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['an empty text', ''],
    ['one point', geoJson(LINE.slice(0, 1))],
    ['one encoded point', polyline(LINE.slice(0, 1), 6)],
    ['a polyline that is cut off', polyline(LINE, 6).slice(0, -1)],
    ['a polyline with a letter that none has', `${polyline(LINE, 6)} `],
    ['a number of the polyline without end', `${'~'.repeat(20)}?`],
    ['a point behind the pole', geoJson([...LINE, [90.1, 23.7]])],
    ['a point behind the date line', geoJson([...LINE, [46, 180.5]])],
    [
      'coordinates as text',
      {
        type: 'LineString',
        coordinates: [
          ['23.6', '46.7'],
          ['23.7', '46.5'],
        ],
      },
    ],
    [
      'coordinates that are null',
      {
        type: 'LineString',
        coordinates: [
          [null, null],
          [23.7, 46.5],
        ],
      },
    ],
    ['positions that are none', { type: 'LineString', coordinates: [23.6, 46.7] }],
    ['other geometry', { type: 'MultiLineString', coordinates: [[[23.6, 46.7]]] }],
  ] as const) {
    test(`is not made of ${what}`, () => assert.deepEqual(readLine(geometry, CLUJ, TURDA), UNREADABLE));
  }

  test('that starts or ends more than 30 km from the requested places is refused', () => {
    assert.deepEqual(readLine(geoJson(LINE), { lat: 46.5, lng: 23.6 }, TURDA), LINE);
    for (const [from, to] of [
      [{ lat: 46.49, lng: 23.6 }, TURDA],
      [CLUJ, { lat: 46.29, lng: 23.78 }],
      [TURDA, { lat: 44.43, lng: 26.1 }],
    ] as const) {
      assert.deepEqual(readLine(geoJson(LINE), from, to), ELSEWHERE);
      assert.deepEqual(joinPolylines([polyline(LINE, 6)], from, to), ELSEWHERE);
    }
  });
});
