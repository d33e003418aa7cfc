/** Sends hostile requests, checks the answers, and reports each failure repeatably and with the shortest request. */
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONNECTION_LIMITS } from '../../../src/api/http/connection/connection-limits.ts';
import { addressOf } from './callers.ts';
import { exhaustiveRequests } from './exhaustive-requests.ts';
import { hostileRequest } from './hostile-requests.ts';
import type { Json, KnownValues, Operation } from './operations.ts';
import { operationsOf } from './operations.ts';
import type { HostileRequest } from './request-draft.ts';
import {
  ContractViolation,
  createJudge,
  type JudgedAnswer,
  OUTAGE,
  type ResponseJudge,
  shown,
} from './response-oracle.ts';

export type AttackTarget = {
  readonly port: number;
  readonly document: Json;
  readonly known: KnownValues;
  /** What is attacked; the operations of the document if left out. */
  readonly operations?: readonly Operation[];
};

export type RequestAttackPlan = {
  readonly seed: number;
  /** Numbers of the first request and of the one after the last. The exhaustive ones come first, whatever the seed. */
  readonly from: number;
  readonly to: number;
  readonly connections: number;
  /** Called regularly with the number of requests sent; the attack ends when it returns `false`. */
  readonly progress?: (sent: number) => boolean;
};

export type RequestAttackOutcome = {
  readonly sent: number;
  /** How often each status was received, and each kind was sent. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly kinds: ReadonlyMap<string, number>;
  /** How many 200 or 201 answers each operation of the document returned. */
  readonly worked: ReadonlyMap<string, number>;
  /** Requests answered 503 and then correctly on a retry. */
  readonly retried: number;
  /** Messages, each with the data to repeat the failure. */
  readonly failures: readonly string[];
};

/** An exchange that takes longer hangs, even on a slow machine: the service refuses half a request after its limit. */
const DEADLINE_MS = CONNECTION_LIMITS.requestMs + CONNECTION_LIMITS.checkIntervalMs + 60_000;
const MAX_FAILURES = 20;
const PROGRESS_EVERY = 5_000;
const MAX_SHRINK_TRIES = 150;
/**
 * 503 is the correct answer while the database is slow, as on a busy machine, and says to retry. A request that is
 * still answered 503 after half a minute counts as a failure.
 */
const MAX_TRIES = 100;
const RETRY_DELAY_MS = 300;
/** No hostile request uses an address from this one on. */
const FIRST_PLAIN = 0xcb_00_71_00;

let plainRequestCount = 0;

/** Sends the planned requests, several at once: exhaustive ones first, then random ones; checks every answer. */
export async function runRequestAttack(
  target: AttackTarget,
  { seed, from, to, connections, progress }: RequestAttackPlan,
): Promise<RequestAttackOutcome> {
  const { operations = operationsOf(target.document) } = target;
  const judge = createJudge(target.document, operations);
  const exhaustive = exhaustiveRequests(operations, target.known);
  const statuses = new Map<number, number>();
  const kinds = new Map<string, number>();
  const worked = new Map(operations.map(({ method, template }) => [`${method} ${template}`, 0]));
  const failures: string[] = [];
  let retried = 0;
  let next = from;
  let running = true;
  const sendNumber = async (number: number) => {
    const hostile = exhaustive[number] ?? hostileRequest(operations, target.known, seed, number);
    count(kinds, hostile.kind);
    try {
      const { answers, tries } = await sendWithRetries(target.port, hostile, judge);
      if (tries > 1) retried += 1;
      for (const { status, operation } of answers) {
        count(statuses, status);
        if (operation !== null && (status === 200 || status === 201)) count(worked, operation);
      }
    } catch (error) {
      if (!(error instanceof ContractViolation)) throw error;
      failures.push(await failureReport(target.port, hostile, judge, error, `seed ${seed}, number ${number}`));
    }
  };
  const worker = async () => {
    while (running && next < to && failures.length < MAX_FAILURES) {
      const number = next;
      next += 1;
      await sendNumber(number);
      if ((number - from + 1) % PROGRESS_EVERY === 0 && progress?.(number - from + 1) === false) running = false;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return { sent: next - from, statuses, kinds, worked, retried, failures };
}

/** Answers to plain requests, which must be the same before and after an attack; without dates, lengths and ages. */
export async function plainAnswers({ port, document, known }: AttackTarget): Promise<string[]> {
  const answers: string[] = [];
  for (const { method, template } of operationsOf(document).filter((each) => each.method === 'GET')) {
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(known[name]?.[0] ?? 'x'));
    const from = `X-Forwarded-For: ${addressOf(FIRST_PLAIN + plainRequestCount)}`;
    plainRequestCount += 1;
    const bytes = Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${from}\r\nConnection: close\r\n\r\n`);
    const received = await receiveServed(port, bytes);
    answers.push(received.replaceAll(/^(Date|Content-Length): .*$/gm, '').replaceAll(/"vechime\w*":\d+/g, ''));
  }
  return answers;
}

/** Sends one request, and repeats it while the answer is 503; returns the answer. */
async function receiveServed(port: number, bytes: Buffer): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const { received } = await exchange(port, { bytes, halfClose: false });
    const text = received.toString();
    if (!text.startsWith('HTTP/1.1 503') || tries === MAX_TRIES) return text;
    await sleep(RETRY_DELAY_MS);
  }
}

async function sendWithRetries(
  port: number,
  hostile: HostileRequest,
  judge: ResponseJudge,
): Promise<{ answers: JudgedAnswer[]; tries: number }> {
  for (let tries = 1; ; tries += 1) {
    try {
      return { answers: await sendOnce(port, hostile, judge), tries };
    } catch (error) {
      if (!(error instanceof ContractViolation) || error.rule !== OUTAGE || tries === MAX_TRIES) throw error;
      await sleep(RETRY_DELAY_MS);
    }
  }
}

async function sendOnce(port: number, hostile: HostileRequest, judge: ResponseJudge): Promise<JudgedAnswer[]> {
  const { received, broken } = await exchange(port, hostile);
  if (broken === 'deadline')
    throw new ContractViolation('deadline', `nothing more arrived after ${shown(received, 200)}`);
  if (broken !== null && received.length === 0) throw new ContractViolation('connection', `${broken} and no answer`);
  return judge(hostile, received);
}

/** Writes all bytes, and reads until the server ends the connection. */
function exchange(
  port: number,
  { bytes, halfClose }: Pick<HostileRequest, 'bytes' | 'halfClose'>,
): Promise<{ received: Buffer; broken: string | null }> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let broken: string | null = null;
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const deadline = setTimeout(() => {
      broken = 'deadline';
      socket.destroy();
    }, DEADLINE_MS);
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('end', () => socket.end());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      broken ??= error.code ?? error.message;
    });
    socket.on('close', () => {
      clearTimeout(deadline);
      resolve({ received: Buffer.concat(parts), broken });
    });
    if (halfClose) socket.end(bytes);
    else socket.write(bytes);
  });
}

async function failureReport(
  port: number,
  hostile: HostileRequest,
  judge: ResponseJudge,
  violation: ContractViolation,
  about: string,
): Promise<string> {
  const shortest = await shrink(port, hostile, judge, violation.rule);
  const cut = shortest.length < hostile.bytes.length ? `\n  shorter: ${shown(shortest, 2_000)}` : '';
  const close = hostile.halfClose ? ', then the end of the stream' : '';
  return `${violation.message}\n  ${about}, ${hostile.kind}${close}\n  sent: ${shown(hostile.bytes, 2_000)}${cut}`;
}

/** Removes ever smaller pieces of the request as long as the answer breaks the same rule. */
async function shrink(port: number, hostile: HostileRequest, judge: ResponseJudge, rule: string): Promise<Buffer> {
  const { statuses: _, ...general } = hostile;
  const fails = async (bytes: Buffer) => {
    try {
      await sendOnce(port, { ...general, bytes, halfClose: true }, judge);
      return false;
    } catch (error) {
      return error instanceof ContractViolation && error.rule === rule;
    }
  };
  let { bytes } = hostile;
  let tries = ['deadline', 'expected', 'count'].includes(rule) ? MAX_SHRINK_TRIES : 0;
  for (let size = bytes.length >> 1; size >= 1 && tries < MAX_SHRINK_TRIES; size >>= 1) {
    for (let at = 0; at < bytes.length && tries < MAX_SHRINK_TRIES; tries += 1) {
      const without = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]);
      if (await fails(without)) bytes = without;
      else at += size;
    }
  }
  return bytes;
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
