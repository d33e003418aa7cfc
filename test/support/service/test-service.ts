/** The real service on a free loopback port, and a client that checks every answer against the contract. */
import assert from 'node:assert/strict';
import http, { type IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import zlib from 'node:zlib';
import { type Api, type ApiOptions, createApi } from '../../../src/api/http/api-server.ts';
import { addressOf } from '../../../src/app/access-service.ts';
import { createJourneyPlanner } from '../../../src/app/routing-service.ts';
import { trustedProxies } from '../../../src/config/address-lists.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import { newAddress } from '../builders/client-addresses.ts';
import { NOON } from '../builders/snapshot-builders.ts';
import { NO_GERMANY } from '../simulators/german-source.ts';
import { world } from '../worlds/contract-world.ts';
import { accessWithoutDatabase } from './create-access.ts';
import { NO_REPORTS, NO_REVIEWS } from './fake-reviews.ts';
import { NO_PUSH } from './no-push.ts';
import { answerCheck } from './openapi-check.ts';

export type Reply = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As it came over the wire. */
  readonly raw: Buffer;
  /** Decoded. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the OpenAPI document checks answers before tests read them
  readonly json: any;
};

type RequestOptions = { method?: string; headers?: http.OutgoingHttpHeaders; body?: string | Buffer };
type TestServiceOptions = Partial<ApiOptions>;

/** Requests of tests name their clients, like those of a proxy. */
const TRUSTED_PROXIES = trustedProxies('127.0.0.1');

/** By document without the address of its service: checks are expensive to compile, and most services share one. */
const checks = new Map<string, ReturnType<typeof answerCheck>>();

function checkOf(document: string): ReturnType<typeof answerCheck> {
  const check = checks.get(document) ?? answerCheck(JSON.parse(document));
  checks.set(document, check);
  return check;
}

export class TestService {
  readonly api: Api;
  readonly port: number;
  readonly #check: ReturnType<typeof answerCheck>;

  private constructor(api: Api, port: number, check: ReturnType<typeof answerCheck>) {
    this.api = api;
    this.port = port;
    this.#check = check;
  }

  /** Starts a service over the contract world, or with other parts. */
  static async start(options: TestServiceOptions = {}): Promise<TestService> {
    let port = 0;
    const api = await createApi({
      snapshot: world(),
      clientOf: (caller) => addressOf(caller, { TRUSTED_PROXIES }).client,
      gazetteer: loadGazetteer(),
      publicUrl: () => `http://127.0.0.1:${port}`,
      accessControl: accessWithoutDatabase(),
      keyReport: () => Promise.resolve(null),
      push: NO_PUSH,
      germany: NO_GERMANY,
      journeys: createJourneyPlanner(loadGazetteer()),
      reviews: NO_REVIEWS,
      reports: NO_REPORTS,
      site: () => undefined,
      log: { error: () => undefined, warn: () => undefined },
      clock: () => NOON,
      trustedProxies: TRUSTED_PROXIES,
      ...options,
    });
    const listening = options.early?.httpServer.server.address() as net.AddressInfo | undefined;
    if (listening !== undefined) api.answer();
    ({ port } = listening ?? (await api.listen({ host: '127.0.0.1', port: 0 })));
    const document = await ask(port, '/openapi.json', {});
    return new TestService(api, port, checkOf(document.text.replaceAll(`127.0.0.1:${port}`, '127.0.0.1')));
  }

  /** As `start`; closes the service when the test ends, passed or failed. */
  static async during(test: TestContext, options: TestServiceOptions = {}): Promise<TestService> {
    const service = await TestService.start(options);
    test.after(() => service.api.close());
    return service;
  }

  /** Sends one request; fails when a JSON answer of the API is not as the OpenAPI document describes it. */
  async ask(target: string, options: RequestOptions = {}): Promise<Reply> {
    const headers = { 'X-Forwarded-For': newAddress(), ...options.headers };
    const reply = await ask(this.port, target, { ...options, headers });
    if (/^\/(api|openapi\.json)(?![^/?])/.test(target) && target !== '/openapi.json/')
      this.#assertContract(target, options.method ?? 'GET', reply);
    return reply;
  }

  /** Sends raw bytes, and returns everything received until the server ends the connection. */
  async raw(bytes: string | Buffer): Promise<string> {
    const socket = net.connect(this.port, '127.0.0.1');
    socket.write(bytes);
    return text(socket);
  }

  #assertContract(target: string, method: string, { status, headers, json }: Reply): void {
    assert.match(String(headers.link), /<https:\/\/creativecommons\.org\/licenses\/by\/4\.0\/>; rel="license"/);
    const cacheable = target.startsWith('/openapi.json') && status === 200;
    assert.equal(headers['cache-control'], cacheable ? 'public, max-age=300' : 'no-store');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    const posted = method === 'OPTIONS' && status === 204 && !headers.allow?.includes('GET');
    const readable = ['GET', 'HEAD', 'OPTIONS'].includes(method) && !posted;
    const anyOrigin = readable && !target.startsWith('/api/v1/cheie');
    assert.equal(headers['access-control-allow-origin'], anyOrigin ? '*' : undefined);
    if (json === undefined) return;
    const isGeoJson = status === 200 && target.includes('format=geojson');
    assert.equal(headers['content-type'], isGeoJson ? 'application/geo+json' : 'application/json; charset=utf-8');
    this.#check({ method, target, status, headers, json });
  }
}

function ask(port: number, target: string, { method = 'GET', headers = {}, body }: RequestOptions): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request({ port, host: '127.0.0.1', path: target, method, headers, agent: false });
    request.on('error', reject);
    request.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => resolve(reply(response, Buffer.concat(parts))));
    });
    request.end(body);
  });
}

function reply({ statusCode = 0, headers }: http.IncomingMessage, raw: Buffer): Reply {
  const decoded = raw.length === 0 ? raw : DECODERS[headers['content-encoding'] ?? 'identity']?.(raw);
  assert.ok(decoded, `unknown content coding ${headers['content-encoding']}`);
  const plain = decoded.toString();
  const isJson = plain !== '' && /^application\/(geo\+)?json/.test(headers['content-type'] ?? '');
  return { status: statusCode, headers, raw, text: plain, json: isJson ? JSON.parse(plain) : undefined };
}

const DECODERS: Readonly<Record<string, (raw: Buffer) => Buffer>> = {
  identity: (raw) => raw,
  gzip: (raw) => zlib.gunzipSync(raw),
  br: (raw) => zlib.brotliDecompressSync(raw),
  zstd: (raw) => zlib.zstdDecompressSync(raw),
};
