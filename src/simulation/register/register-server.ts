/** The simulated register on loopback: HTTP around its answers. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, gzipSync } from 'node:zlib';
import type { Country } from '../country/country.ts';
import { type BucharestTime, bucharestTime } from '../country/simulated-prices.ts';
import { countryContents } from './country-contents.ts';
import { type RegisterAnswer, RegisterAnswers } from './register-answers.ts';
import { type AnswerFormat, encodeAnswer } from './register-encoding.ts';

const BASE = '/pmonsvc/Gas';

export type RegisterServerOptions = {
  readonly country: Country;
  /** The current time, epoch ms. */
  readonly clock: () => number;
  readonly host?: string;
  /** 0 = any free port. */
  readonly port?: number;
};

export type SimulatedRegister = {
  /** The register's base address, as in `REGISTER_URL`. */
  readonly url: string;
  /** Sets the instant as of which the register answers, for backfills; `null` = its own clock. */
  setClock(instant: number | null): void;
  close(): Promise<void>;
};

/** Starts the register; resolves once it listens. */
export async function startSimulatedRegister(options: RegisterServerOptions): Promise<SimulatedRegister> {
  const { country, clock, host = '127.0.0.1', port = 0 } = options;
  const answers = new RegisterAnswers(countryContents(country));
  let fixed: number | null = null;
  const now = cachedByMinute(() => fixed ?? clock());
  const server = createServer((request, response) => respond(request, response, answers, now()));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}${BASE}`,
    setClock(instant) {
      fixed = instant;
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** Caches the local time for a minute: computing it costs 20 times as much as the rest of an answer. */
function cachedByMinute(instant: () => number): () => BucharestTime {
  let known = { minute: Number.NaN, moment: { day: 0, minute: 0 } };
  return () => {
    const at = instant();
    const minute = Math.floor(at / 60_000);
    if (minute !== known.minute) known = { minute, moment: bucharestTime(at) };
    return known.moment;
  };
}

function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answers: RegisterAnswers,
  moment: BucharestTime,
): void {
  const format = (request.headers.accept ?? '').includes('application/json') ? 'json' : 'xml';
  send(request, response, request.method === 'GET' ? answerTo(request, answers, moment) : NOT_GET, format);
}

const NOT_GET: RegisterAnswer = {
  status: 405,
  body: { Message: 'The requested resource does not support this http method.' },
  root: null,
};

function answerTo({ url = '/' }: IncomingMessage, answers: RegisterAnswers, moment: BucharestTime): RegisterAnswer {
  const isBelowBase = url.toLowerCase().startsWith(`${BASE}/`.toLowerCase());
  return answers.answerTo(isBelowBase ? url.slice(BASE.length + 1) : '', moment);
}

const SMALL_BODY = 1_000;

function send(request: IncomingMessage, response: ServerResponse, answer: RegisterAnswer, format: AnswerFormat): void {
  const { status, contentType, body: plain } = encodeAnswer(answer, format);
  const zip = plain.length > SMALL_BODY && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const body = zip ? gzipSync(plain, { level: constants.Z_BEST_SPEED }) : plain;
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': body.length,
    'cache-control': 'no-cache',
    ...(zip && { 'content-encoding': 'gzip' }),
  });
  response.end(body);
}
