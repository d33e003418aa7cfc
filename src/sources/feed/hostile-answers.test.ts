/** Answers that are not a station list, or are one despite appearances: the same for every single-answer source. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import { FEED_FIXTURES } from '../../../test/fuzz/feed-fixtures.ts';
import { sweepOf, sweepWithFetch } from '../../../test/fuzz/single-answer.ts';
import { createDownloader } from '../../clients/http/download.ts';
import { NoResponse, type ReceivedResponse } from '../../clients/http/response.ts';
import type { Rejections } from '../../domain/reports/observation.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { locatorSource } from '../locators/locators.ts';
import { rompetrolSource } from '../rompetrol/rompetrol.ts';
import { type Fetch, SourceFailed } from '../source.ts';

const ENTITY_BOMB = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from(
  { length: 9 },
  (_, level) => `<!ENTITY lol${level + 1} "${`&lol${level || ''};`.repeat(10)}">`,
).join('')}]><lolz>&lol9;</lolz>`;

/** The answer sent to the source, and the message expected from it. */
const NO_LISTS: Readonly<
  Record<string, readonly [body: () => string | Buffer, says: RegExp, answer?: Partial<ReceivedResponse>]>
> = {
  nothing: [() => '', /the answer is empty$/],
  'white space': [() => ' \r\n\t ', /the answer is empty$/],
  'a page': [
    () => '<!DOCTYPE html><title>Mentenanță</title>',
    /a page instead of JSON: "<!DOCTYPE html><title>Mentenanță/,
  ],
  'a page with scripts': [() => '<script>location="https://evil.example"</script>', /a page instead of JSON/],
  'an entity bomb in XML': [() => ENTITY_BOMB, /a page instead of JSON: "<\?xml/],
  'half a list': [() => '[{"id":1,"sid":"RO.1","code":"1"},{"id":', /is not JSON: /],
  'a list with a comma too much': [() => '[{"id":1},]', /is not JSON: /],
  'two lists': [() => '[][]', /is not JSON: /],
  'one row a line': [() => '{"id":1}\n{"id":2}', /is not JSON: /],
  'single quotes': [() => "[{'id':1}]", /is not JSON: /],
  NaN: [() => '[{"id":NaN}]', /is not JSON: /],
  'a callback': [() => 'stations([{"id":1}])', /is not JSON: "stations/],
  'zero bytes': [() => Buffer.alloc(1000), /is not JSON: ""$/],
  'UTF-16 without a byte order mark': [() => Buffer.from('[{"id":1}]', 'utf16le'), /is not JSON: /],
  'compressed bytes': [() => gzipSync('[{"id":1}]'), /is not JSON: /],
  'control characters': [() => '\u001b[31m\u202e[', /is not JSON: "\[31m\["$/],
  'a million brackets left open': [() => '['.repeat(1_000_000), /more than 100 brackets within each other/],
  null: [() => 'null', /not a list of stations but "null"$/],
  'a number': [() => '1e999', /not a list of stations but "1e999"$/],
  'a text': [() => '"[]"', /not a list of stations/],
  'an object': [() => '{}', /not a list of stations but an object with nothing$/],
  'an error as JSON': [() => '{"Message":"An error","code":1}', /but an object with Message, code$/],
  'the list inside an object': [() => '{"results":[{"id":1}]}', /but an object with results$/],
  'an empty list': [() => '[]', /no station of Romania in 0 rows$/],
  'a list of nothing': [() => '[null,null]', /no station of Romania in 2 rows \(not_a_row 2\)$/],
  'a list of numbers': [() => '[1,2,3]', /in 3 rows \(not_a_row 3\)$/],
  'a list of lists': [() => '[[{"id":1}]]', /in 1 rows \(not_a_row 1\)$/],
  'brackets 100,000 deep': [
    () => `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    /more than 100 brackets within each other, which no station list has$/,
  ],
  'a hundred thousand names': [
    () => `[{${Array.from({ length: 100_001 }, (_, n) => `"k${n}":1`).join(',')}}]`,
    /more than 100000 fields, which no station list has$/,
  ],
  'rows without anything': [() => '[{},{}]', /in 2 rows \(no_station_id 2\)$/],
  'rows with a prototype for everything': [
    () => '[{"__proto__":{"id":1,"sid":"RO.1","code":"1"}}]',
    /\(no_station_id 1\)$/,
  ],
  'one row more than the most': [
    () => JSON.stringify(Array(20_001).fill({ id: 1 })),
    /20001 rows are no station list; at most 20000 are read$/,
  ],
  'a million rows': [() => `[${'{},'.repeat(999_999)}{}]`, /more than 300000 values, which no station list has$/],
  'one byte more than the most': [() => Buffer.alloc(10_000_001), /larger than 10 MB$/],
  'status 204': [() => '', /status 204 instead of 200$/, { status: 204 }],
  'status 403': [() => '[]', /status 403 instead of 200$/, { status: 403 }],
  'status 404 with a page': [() => '<h1>404</h1>', /status 404 instead of 200$/, { status: 404 }],
  'status 500': [() => '{}', /status 500 instead of 200$/, { status: 500 }],
};

for (const [source, body] of FEED_FIXTURES) {
  describe(`${source.name}: an answer that is not a list fails the source with one sentence`, () => {
    for (const [title, [sent, says, answer]] of Object.entries(NO_LISTS)) {
      test(title, async () => {
        await assert.rejects(sweepOf(source, sent(), answer), (error: Error) => {
          assert.ok(error instanceof SourceFailed, String(error.stack));
          assert.match(error.message, says);
          assert.doesNotMatch(error.message, /[\p{Cc}\p{Bidi_Control}]/u);
          return true;
        });
      });
    }

    test('no answer', () =>
      assert.rejects(
        sweepWithFetch(source, () => Promise.reject(new NoResponse('no answer from feed.example: it answered 503'))),
        { message: 'no answer from feed.example: it answered 503' },
      ));

    test('a feed that never answers, at the deadline', async () => {
      const stop = new AbortController();
      const never: Fetch = () => new Promise(() => stop.abort(new Error('no result in 45 minutes')));
      await assert.rejects(sweepWithFetch(source, never, stop.signal), {
        message: 'reading it was stopped: no result in 45 minutes',
      });
    });

    test('a bug in the client is not reported as a failure of the source', () =>
      assert.rejects(
        sweepWithFetch(source, () => Promise.reject(new TypeError('a bug'))),
        TypeError,
      ));
  });

  describe(`${source.name}: a list is read`, async () => {
    const usual = await sweepOf(source, body);
    const text = body.toString();
    const asSent: Record<string, [body: Buffer, answer?: Partial<ReceivedResponse>]> = {
      'with a byte order mark': [Buffer.from(`\u{feff}${text}`)],
      'in UTF-16 with a byte order mark': [Buffer.from(`\u{feff}${text}`, 'utf16le')],
      'in UTF-16 of the other order': [Buffer.from(`\u{feff}${text}`, 'utf16le').swap16()],
      'in UTF-16 by its media type': [
        Buffer.from(text, 'utf16le'),
        { contentType: 'application/json; charset=utf-16le' },
      ],
      'as text, with an unknown charset': [body, { contentType: 'text/html; charset="no-such-thing"' }],
      'with white space around it': [Buffer.from(`\r\n\t${text}\n\n`)],
      'with its signs escaped': [Buffer.from(escaped(text))],
    };
    for (const [title, [sent, answer]] of Object.entries(asSent)) {
      test(title, async () => {
        const { stations, readings, rejections } = await sweepOf(source, sent, answer);
        assert.deepEqual(stations, usual.stations);
        assert.deepEqual(readings, usual.readings);
        assert.deepEqual(rejections.counts(), usual.rejections.counts());
      });
    }

    test('among elements that are not rows, and repeated', async () => {
      const rows = JSON.parse(text);
      const { stations, readings, rejections } = await sweepOf(source, [null, ...rows, 'row', 7, [], ...rows]);
      assert.deepEqual([stations, readings], [usual.stations, usual.readings]);
      assert.equal(rejections.counts().not_a_row, 4);
      // Of a repeated row with something wrong in it that is the first reason; a row counts once.
      const rejected = sum(usual.rejections.counts());
      assert.equal(sum(rejections.counts()), 4 + rejected + rows.length);
    });

    test('in Latin-1 that is not declared: broken words are dropped, the rest stays', async () => {
      const sent = Buffer.from(text.replaceAll(/[^\0-\x7f]/g, 'ã'), 'latin1');
      const { stations, readings, rejections } = await sweepOf(source, sent);
      assert.deepEqual(
        stations.map(({ sourceId, lat, lng, hours }) => [sourceId, lat, lng, hours]),
        usual.stations.map(({ sourceId, lat, lng, hours }) => [sourceId, lat, lng, hours]),
      );
      // A product whose word is broken is none that is known: its price is dropped and counted, never guessed.
      const lost = unknownFuels(rejections) - unknownFuels(usual.rejections);
      assert.equal(readings.length, usual.readings.length - lost);
      for (const reading of readings) assert.ok(usual.readings.some((each) => isDeepStrictEqual(each, reading)));
      assert.ok(!JSON.stringify(stations).includes('\u{fffd}'));
    });
  });
}

test('an answer of 100 MB is cut off while downloading, and so is one that unpacks to as much', async () => {
  const packed = gzipSync(Buffer.alloc(100_000_000, ' '));
  const server = createServer(({ url }, response) => {
    if (url === '/packed') response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
    else response.writeHead(200).end(Buffer.alloc(100_000_000, ' '));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const downloader = createDownloader({
    userAgent: 'Pompa test',
    timeoutMs: 60_000,
    maxBytes: 20_000_000,
    retries: 0,
    pauseMs: 0,
    parallel: 1,
    allowPrivate: true,
  });
  try {
    for (const path of ['plain', 'packed']) {
      await assert.rejects(
        sweepWithFetch(rompetrolSource(loadGazetteer()), (_, options) =>
          downloader.download(`http://127.0.0.1:${port}/${path}`, options),
        ),
        { message: `no answer from 127.0.0.1:${port}: the answer is larger than 20 MB` },
      );
    }
  } finally {
    await downloader.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

test('text in the old Windows encoding is decoded if the media type names it', async () => {
  const row = { code: '1', stationStatus: '1', name: 'Ploie?ti', gpsPosition: { latitude: 44.9, longitude: 26 } };
  const body = Buffer.from(JSON.stringify([row]).replace('?', '\u00ba'), 'latin1');
  const { stations } = await sweepOf(locatorSource('mol'), body, { contentType: 'text/html; charset=windows-1250' });
  assert.equal(stations[0]?.name, 'Ploieşti');
});

const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0);

function unknownFuels(rejections: Rejections): number {
  return rejections.counts().unknown_fuel ?? 0;
}

function escaped(text: string): string {
  return text.replaceAll(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
