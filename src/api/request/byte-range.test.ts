import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { byteRange, isUnchanged, mayContinue } from './byte-range.ts';

describe('a range of bytes', () => {
  it('is what a header asks for, cut at the end of the file', () => {
    assert.deepEqual(byteRange('bytes=0-9', 100), { first: 0, last: 9 });
    assert.deepEqual(byteRange('bytes=90-', 100), { first: 90, last: 99 });
    assert.deepEqual(byteRange('bytes=90-900', 100), { first: 90, last: 99 });
    assert.deepEqual(byteRange('bytes=-8', 100), { first: 92, last: 99 });
    assert.deepEqual(byteRange('bytes=-800', 100), { first: 0, last: 99 });
    assert.deepEqual(byteRange('Bytes= 5-5 ', 100), { first: 5, last: 5 });
  });

  it('is unsatisfiable beyond the end', () => {
    for (const header of ['bytes=100-', 'bytes=100-200', 'bytes=-0'])
      assert.equal(byteRange(header, 100), 'unsatisfiable');
    assert.equal(byteRange('bytes=0-', 0), 'unsatisfiable');
    assert.equal(byteRange('bytes=-1', 0), 'unsatisfiable');
  });

  it('is the whole file where the header is missing, malformed, or asks for several parts', () => {
    for (const header of [undefined, '', 'bytes=', 'bytes=-', 'bytes=9-1', 'rows=0-9', 'bytes=a-b', 'bytes=0-1,3-4'])
      assert.equal(byteRange(header, 100), null);
    assert.equal(byteRange(`bytes=${'9'.repeat(400)}-`, 100), null);
  });
});

describe('a condition', () => {
  const file = { entityTag: '"a-1"', modifiedAt: Date.parse('2026-11-20T08:00:00.700Z') };
  const date = 'Fri, 20 Nov 2026 08:00:00 GMT';

  it('is met by the same tag, weak or in a list, else by the same date', () => {
    for (const tag of ['"a-1"', 'W/"a-1"', '"x", "a-1"', '*']) assert.ok(isUnchanged({ 'if-none-match': tag }, file));
    assert.ok(isUnchanged({ 'if-modified-since': date }, file));
    assert.ok(!isUnchanged({ 'if-none-match': '"x"', 'if-modified-since': date }, file));
    assert.ok(!isUnchanged({ 'if-modified-since': 'Fri, 20 Nov 2026 07:59:59 GMT' }, file));
    assert.ok(!isUnchanged({ 'if-modified-since': 'ieri' }, file));
    assert.ok(!isUnchanged({}, file));
  });

  it('lets a download go on only with the same bytes', () => {
    for (const same of [undefined, '"a-1"', date]) assert.ok(mayContinue(same, file));
    for (const other of ['"b"', 'W/"a-1"', 'Fri, 20 Nov 2026 08:00:01 GMT', 'ieri'])
      assert.ok(!mayContinue(other, file));
  });
});
