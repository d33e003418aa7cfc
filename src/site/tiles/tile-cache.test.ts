import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { parseXml, type XmlElement } from '@rgrove/parse-xml';
import { type TileSchema, tileOf, townTile } from '../../../test/support/vector-tiles/invented-town.ts';
import { type WrittenLayers, writeVectorTile } from '../../../test/support/vector-tiles/write-vector-tile.ts';
import { runToEnd } from '../../algorithms/run-to-end.ts';
import { type StreetTile, streetTile } from '../../vector-tiles/street-tile.ts';
import type { FileTileAddress, Streets } from '../../vector-tiles/street-tiles.ts';
import { TILE_UNITS } from '../map/tile.ts';
import { type RenderedTile, TileCache } from './tile-cache.ts';

/** The streets of a file with these tiles. */
class WrittenStreets implements Streets {
  readonly maxZoom: number | null;
  version = 1;
  readonly asked: FileTileAddress[] = [];
  readonly #tileAt: (address: FileTileAddress) => Uint8Array | null;

  constructor(maxZoom: number, tileAt: (address: FileTileAddress) => Uint8Array | null) {
    this.maxZoom = maxZoom;
    this.#tileAt = tileAt;
  }

  async read(address: FileTileAddress): Promise<StreetTile | null> {
    this.asked.push(address);
    const bytes = this.#tileAt(address);
    return bytes === null ? null : runToEnd(streetTile(bytes));
  }
}

const town = (maxZoom = 15, schema: TileSchema = 'protomaps') =>
  new WrittenStreets(maxZoom, ({ z, x, y }) => townTile(z, x, y, schema).bytes);
const withLayers = (layers: WrittenLayers) => new WrittenStreets(15, () => writeVectorTile(layers));

async function svgAt(tiles: TileCache, path: string): Promise<string> {
  return ((await tiles.at(path)) as RenderedTile).body.toString();
}

function middle(z: number): string {
  const [x, y] = tileOf(z);
  return `/harta/${z}/${x}/${y}.svg`;
}

const pathsOf = (svg: string, name: string) => [...svg.matchAll(new RegExp(`<path class="${name}"`, 'g'))].length;

describe('the address of a tile', () => {
  const tiles = new TileCache();
  const tileAt = (path: string) => {
    const tile = tiles.at(path);
    assert.ok(!(tile instanceof Promise), 'without streets, a tile is there at once');
    return tile;
  };

  it('gives the picture with the hash of its style, to be kept for a day', () => {
    const tile = tileAt('/harta/6/36/22.svg');
    assert.ok(tile);
    assert.equal(tile.contentType, 'image/svg+xml');
    assert.equal(tile.headers['Cache-Control'], 'public, max-age=86400');
    const style = /<style>(.*)<\/style>/s.exec(tile.body.toString())?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    assert.equal(tile.headers['Content-Security-Policy'], `default-src 'none'; style-src 'sha256-${hash}'`);
    assert.equal(tileAt('/harta/6/36/22.svg'), tile);
  });

  it('has one form only', () => {
    for (const path of [
      ...['/harta/06/36/22.svg', '/harta/6/036/22.svg', '/harta/6/36/22', '/harta/6/36/22.png', '/harta/6/36/22.svg/'],
      ...['/harta/6/36/-22.svg', '/harta/6/36/2e1.svg', '/harta/6/36/22.5.svg', '/harta', '/harta/99/36/22.svg'],
      ...['/harta/6/99999/22.svg', '/en/harta/6/36/22.svg', '/'],
    ]) {
      assert.equal(tileAt(path), undefined, path);
    }
  });
});

describe('a tile with streets', () => {
  it('is well-formed SVG without scripts, links or ids, with everything that the file has', async () => {
    for (const schema of ['protomaps', 'openmaptiles'] as const) {
      const svg = await svgAt(new TileCache(town(15, schema)), middle(14));
      assert.doesNotMatch(svg, /<script|href|\sid=|\son\w+=|NaN|undefined|Infinity/);
      assert.equal(parseXml(svg).root?.name, 'svg');
      for (const name of ['m-green', 'm-lake', 'm-building', 'm-stream', 'm-edge', 'm-road'])
        assert.ok(pathsOf(svg, name) > 0, `${name} in the schema of ${schema}`);
      assert.match(svg, />Bulevardul Lalelelor</);
      assert.match(svg, />Strada Țesătorilor</);
      assert.match(svg, />DN72</);
      assert.doesNotMatch(svg, /E999/);
    }
  });

  it('shows more the larger the zoom, and nothing of the file where the built-in map is made for it', async () => {
    const streets = town();
    const tiles = new TileCache(streets);
    assert.equal(pathsOf(await svgAt(tiles, middle(9)), 'm-lake'), 0);
    assert.deepEqual(streets.asked, []);
    const [small, large] = [await svgAt(tiles, middle(12)), await svgAt(tiles, middle(15))];
    assert.ok(pathsOf(small, 'm-building') === 0 && pathsOf(large, 'm-building') === 1);
    assert.doesNotMatch(small, />Strada Teiului</);
  });

  it('is drawn from a part of the last tile where the file ends, for one more zoom', async () => {
    const streets = town(14);
    const tiles = new TileCache(streets);
    const svg = await svgAt(tiles, middle(15));
    const [x, y] = tileOf(14);
    assert.deepEqual(streets.asked, [{ z: 14, x, y }]);
    assert.ok(pathsOf(svg, 'm-road') > 0);
    assert.equal(tiles.at(middle(16)), undefined);
  });

  it('is the built-in one where the file has none, up to the same zoom', async () => {
    const nowhere = new TileCache(new WrittenStreets(15, () => null));
    for (const z of [10, 13, 16]) assert.match(await svgAt(nowhere, middle(z)), /class="m-home"/);
    assert.equal(nowhere.at(middle(17)), undefined);
    assert.equal(new TileCache().at(middle(14)), undefined);
  });

  it('leaves out what would make it too large, and keeps the rest', async () => {
    const crooked = Array.from({ length: 19_000 }, (_, at) => [at % 2 === 0 ? 0 : 4000, (at * 7) % 4096]).flat();
    const road = (kind: string, part: readonly number[]) =>
      ({ type: 'line', properties: { kind: 'minor_road', kind_detail: kind }, parts: [part] }) as const;
    const roads = [...Array(9).fill(road('residential', crooked)), road('service', [0, 0, 4000, 4000])];
    const svg = await svgAt(new TileCache(withLayers({ roads })), middle(15));
    assert.ok(svg.length < 600_000 && pathsOf(svg, 'm-road') === 1, `${svg.length} characters`);
  });

  it('escapes what the file calls a street', async () => {
    const name = '<script>"&\'</script>';
    const road = {
      type: 'line',
      properties: { kind: 'major_road', kind_detail: 'primary', name },
      parts: [[100, 2000, 4000, 2000]],
    } as const;
    const svg = await svgAt(new TileCache(withLayers({ roads: [road] })), middle(15));
    assert.match(svg, />&lt;script&gt;&quot;&amp;&#39;&lt;\/script&gt;</);
    assert.equal(parseXml(svg).root?.name, 'svg');
  });
});

describe('names of streets', () => {
  const road = (name: string, part: readonly number[], detail = 'residential') =>
    ({ type: 'line', properties: { kind: 'minor_road', kind_detail: detail, name }, parts: [part] }) as const;

  /** Middle, turn and text of each. */
  async function namesOf(layers: WrittenLayers, z = 15) {
    const [x, y] = tileOf(z);
    // Away from the name of the town.
    const svg = await svgAt(new TileCache(withLayers(layers)), `/harta/${z}/${x + 8}/${y + 8}.svg`);
    const groups = elementsOf(parseXml(svg).root as XmlElement).filter(
      ({ attributes }) => attributes.class === 'm-names m-streets',
    );
    return groups.flatMap(elementsOf).filter(({ name }) => name === 'text');
  }

  it('stand along the street, never upside down, wholly inside the tile', async () => {
    const names = await namesOf({
      roads: [
        road('Strada Dreaptă', [200, 3000, 3800, 3000]),
        road('Strada Întoarsă', [3800, 3400, 200, 3400]),
        road('Strada Înclinată', [200, 200, 2000, 2000]),
        road('Strada Marginii', [-200, 10, 4300, 10]),
      ],
    });
    const turns = Object.fromEntries(names.map((each) => [each.text, each.attributes.transform ?? 'level']));
    assert.deepEqual(Object.keys(turns).sort(), ['Strada Dreaptă', 'Strada Înclinată', 'Strada Întoarsă']);
    assert.deepEqual([turns['Strada Dreaptă'], turns['Strada Întoarsă']], ['level', 'level']);
    assert.match(turns['Strada Înclinată'] ?? '', /^rotate\(45 /);
    for (const { attributes } of names) assert.ok(Number(attributes.x) > 0 && Number(attributes.x) < TILE_UNITS);
  });

  it('do not lie on each other, and are not repeated nearby', async () => {
    const close = Array.from({ length: 40 }, (_, at) =>
      road(`Strada ${at}`, [200, 1500 + 20 * at, 1000, 1500 + 20 * at]),
    );
    const names = await namesOf({ roads: close });
    assert.ok(names.length >= 4 && names.length < 14, `${names.length} of 40 have room`);
    const levels = names.map(({ attributes }) => Number(attributes.y)).sort((a, b) => a - b);
    const gaps = levels.slice(1).map((y, at) => y - (levels[at] as number));
    assert.ok(
      gaps.every((gap) => gap >= 20),
      gaps.join(' '),
    );
    const same = [700, 1000, 1300].map((y) => road('Strada Lungă', [200, y, 1800, y]));
    assert.equal((await namesOf({ roads: same })).length, 1);
  });

  it('are left out on streets that are too short or bend too much', async () => {
    const zigzag = Array.from({ length: 40 }, (_, at) => [300 + 60 * at, at % 2 === 0 ? 1500 : 1700]).flat();
    const names = await namesOf({
      roads: [road('Strada Foarte Scurtă', [500, 500, 800, 500]), road('Strada Șerpuită', zigzag)],
    });
    assert.deepEqual(names, []);
  });
});

describe('the cached tiles', () => {
  it('are drawn in turns, once, and again when there is another file', async () => {
    const streets = town();
    const tiles = new TileCache(streets);
    let lastTurn: Promise<void> = Promise.resolve();
    /** One turn after the other. */
    const takeTurn = async () => {
      const before = lastTurn;
      const { promise, resolve } = Promise.withResolvers<void>();
      lastTurn = promise;
      await before;
      return resolve;
    };
    const [one, other] = await Promise.all([tiles.at(middle(13), takeTurn), tiles.at(middle(13), takeTurn)]);
    assert.ok(one);
    assert.equal(one, other);
    assert.equal(tiles.at(middle(13), takeTurn), one, 'cached');
    assert.equal(streets.asked.length, 1, 'the second reader finds the tile of the first one');
    streets.version = 2;
    assert.notEqual(await tiles.at(middle(13), takeTurn), one);
    assert.equal(streets.asked.length, 2);
  });

  it('end the turn when drawing fails', async () => {
    const broken = new TileCache({ version: 1, maxZoom: 15, read: () => Promise.reject(new Error('no')) });
    let ended = 0;
    const endTurn = () => {
      ended += 1;
    };
    await assert.rejects(async () => broken.at(middle(13), async () => endTurn), /no/);
    assert.equal(ended, 1);
  });
});

function elementsOf(element: XmlElement): XmlElement[] {
  return element.children.filter((child): child is XmlElement => child.type === 'element');
}
