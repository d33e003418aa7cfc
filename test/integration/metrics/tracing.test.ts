/** Traces and request ids of a complete service: a small OTLP receiver on loopback, a proxy that names its requests. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import type { Endpoint } from '../../../src/api/declaration/endpoint.ts';
import { trustedProxies } from '../../../src/config/address-lists.ts';
import { requestFields } from '../../../src/telemetry/request-scope.ts';
import { newAddress } from '../../support/builders/client-addresses.ts';
import { SellingSite } from '../../support/service/selling-site.ts';
import { TestService } from '../../support/service/test-service.ts';

type OtlpValue = { stringValue?: string; intValue?: number | string };
type OtlpSpan = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: OtlpValue }[];
};
type OtlpExport = { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] };

const spans: OtlpSpan[] = [];
const paths = new Set<string | undefined>();
const receiver = http.createServer(async (request, response) => {
  paths.add(request.url);
  const { resourceSpans } = (await json(request)) as OtlpExport;
  spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)));
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
});
let site: SellingSite;
before(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  site = await SellingSite.start(pino({ level: 'silent' }), { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
});
after(async () => {
  await site.close();
  receiver.close();
});

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;
const attribute = ({ attributes }: OtlpSpan, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue;
};
const ask = async (target: string, headers: http.OutgoingHttpHeaders = {}): Promise<void> => {
  const request = http.get(site.address + target, {
    agent: false,
    headers: { 'X-Forwarded-For': newAddress(), ...headers },
  });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.resume();
  await once(response, 'close');
};

describe('spans arrive for', { timeout: 60_000 }, () => {
  test('requests of both paths, within the trace of the proxy, and the decision of the database within them', async (t) => {
    await ask('/api/v1/retele', { traceparent });
    await ask('/harta', { traceparent });
    await ask('/api/v1/preturi/minime');
    await t.waitFor(() => assert.ok(spans.some(({ name }) => name === 'GET /api/v1/preturi/minime')), {
      timeout: 15_000,
    });
    const read = spans.find(({ name }) => name === 'GET /api/v1/retele') ?? assert.fail('no span');
    assert.deepEqual([read.traceId, read.parentSpanId], [TRACE, 'b7ad6b7169203331']);
    assert.equal(Number(attribute(read, 'http.response.status_code')), 200);
    assert.equal(attribute(read, 'http.route'), '/api/v1/retele');
    const wait = spans.find(({ name, parentSpanId }) => name === 'wait for the limits' && parentSpanId === read.spanId);
    assert.equal(wait?.traceId, TRACE);
    const batch = spans.find(({ name }) => name === 'decide on limits') ?? assert.fail('no batch');
    assert.equal(batch.parentSpanId ?? '', '', 'a batch belongs to no single request');
    assert.equal(attribute(batch, 'db.system.name'), 'postgresql');
    const page = spans.find(({ name, traceId }) => name.startsWith('GET /') && traceId === TRACE && name !== read.name);
    assert.equal(Number(page && attribute(page, 'http.response.status_code')), 200);
    assert.deepEqual([...paths], ['/v1/traces']);
  });

  test('collections, the sources in them, and their publication', async (t) => {
    await t.waitFor(() => assert.ok(spans.some(({ name }) => name === 'collect')), { timeout: 15_000 });
    const run = spans.find(({ name }) => name === 'collect');
    for (const name of ['read a source', 'publish'])
      assert.ok(
        spans.some((span) => span.name === name && span.parentSpanId === run?.spanId),
        name,
      );
  });
});

describe('a failed request is logged with', () => {
  let service: TestService;
  let written: { id?: string; request_id?: string; msg: string }[] = [];
  before(async () => {
    const log = pino({ mixin: requestFields }, { write: (line) => void written.push(JSON.parse(line)) });
    const adaptEndpoint = (endpoint: Endpoint): Endpoint => ({
      ...endpoint,
      answer: endpoint.path === '/api/v1/geocode' ? () => assert.fail('broken') : endpoint.answer,
    });
    service = await TestService.start({ log, adaptEndpoint, trustedProxies: trustedProxies('127.0.0.1') });
  });
  after(() => service.api.close());

  /** What the client was told and what was logged, by both paths. */
  async function failures(headers: http.OutgoingHttpHeaders) {
    written = [];
    const read = await service.ask('/api/v1/geocode?q=Cluj', { headers });
    await service.ask('/api/v1/geocode?q=Cluj', { headers, method: 'HEAD' });
    assert.deepEqual(
      written.map(({ msg }) => msg),
      ['a request failed', 'a request failed'],
    );
    for (const { id } of written) assert.match(id ?? '', /^[0-9a-f]{8}$/);
    assert.ok(read.json.message.includes(written[0]?.id), 'the client can quote it');
    assert.deepEqual(
      Object.keys(read.headers).filter((name) => /request-id|trace/.test(name)),
      [],
    );
    return written;
  }

  test('an id of its own, the same in every line', async () => {
    for (const { id, request_id } of await failures({})) assert.equal(request_id, id);
  });

  test('the id of the proxy beside it, or that of its trace', async () => {
    for (const { request_id } of await failures({ 'X-Request-Id': 'proxy-0001' }))
      assert.equal(request_id, 'proxy-0001');
    for (const { request_id } of await failures({ traceparent })) assert.equal(request_id, TRACE);
  });

  test('nothing that is no id', async () => {
    for (const { id, request_id } of await failures({ 'X-Request-Id': '{"level":60}' })) assert.equal(request_id, id);
  });
});
