import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PublishedChanges } from './published-change.ts';
import type { ServedChange } from './served-change.ts';
import type { ServedPrice } from './served-price.ts';

const trusted = (price: number): ServedPrice => ({ price, reason: null });
const EXPIRED: ServedPrice = { price: null, reason: 'expired' };

/** What a file of the sources `a` and `b` says of changes, each from one price to another of a source. */
function published(
  changes: readonly (readonly [before: ServedPrice, after: ServedPrice, source: string | null])[],
  { isOnlyAllowed = false, earlier }: { isOnlyAllowed?: boolean; earlier?: string } = {},
) {
  const files = new PublishedChanges(new Set(['a', 'b']), () => isOnlyAllowed);
  const record = { station: 's', fuel: 'petrol' } as const;
  if (earlier !== undefined) files.remember({ ...record, source: earlier });
  return changes.map(([before, after, source], index) => {
    const place = { county: 'CJ', city: 'cluj-napoca', network: 'mol' };
    const change: ServedChange = { ...record, kind: 'price', before, after, source, observed: null, ...place };
    const row = files.next({ ...change, seq: index + 1, toldAt: index });
    return row && `${row.kind} ${row.before.price} ${row.after.price} ${row.after.reason} ${row.source}`;
  });
}

describe('published changes', () => {
  it('are those of allowed sources, each after the one before', () => {
    assert.deepEqual(
      published([
        [EXPIRED, trusted(7), 'a'],
        [trusted(7), trusted(8), 'b'],
        [trusted(8), { price: 8, reason: 'stuck' }, 'b'],
        [{ price: 8, reason: 'stuck' }, EXPIRED, null],
      ]),
      ['returned null 7 null a', 'price 7 8 null b', 'flag 8 8 stuck b', 'withdrawn 8 null expired b'],
    );
  });

  it('show no price of another source, neither as the new one nor as the old one', () => {
    assert.deepEqual(
      published([
        [EXPIRED, trusted(7), 'a'],
        [trusted(7), trusted(8), 'secret'],
        [trusted(8), trusted(9), 'secret'],
        [trusted(9), trusted(10), 'b'],
        [trusted(10), trusted(11), 'secret'],
        [trusted(11), EXPIRED, null],
      ]),
      [
        'returned null 7 null a',
        'withdrawn 7 null withheld a',
        null,
        'returned null 10 null b',
        'withdrawn 10 null withheld b',
        null,
      ],
    );
  });

  it('show a price from before the first change only where its source is known to be allowed', () => {
    const change = [[trusted(7), EXPIRED, null]] as const;
    assert.deepEqual(published(change), [null]);
    assert.deepEqual(published(change, { isOnlyAllowed: true }), ['withdrawn 7 null expired null']);
    assert.deepEqual(published(change, { earlier: 'b' }), ['withdrawn 7 null expired b']);
    assert.deepEqual(published(change, { earlier: 'secret', isOnlyAllowed: true }), [null]);
  });

  it('say nothing of stations, nor of why there is still no price', () => {
    assert.deepEqual(published([[EXPIRED, { price: null, reason: 'unsold' }, null]], { isOnlyAllowed: true }), [null]);
    const files = new PublishedChanges(new Set(['a']), () => true);
    const nothing: ServedPrice = { price: null, reason: null };
    const place = { county: '', city: '', network: '' };
    const came = { station: 's', fuel: null, kind: 'station added', before: nothing, after: nothing } as const;
    assert.equal(files.next({ ...came, source: null, observed: null, ...place, seq: 1, toldAt: 1 }), null);
  });
});
