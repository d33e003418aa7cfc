/**
 * The gate: who is calling, and may they. Keys are verified from memory, allowances decided by the database; what is
 * taken and not answered with 200 is given back. Rules 1 to 9.
 */

import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import type { Crawler, DnsSuffix } from '../../domain/access/crawlers.ts';
import { CRAWLER_RATE_LIMIT } from '../../domain/access/plans.ts';
import type { KnownKey } from '../../store/keys/key-queries.ts';
import type { SpendOutcome } from '../../store/limits/key-limits.ts';
import { LimitsUnavailable } from '../../store/limits/limit-batch.ts';
import type { RateLimits } from '../../store/limits/limits.ts';
import type { CapDecision } from '../../store/limits/weekly-limits.ts';
import type { Answer } from '../response/answer.ts';
import { HandlerError } from '../response/failure.ts';
import { type Problem, problemAnswer } from '../response/problem.ts';
import { rateLimitHeaders } from '../response/rate-limit-headers.ts';
import {
  capRefusalStableMs,
  KEY_MISSING,
  KEY_REFUSED,
  KEY_UNVERIFIABLE,
  keyRateExceeded,
  minuteLimitExceeded,
  quotaExhausted,
  weeklyCapReached,
} from '../response/refusals.ts';
import type { AccessControl, AccessRequest, Caller, PreparedAnswer } from './access.ts';

/** What is known of a sent key: `null` = it is none of ours. */
type KeyLookup = KnownKey | null | 'unavailable';

export type AccessControlDependencies = {
  readonly keys: {
    find(sent: string): KeyLookup | Promise<KeyLookup>;
    /** Requests of a month (UTC, years × 12 + month) that are counted for a key, up to a second old. */
    used(id: number, month: number): number;
  };
  readonly limits: Pick<RateLimits, 'keys' | 'weekly' | 'minutes'>;
  /** Where a request comes from: the whole address, and the client it counts for. */
  readonly addressOf: (caller: Caller) => { readonly address: string; readonly client: string };
  readonly crawlerOf: (userAgent: string) => Crawler | null;
  /** Whether reverse DNS confirms that an address is that operator's. Never rejects. */
  readonly confirmCrawler: (address: string, suffixes: readonly DnsSuffix[]) => Promise<boolean>;
  readonly publicUrl: () => string;
  /** Epoch ms. */
  readonly clock: () => number;
};

/** What one request waits for the database, all its questions together; each of them is waited for less than that. */
const DATABASE_BUDGET_MS = 1_900;

/** Name of the limit among those by the minute. */
const CRAWLER_LIMIT = 'crawlers';

/** Puts a gate together. */
export function createAccessControl(parts: AccessControlDependencies): AccessControl {
  const answerWithKey = keyedAccess(parts);
  const answerAnonymous = anonymousAccess(parts);
  return (request) => {
    const sent = request.caller.headers['x-api-key'] as string | undefined;
    if (request.access.key === 'none') return answerOpen(request, sent, parts);
    if (sent !== undefined) {
      const found = parts.keys.find(sent);
      const startedAt = performance.now();
      return found instanceof Promise
        ? found.then((known) => answerWithKey(request, known, startedAt))
        : answerWithKey(request, found, startedAt);
    }
    return request.access.key === 'required' ? problemAnswer(KEY_MISSING, request.cors) : answerAnonymous(request);
  };
}

/** Endpoints for everybody. A valid key only adds its headers, as far as they are known without asking. Rule 2. */
function answerOpen(
  request: AccessRequest,
  sent: string | undefined,
  parts: AccessControlDependencies,
): Answer | Promise<Answer> {
  const { keys, clock } = parts;
  const answer = answerWithinMinuteLimit(request, parts);
  if (sent === undefined || request.cacheable) return answer;
  const known = keys.find(sent);
  if (known === null || known === 'unavailable' || known instanceof Promise) return answer;
  const now = clock();
  const extra = rateLimitHeaders(known.quota, keys.used(known.id, monthOf(now)), now);
  return answer instanceof Promise ? answer.then((done) => withHeaders(done, extra)) : withHeaders(answer, extra);
}

/** The answer for everybody, by the minute where the endpoint has such a limit. */
function answerWithinMinuteLimit(
  { access, caller, prepare, cors }: AccessRequest,
  { limits, addressOf }: AccessControlDependencies,
): Answer | Promise<Answer> {
  const prepared = prepare(null);
  const { minuteLimit } = access;
  if (minuteLimit === undefined) return 'answer' in prepared ? prepared.answer : prepared.work();
  const { name, perMinute } = minuteLimit;
  const waitMs = limits.minutes.take({ client: addressOf(caller).client, name, most: perMinute });
  // Rule 4: what is wrong in itself is told so, whether there is a place or not; rule 7: it counts.
  if ('answer' in prepared) return prepared.answer;
  const answerAfterWait = (wait: number) =>
    wait > 0 ? problemAnswer(minuteLimitExceeded(perMinute, wait), cors) : prepared.work();
  return waitMs instanceof Promise ? waitMs.then(answerAfterWait) : answerAfterWait(waitMs);
}

/** As the database counts months. */
export function monthOf(now: number): number {
  const date = new Date(now);
  return date.getUTCFullYear() * 12 + date.getUTCMonth() + 1;
}

function withHeaders(answer: Answer, extra: readonly string[]): Answer {
  return { ...answer, extraHeaders: answer.extraHeaders === undefined ? extra : [...answer.extraHeaders, ...extra] };
}

function keyedAccess({ limits, publicUrl }: AccessControlDependencies) {
  const answerSpending = (
    request: AccessRequest,
    key: KnownKey,
    prepared: PreparedAnswer,
    spending: SpendOutcome,
    leftMs: number,
  ): Answer | Promise<Answer> => {
    if (spending.outcome === 'gone') return problemAnswer(KEY_REFUSED, request.cors);
    const { used, now } = spending;
    const refuse = (problem: Problem, remaining = used) =>
      withHeaders(problemAnswer(problem, request.cors), rateLimitHeaders(key.quota, remaining, now));
    const withQuotaHeaders = (settled: Answer) => withHeaders(settled, rateLimitHeaders(key.quota, used, now));
    // Rule 4: what is wrong in itself is told so before any limit. An answer that costs nothing keeps the pace, too.
    if (spending.outcome === 'too fast') {
      const isProblem = 'answer' in prepared && prepared.answer.status !== 200;
      return isProblem ? withQuotaHeaders(prepared.answer) : refuse(keyRateExceeded(spending.waitMs));
    }
    if ('answer' in prepared) return withQuotaHeaders(prepared.answer);
    if (spending.outcome === 'used up') return refuse(quotaExhausted(key.quota, now, publicUrl()), key.quota);
    const { counted } = spending;
    const refund = async () => {
      if (!request.access.quota) return rateLimitHeaders(key.quota, used, now);
      await settledWithin(leftMs, limits.keys.refund(key.id, counted));
      return rateLimitHeaders(key.quota, used - 1, now);
    };
    return handleOutcome(prepared.work, {
      succeeded: withQuotaHeaders,
      refused: async (answer) => withHeaders(answer, await refund()),
      failed: async (error) => {
        throw new HandlerError(error, await refund());
      },
    });
  };
  return (request: AccessRequest, found: KeyLookup, startedAt: number): Answer | Promise<Answer> => {
    if (found === null) return problemAnswer(KEY_REFUSED, request.cors);
    if (found === 'unavailable') return problemAnswer(KEY_UNVERIFIABLE, request.cors);
    const prepared = request.prepare(found);
    const spending = limits.keys.spend(found, request.access.quota && 'work' in prepared);
    if (!(spending instanceof Promise))
      return answerSpending(request, found, prepared, spending, remainingSince(startedAt));
    return spending.then(
      (decided) => answerSpending(request, found, prepared, decided, remainingSince(startedAt)),
      (error) => {
        if (error instanceof LimitsUnavailable) return problemAnswer(KEY_UNVERIFIABLE, request.cors);
        throw error;
      },
    );
  };
}

function anonymousAccess(parts: AccessControlDependencies) {
  const { limits, addressOf, crawlerOf, publicUrl } = parts;
  const refuseByCap = createCapRefusals(publicUrl);
  return (request: AccessRequest): Answer | Promise<Answer> => {
    const { access, caller, prepare, path, cors } = request;
    const prepared = prepare(null);
    const cap = access.withoutKey.weeklyCap;
    if (cap === false) return 'answer' in prepared ? prepared.answer : prepared.work();
    const userAgent = caller.headers['user-agent'];
    const crawler = userAgent === undefined ? null : crawlerOf(userAgent);
    const minute = (client: string, leftMs?: number) =>
      limits.minutes.take({ client, name: CRAWLER_LIMIT, most: CRAWLER_RATE_LIMIT.perMinute }, leftMs);
    if ('answer' in prepared) {
      // Rule 7: what is refused for another reason counts, too.
      if (crawler !== null && cap.crawlers === 'named') void minute(addressOf(caller).client);
      return prepared.answer;
    }
    const { address, client } = addressOf(caller);
    const startedAt = performance.now();
    const answerAsCrawler = async () => {
      const wait = await minute(client, remainingSince(startedAt));
      return wait > 0 ? problemAnswer(minuteLimitExceeded(CRAWLER_RATE_LIMIT.perMinute, wait), cors) : prepared.work();
    };
    if (crawler !== null && cap.crawlers === 'named') return answerAsCrawler();
    const visit = { client, endpoint: path };
    const answerDecision = ({ accepted, since, now, validForMs = 0 }: CapDecision) => {
      if (accepted) {
        if (crawler !== null && crawler.suffixes.length > 0) void minute(client);
        const leftMs = remainingSince(startedAt);
        const refund = () => settledWithin(leftMs, limits.weekly.refund(visit, since));
        return handleOutcome(prepared.work, {
          succeeded: (answer) => answer,
          refused: (answer) => refund().then(() => answer),
          failed: async (error) => {
            await refund();
            throw error;
          },
        });
      }
      if (crawler === null || crawler.suffixes.length === 0) return refuseByCap({ since, now, validForMs }, cors);
      const confirmed = withTimeout(remainingSince(startedAt), parts.confirmCrawler(address, crawler.suffixes)).catch(
        () => false,
      );
      return confirmed.then((confirmed) =>
        confirmed ? answerAsCrawler() : problemAnswer(weeklyCapReached(since, now, publicUrl()), cors),
      );
    };
    const decision = limits.weekly.take(visit);
    return decision instanceof Promise ? decision.then(answerDecision) : answerDecision(decision);
  };
}

/** How long the database may still be waited for. */
const remainingSince = (startedAt: number): number => startedAt + DATABASE_BUDGET_MS - performance.now();

/** Waits until it is done, or so long; what is late goes on. */
const settledWithin = (ms: number, done: Promise<unknown>): Promise<unknown> =>
  withTimeout(ms, done).catch(() => undefined);

/** Acceptances whose refusals are kept: each for the second in which it stays the same. */
const MAX_CACHED_REFUSALS = 1_000;

/** Makes refusals by the weekly cap, once a second for each acceptance, on however many connections it is asked for. */
function createCapRefusals(publicUrl: () => string) {
  const cache = new BoundedMap<{ readonly from: number; readonly until: number; readonly answer: Answer }>(
    MAX_CACHED_REFUSALS,
  );
  return function refuse({ since, now, validForMs }: Required<Omit<CapDecision, 'accepted'>>, cors: boolean): Answer {
    const name = `${since} ${cors}`;
    const known = cache.get(name);
    if (known !== undefined && now >= known.from && now < known.until) return known.answer;
    const stableMs = capRefusalStableMs(since, now);
    const at = performance.now();
    const next = () => {
      const passed = performance.now() - at;
      return passed < validForMs ? refuse({ since, now: now + passed, validForMs: validForMs - passed }, cors) : null;
    };
    const answer: Answer = {
      ...problemAnswer(weeklyCapReached(since, now, publicUrl()), cors),
      repeatable: { until: at + stableMs, next },
    };
    cache.set(name, { from: now, until: now + stableMs, answer });
    return answer;
  };
}

type OutcomeHandlers = {
  readonly succeeded: (answer: Answer) => Answer;
  /**
   * Another answer than 200: told when what was taken for it is given back, so that the next request finds it there. A
   * slow database is not waited for.
   */
  readonly refused: (answer: Answer) => Promise<Answer>;
  readonly failed: (error: unknown) => Promise<never>;
};

/** Does the work and looks at its answer, be it given at once, later or never. */
function handleOutcome(
  work: () => Answer | Promise<Answer>,
  { succeeded, refused, failed }: OutcomeHandlers,
): Answer | Promise<Answer> {
  const dispatch = (answer: Answer) => (answer.status === 200 ? succeeded(answer) : refused(answer));
  try {
    const answer = work();
    return answer instanceof Promise ? answer.then(dispatch, failed) : dispatch(answer);
  } catch (error) {
    return failed(error);
  }
}
