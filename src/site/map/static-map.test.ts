import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseXml, type XmlElement } from '@rgrove/parse-xml';
import fc from 'fast-check';
import { mapFrame } from './map-frame.ts';
import { boundsOf, type MapMark, staticMap } from './static-map.ts';

const CLUJ = { lat: 46.76667, lng: 23.6 };
const FRAME = { width: 600, height: 400, language: 'ro', label: 'Benzinării în Cluj-Napoca' } as const;

function aMark(price: number | null, north = 0, east = 0, href?: string): MapMark {
  const text = price === null ? '' : (price / 1000).toFixed(2).replace('.', ',');
  const place = { lat: CLUJ.lat + north, lng: CLUJ.lng + east };
  return { ...place, price, text, label: `Petrom, Calea Turzii: ${text} lei`, ...(href && { href }) };
}

function elements(svg: string, name: string): XmlElement[] {
  const inside = (element: XmlElement): XmlElement[] => [
    ...(element.name === name ? [element] : []),
    ...element.children.filter((child): child is XmlElement => child.type === 'element').flatMap(inside),
  ];
  return inside(parseXml(svg).root as XmlElement);
}

describe('a map in a page', () => {
  it('names itself and each price; the drawing is silent', () => {
    const marks = [aMark(9_590), aMark(9_620, 0.02, 0.03, '/statie/petrom-cluj-1')];
    const { text } = staticMap({ ...FRAME, marks, centre: CLUJ, zoom: 12 });
    const [svg] = elements(text, 'svg');
    assert.deepEqual([svg?.attributes.role, svg?.attributes['aria-label']], ['group', FRAME.label]);
    assert.equal(svg?.children.filter((child) => (child as XmlElement).attributes['aria-hidden']).length, 1);
    const [link] = elements(text, 'a');
    assert.equal(link?.attributes.href, '/statie/petrom-cluj-1');
    assert.ok(link?.attributes['aria-label']?.includes(link.text));
    assert.match(text, /role="img" aria-label="Petrom, Calea Turzii: 9,59 lei"/);
  });

  it('shows prices cheapest first, and a station without a comparable price as a dot', () => {
    const marks = [aMark(9_700), aMark(9_590, 0.02), aMark(null, -0.02), aMark(9_640, 0.04)];
    const { text } = staticMap({ ...FRAME, marks, centre: CLUJ, zoom: 11 });
    const pills = [...text.matchAll(/role="img" aria-label="[^"]*: ([\d,]+) lei"/g)].map(([, price]) => price);
    assert.deepEqual(pills, ['9,59', '9,64', '9,70']);
    assert.equal(elements(text, 'path').filter(({ attributes }) => attributes.class === 'm-spots').length, 1);
  });

  it('keeps every mark inside the frame if it is drawn for their bounds', () => {
    const near = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(near, near), { minLength: 1, maxLength: 8 }), (places) => {
        const marks = places.map(([north, east]) => aMark(9_590, north, east));
        const bounds = boundsOf(marks);
        assert.ok(bounds);
        const { text } = staticMap({ ...FRAME, marks, bounds });
        const shown = elements(text, 'g').filter(({ attributes }) => attributes.role === 'img').length;
        const dots = elements(text, 'path')
          .filter(({ attributes }) => /^m-spots( |$)/.test(attributes.class ?? ''))
          .flatMap(({ attributes }) => attributes.d?.match(/h0/g) ?? []).length;
        assert.equal(shown + dots, marks.length);
        for (const rect of elements(text, 'rect').slice(1)) {
          assert.ok(Number(rect.attributes.x) >= 0 && Number(rect.attributes.x) + 92 <= 1_200);
        }
      }),
      { numRuns: 25 },
    );
    assert.equal(boundsOf([]), undefined);
  });

  it('keeps names clear of prices, and has them in the language of the page', () => {
    const bounds = { west: 20.2, south: 43.6, east: 29.7, north: 48.3 };
    const options = { ...FRAME, width: 960, marks: [], bounds };
    assert.match(staticMap(options).text, />UNGARIA</);
    assert.match(staticMap({ ...options, language: 'en' }).text, />HUNGARY</);
    const hidden = staticMap({ ...FRAME, marks: [aMark(9_590)], centre: CLUJ, zoom: 8 });
    const free = staticMap({ ...FRAME, marks: [], centre: CLUJ, zoom: 8 });
    const place = ({ text }: { text: string }) => /<text x="\d+" y="\d+">Cluj-Napoca</.exec(text)?.[0];
    assert.ok(place(free));
    assert.notEqual(place(hidden), place(free));
  });

  it('draws a road to follow below the prices, with no more points than show', () => {
    const way = Array.from({ length: 500 }, (_, at) => [46 + at / 1_000, 23 + at / 1_000] as const);
    const bounds = { west: 23, south: 46, east: 23.5, north: 46.5 };
    const { text } = staticMap({ ...FRAME, marks: [{ ...aMark(9_590), lat: 46.2, lng: 23.2 }], bounds, way });
    const [, path = ''] = /<path class="m-way" d="([^"]+)"\/>/.exec(text) ?? [];
    assert.ok(path.length > 5 && path.length < 200, path);
    assert.ok(text.indexOf('m-way') < text.indexOf('m-pill'));
    assert.doesNotMatch(text, /m-county/);
    const without = staticMap({ ...FRAME, marks: [], bounds }).text;
    assert.match(without, /m-county/);
    assert.doesNotMatch(without, /m-way/);
  });

  it('escapes whatever a station is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (noise) => {
        const mark = { ...aMark(9_590), label: noise, text: noise, href: noise };
        const { text } = staticMap({ ...FRAME, label: noise, marks: [mark], centre: CLUJ, zoom: 14 });
        assert.deepEqual(elements(text, 'a').length, 1);
      }),
      { numRuns: 25 },
    );
  });
});

describe('the map of a page for every width', () => {
  it('is one wide and one narrow drawing, and says that it has no streets and whose data it shows', () => {
    const { text } = mapFrame({ language: 'en', label: 'Stations', marks: [aMark(9_590)], centre: CLUJ, zoom: 12 });
    assert.deepEqual(
      elements(text, 'svg').map(({ attributes }) => [attributes.class, attributes.width]),
      [
        ['map map-wide', '960'],
        ['map map-narrow', '360'],
      ],
    );
    assert.match(text, /without streets.*GeoNames CC BY 4\.0/s);
  });
});
