import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PbfWriter } from 'pbf';
import { tileOf, townTile } from '../../test/support/vector-tiles/invented-town.ts';
import { type WrittenLayers, writeVectorTile } from '../../test/support/vector-tiles/write-vector-tile.ts';
import { runToEnd } from '../algorithms/run-to-end.ts';
import { DamagedTile, decodeTile } from './decode-tile.ts';
import { streetTile } from './street-tile.ts';

const LAYERS: WrittenLayers = {
  roads: [
    {
      type: 'line',
      properties: { name: 'Strada Teiului', lanes: 2, oneway: true, width: 3.5 },
      parts: [
        [0, 0, 100, -50],
        [7, 8, 9, 10],
      ],
    },
    { type: 'point', properties: {}, parts: [[5, 6]] },
  ],
  water: [{ type: 'polygon', properties: { kind: 'lake' }, parts: [[0, 0, 10, 0, 10, 10]] }],
};

type Decoded = { layer: string; type: string; name: unknown; parts: number[][] };

function decoded(bytes: Uint8Array, isWanted = (_layer: string) => true): Decoded[] {
  const features: Decoded[] = [];
  runToEnd(
    decodeTile(bytes, isWanted, (layer, { type, property, parts }) => {
      features.push({ layer, type, name: property('name'), parts: parts().map((part) => [...part]) });
    }),
  );
  return features;
}

/** A tile with one layer `roads` that has one feature with this geometry. */
function tileWith(geometry: number[], tags: number[] = []): Uint8Array {
  const pbf = new PbfWriter();
  const feature = () => {
    pbf.writePackedVarint(2, tags);
    pbf.writeVarintField(3, 2);
    pbf.writePackedVarint(4, geometry);
  };
  const layer = () => {
    pbf.writeStringField(1, 'roads');
    pbf.writeMessage(2, feature, null);
  };
  pbf.writeMessage(3, layer, null);
  return pbf.finish();
}

describe('a vector tile', () => {
  it('has the features of the layers that are asked for, with their properties', () => {
    assert.deepEqual(decoded(writeVectorTile(LAYERS)), [
      {
        layer: 'roads',
        type: 'line',
        name: 'Strada Teiului',
        parts: [
          [0, 0, 100, -50],
          [7, 8, 9, 10],
        ],
      },
      { layer: 'roads', type: 'point', name: undefined, parts: [[5, 6]] },
      { layer: 'water', type: 'polygon', name: undefined, parts: [[0, 0, 10, 0, 10, 10]] },
    ]);
    assert.equal(decoded(writeVectorTile(LAYERS), (layer) => layer === 'water').length, 1);
    const values: unknown[] = [];
    runToEnd(
      decodeTile(
        writeVectorTile(LAYERS),
        (layer) => layer === 'roads',
        (_, { property }) => {
          values.push(property('lanes'), property('oneway'), property('width'), property('absent'));
        },
      ),
    );
    assert.deepEqual(values.slice(0, 4), [2, true, 3.5, undefined]);
  });

  it('may have another extent', () => {
    const [road] = decoded(writeVectorTile(LAYERS, 512));
    assert.deepEqual(road?.parts[0], [0, 0, 800, -400]);
  });

  it('may be empty', () => {
    assert.deepEqual(decoded(new Uint8Array()), []);
  });
});

describe('a hostile vector tile', () => {
  it('cannot make a few bytes into many points', () => {
    // MoveTo 1, then ClosePath 2^28 times: the commands need no further bytes.
    assert.deepEqual(decoded(tileWith([9, 2, 2, 2 ** 31 + 7, 9, 2, 2])).length, 1);
    assert.throws(() => decoded(tileWith([9, 2, 2, ((2 ** 20) << 3) | 2, 2, 2])), /more points than bytes/);
    const many = Array.from({ length: 500_001 }, () => 2);
    assert.throws(() => decoded(tileWith([(many.length << 3) | 2, ...many, ...many])), /more than 400000 points/);
  });

  it('cannot hold others up with many empty parts: they are counted while they are read, in slices', () => {
    const slicesOf = (features: number) => {
      const name = [0x0a, 5, ...Buffer.from('roads')];
      const layer = [...name, ...Array.from({ length: features }, () => [0x12, 0]).flat()];
      const length = [(layer.length & 0x7f) | 0x80, ((layer.length >> 7) & 0x7f) | 0x80, layer.length >> 14];
      let slices = 0;
      for (const _ of decodeTile(
        Uint8Array.from([0x1a, ...length, ...layer]),
        () => true,
        () => undefined,
      ))
        slices += 1;
      return slices;
    };
    assert.ok(slicesOf(55_000) >= 5, 'fields of a slice are at most 10,000');
    assert.throws(() => slicesOf(60_001), /more than 60000 features/);
    assert.throws(() => slicesOf(400_000), /more than 300000 fields/);
    const tags = Array.from({ length: 2_001 }, () => 0);
    assert.throws(() => decoded(tileWith([9, 2, 2], tags)), /more than 2000 tags/);
  });

  it('cannot make a part reach beyond the whole', () => {
    const tooLong = tileWith([9, 2, 2]);
    for (let at = 1; at < 12; at += 1) {
      const bytes = tooLong.slice();
      bytes[at] = 0x7f;
      try {
        decoded(bytes);
      } catch (error) {
        assert.ok(error instanceof DamagedTile, `byte ${at}: ${error}`);
      }
    }
    const bytes = tooLong.slice();
    bytes[1] = 0x7f;
    assert.throws(() => decoded(bytes), /a part is longer than the whole/);
  });

  it('cannot have commands, extents or properties that do not exist', () => {
    assert.throws(() => decoded(tileWith([(1 << 3) | 5, 2, 2])), /an unknown command, 5/);
    assert.throws(() => decoded(writeVectorTile(LAYERS, 0)), /an extent of 0/);
    assert.equal(decoded(tileWith([9, 2, 2], [90, 90]))[0]?.name, undefined);
  });

  it('is decoded or refused, whatever bytes are changed, cut or added', () => {
    const [x, y] = tileOf(14);
    const tiles = (['protomaps', 'openmaptiles'] as const).map((schema) => townTile(14, x, y, schema).bytes);
    let read = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...tiles),
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 }),
        fc.nat(),
        (tile, changes, cut) => {
          const bytes = tile.slice(0, cut % 5 === 0 ? cut % tile.length : tile.length);
          for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
          try {
            runToEnd(streetTile(bytes));
            read += 1;
          } catch (error) {
            assert.ok(error instanceof DamagedTile, String(error));
          }
        },
      ),
      { seed: 20_261_123, numRuns: 1_500 },
    );
    assert.ok(read > 100 && read < 1_400, `${read} of 1,500 are still valid`);
  });
});
