import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseXml, type XmlElement } from '@rgrove/parse-xml';
import { prepareBaseMap } from './base-map.ts';
import { drawTile, TILE_PX } from './tile.ts';

const COUNTRY = [35, 36, 37].flatMap((x) => [22, 23].map((y) => ({ z: 6, x, y })));
const TILE_UNITS = 2 * TILE_PX;

function textOf(address: { z: number; x: number; y: number }): string {
  const tile = drawTile(address);
  assert.ok(tile, JSON.stringify(address));
  return tile.text;
}

describe('a tile', () => {
  it('is well-formed SVG of 512 px without scripts, links or ids', () => {
    for (const address of [...COUNTRY, { z: 12, x: 2316, y: 1450 }]) {
      const svg = textOf(address);
      const { root } = parseXml(svg);
      assert.deepEqual([root?.name, root?.attributes.width, root?.attributes.height], ['svg', '512', '512']);
      assert.doesNotMatch(svg, /<script|href|\sid=|\son\w+=|NaN|undefined|Infinity/);
    }
  });

  it('is as small as the budget says: the country view has at most 90 kB before compression', () => {
    const sizes = COUNTRY.map((address) => Buffer.byteLength(textOf(address)));
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 90_000, sizes.join(' '));
  });

  it('exists for whole numbers in range only', () => {
    for (const [z, x, y] of [
      ...[
        [4, 9, 5],
        [14, 9_300, 5_800],
        [6, 0, 0],
        [6, 63, 22],
        [6, 36, 64],
        [6, -1, 22],
        [6.5, 36, 22],
      ],
      ...[
        [6, 36.5, 22],
        [Number.NaN, 36, 22],
      ],
    ] as [number, number, number][]) {
      assert.equal(drawTile({ z, x, y }), undefined, `${z}/${x}/${y}`);
    }
    assert.ok(drawTile({ z: 5, x: 18, y: 11 }) && drawTile({ z: 13, x: 4_632, y: 2_900 }));
  });

  it('continues the lines of its neighbour: what leaves one enters the next at the same place', () => {
    for (const [z, x, y] of [
      [6, 36, 22],
      [8, 144, 90],
      [11, 1_158, 725],
    ] as const) {
      const [west, east] = [textOf({ z, x, y }), textOf({ z, x: x + 1, y })];
      for (const name of ['m-edge', 'm-fast', 'm-county', 'm-border']) {
        const leaving = crossings(west, name, TILE_UNITS);
        assert.deepEqual(crossings(east, name, 0), leaving, `${name} at ${z}`);
      }
      const [north, south] = [textOf({ z, x, y }), textOf({ z, x, y: y + 1 })];
      assert.deepEqual(namesAcross(south, 0), namesAcross(north, TILE_UNITS), `names at ${z}`);
    }
    assert.ok(crossings(textOf({ z: 8, x: 144, y: 90 }), 'm-edge', TILE_UNITS).length > 0);
  });

  it('shows the sea, the Danube and the neighbours', () => {
    const country = COUNTRY.map(textOf).join('');
    for (const name of ['m-sea', 'm-river', 'm-home', 'm-foreign', '>SERBIA<', '>Marea Neagră<', '>A2<']) {
      assert.ok(country.includes(name), name);
    }
    // Transylvania has no sea.
    assert.doesNotMatch(textOf({ z: 8, x: 144, y: 90 }), /class="m-sea"/);
  });
});

describe('the base map', () => {
  it('can be read ahead of the first request', async () => {
    await prepareBaseMap();
    assert.ok(drawTile({ z: 13, x: 4_632, y: 2_900 }));
  });
});

/** Where the paths of a class cross an upright line: y, in order. */
function crossings(svg: string, name: string, x: number): number[] {
  return pathsOf(svg, name)
    .flatMap((path) => linesOf(path))
    .flatMap((points) =>
      points.slice(1).flatMap(([x1, y1], index) => {
        const [x0, y0] = points[index] as [number, number];
        if (x0 < x === x1 < x) return [];
        return y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
      }),
    )
    .filter((y) => y >= 0 && y <= TILE_UNITS)
    .map((y) => Math.round(y * 100) / 100)
    .sort((a, b) => a - b);
}

function pathsOf(svg: string, name: string): string[] {
  return [...svg.matchAll(new RegExp(`<path class="${name}"[^>]* d="([^"]*)"`, 'g'))].map(([, path]) => path ?? '');
}

/** The points of each line of a path that has M and l only. */
function linesOf(path: string): [number, number][][] {
  return path
    .split('M')
    .slice(1)
    .map((line) => {
      const numbers = (line.match(/-?\d+/g) ?? []).map(Number);
      let [x, y] = [0, 0];
      return Array.from({ length: numbers.length / 2 }, (_, at): [number, number] => {
        x += numbers[2 * at] as number;
        y += numbers[2 * at + 1] as number;
        return [x, y];
      });
    });
}

/** The names whose letters may reach over the level line y, with the place of each along it. */
function namesAcross(svg: string, y: number): string[] {
  const root = parseXml(svg).root as XmlElement;
  return textsIn(root)
    .filter((text) => Math.abs(Number(text.attributes.y) - 4 - y) < 8)
    .map((text) => `${text.text} ${text.attributes.x} ${Number(text.attributes.y) - y}`)
    .sort();
}

function textsIn(element: XmlElement): XmlElement[] {
  const inside = element.children.filter((child): child is XmlElement => child.type === 'element');
  return element.name === 'text' ? [element] : inside.flatMap(textsIn);
}
