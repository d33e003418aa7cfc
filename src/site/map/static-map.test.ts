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

describe('a map in a page, with streets', () => {
  const options = { ...FRAME, marks: [aMark(9_590)], streetZoom: 16 };
  const pictures = (text: string) => elements(text, 'image').map(({ attributes }) => attributes);

  it('consists of the tiles around its middle, each at its place, below the prices', () => {
    const { text } = staticMap({ ...options, centre: CLUJ, zoom: 13.5 });
    const tiles = pictures(text);
    assert.ok(tiles.length >= 2 && tiles.length <= 6, `${tiles.length} tiles`);
    for (const { href = '', x, y, width } of tiles) {
      const [, z, column, row] = /^\/harta\/(\d+)\/(\d+)\/(\d+)\.svg$/.exec(href)?.map(Number) ?? [];
      assert.deepEqual([z, width], [12, '1024']);
      assert.deepEqual(
        [Number(x) - Number(tiles[0]?.x), Number(y) - Number(tiles[0]?.y)].map((units) => units % 1024),
        [0, 0],
      );
      assert.ok(column && row);
    }
    assert.ok(text.indexOf('<image') < text.indexOf('m-pill'));
    assert.equal(elements(text, 'path').length, 0, 'names and roads are in the tiles');
  });

  it('is the built-in one where the zoom is too small for streets', () => {
    assert.deepEqual(pictures(staticMap({ ...options, centre: CLUJ, zoom: 10.5 }).text), []);
    assert.deepEqual(pictures(staticMap({ ...options, streetZoom: null, centre: CLUJ, zoom: 13 }).text), []);
  });

  it('shows a single station among its streets, and several as large as they fit', () => {
    const zoomOf = (marks: MapMark[]) => {
      const bounds = boundsOf(marks);
      assert.ok(bounds);
      return pictures(staticMap({ ...options, marks, bounds }).text)[0]?.href?.split('/')[2];
    };
    assert.equal(zoomOf([aMark(9_590)]), '14');
    assert.equal(zoomOf([aMark(9_590), aMark(9_600, 0.03, 0.03)]), '12');
  });

  it('names OpenStreetMap, and calls itself schematic only without streets', () => {
    const frameOf = (zoom: number, streetZoom: number | null) =>
      mapFrame({ language: 'ro', label: '', marks: [], centre: CLUJ, zoom, streetZoom }).text;
    const credit = /<a href="https:\/\/www\.openstreetmap\.org\/copyright">© OpenStreetMap contributors \(ODbL\)<\/a>/;
    assert.match(frameOf(13, 16), credit);
    assert.doesNotMatch(frameOf(13, 16), /fără străzi/);
    for (const text of [frameOf(9, 16), frameOf(13, null)]) {
      assert.doesNotMatch(text, credit);
      assert.match(text, /Hartă schematică, fără străzi/);
    }
  });
});
