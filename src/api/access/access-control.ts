/**
 * Access control: who sends a request, and whether the limits allow it. Verifies keys from memory and lets the database
 * decide on limits; refunds a request whose answer is not 200, or is not counted. Rules 1 to 9.
 */

import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import type { Crawler, DnsSuffix } from '../../domain/access/crawlers.ts';
import { CRAWLER_RATE_LIMIT } from '../../domain/access/request-limits.ts';
import type { KeyLookupResult } from '../../store/keys/key-cache.ts';
import type { KnownKey } from '../../store/keys/key-queries.ts';
import type { KeyDecision, KeyLimits } from '../../store/limits/key-limits.ts';
import { LimitsUnavailable } from '../../store/limits/limit-batch.ts';
import type { MinuteLimits } from '../../store/limits/minute-limits.ts';
import type { CapDecision, WeeklyCap } from '../../store/limits/weekly-cap.ts';
import type { Caller } from '../request/caller.ts';
import type { Answer } from '../response/answer.ts';
import { HandlerError } from '../response/failure.ts';
import { type Problem, problemAnswer } from '../response/problem.ts';
import { rateLimitHeaders } from '../response/rate-limit-headers.ts';
import {
  capRefusalStableMs,
  KEY_MISSING,
  KEY_REFUSED,
  KEY_UNVERIFIABLE,
  keyClosed,
  keyRateExceeded,
  minuteLimitExceeded,
  quotaExhausted,
  weeklyCapReached,
} from '../response/refusals.ts';
import type { AccessControl, AccessRequest, PreparedAnswer } from './access-rules.ts';

export type AccessControlDependencies = {
  readonly keys: {
    find(sent: string): KeyLookupResult | Promise<KeyLookupResult>;
    /** The key as this process knows it, without a query; `undefined` = it does not. */
    known(sent: string): Exclude<KeyLookupResult, 'unavailable'> | undefined;
    /** A key's counted requests in a month (UTC, year × 12 + month), as of at most a second ago. */
    used(id: number, month: number): number;
  };
  readonly limits: {
    readonly keys: Pick<KeyLimits, 'tryTake' | 'refund'>;
    readonly weekly: Pick<WeeklyCap, 'tryTake' | 'refund'>;
    readonly minutes: Pick<MinuteLimits, 'tryTake'>;
  };
  /** Where a request comes from: the whole address, and the client that limits count it for. */
  readonly addressOf: (caller: Caller) => { readonly address: string; readonly client: string };
  readonly crawlerOf: (userAgent: string) => Crawler | null;
  /** Whether reverse DNS confirms that an address belongs to the crawler's operator. Never rejects. */
  readonly confirmCrawler: (address: string, suffixes: readonly DnsSuffix[]) => Promise<boolean>;
  readonly publicUrl: () => string;
  /** Epoch ms. */
  readonly clock: () => number;
};

/** How long one request may wait for the database and reverse DNS in all; each single wait is shorter. */
const WAIT_BUDGET_MS = 1_900;

/** The name of the crawlers' limit among the per-minute limits. */
const CRAWLER_LIMIT_NAME = 'crawlers';

/** Creates the access control of a service. */
export function createAccessControl(dependencies: AccessControlDependencies): AccessControl {
  const answerWithKey = keyedAccess(dependencies);
  const answerAnonymous = anonymousAccess(dependencies);
  return (request) => {
    const sent = request.caller.headers['x-api-key'] as string | undefined;
    if (request.access.key === 'none') return answerPublicEndpoint(request, sent, dependencies);
    if (sent !== undefined) {
      const found = dependencies.keys.find(sent);
      const startedAt = performance.now();
      return found instanceof Promise
        ? found.then((known) => answerWithKey(request, known, startedAt))
        : answerWithKey(request, found, startedAt);
    }
    return request.access.key === 'required' ? problemAnswer(KEY_MISSING, request.cors) : answerAnonymous(request);
  };
}

/** Endpoints that need no key. A valid key only adds its headers, if this process knows them already. Rule 2. */
function answerPublicEndpoint(
  request: AccessRequest,
  sent: string | undefined,
  dependencies: AccessControlDependencies,
): Answer | Promise<Answer> {
  const { keys, clock } = dependencies;
  const answer = answerWithinMinuteLimit(request, dependencies);
  if (sent === undefined || request.cacheable) return answer;
  const known = keys.known(sent);
  if (known === undefined || known === null || 'closed' in known) return answer;
  const now = clock();
  const extra = rateLimitHeaders(known.quota, keys.used(known.id, monthOf(now)), now);
  return answer instanceof Promise ? answer.then((done) => withHeaders(done, extra)) : withHeaders(answer, extra);
}

/** Answers within the endpoint's per-minute limit, if it has one. */
function answerWithinMinuteLimit(
  { access, caller, prepare, cors }: AccessRequest,
  { limits, addressOf }: AccessControlDependencies,
): Answer | Promise<Answer> {
  const prepared = prepare(null);
  const { minuteLimit } = access;
  if (minuteLimit === undefined) return 'answer' in prepared ? prepared.answer : prepared.work();
  const { name, perMinute } = minuteLimit;
  const waitMs = limits.minutes.tryTake({ client: addressOf(caller).client, name, maxRequests: perMinute });
  // An invalid request gets its own error, whatever the limit says (rule 4), and counts (rule 7).
  if ('answer' in prepared) return prepared.answer;
  const answerAfterWait = (wait: number) =>
    wait > 0 ? problemAnswer(minuteLimitExceeded(perMinute, wait), cors) : prepared.work();
  return waitMs instanceof Promise ? waitMs.then(answerAfterWait) : answerAfterWait(waitMs);
}

/** The month of an instant as the database counts it: year × 12 + month, UTC. */
export function monthOf(now: number): number {
  const date = new Date(now);
  return date.getUTCFullYear() * 12 + date.getUTCMonth() + 1;
}

function withHeaders(answer: Answer, extra: readonly string[]): Answer {
  return { ...answer, extraHeaders: answer.extraHeaders === undefined ? extra : [...answer.extraHeaders, ...extra] };
}

function keyedAccess({ limits, publicUrl }: AccessControlDependencies) {
  const answerDecision = (
    request: AccessRequest,
    key: KnownKey,
    prepared: PreparedAnswer,
    decision: KeyDecision,
    leftMs: number,
  ): Answer | Promise<Answer> => {
    if (decision.outcome === 'unknown key') return problemAnswer(KEY_REFUSED, request.cors);
    const { used, now } = decision;
    const refuse = (problem: Problem, shownUsed = used) =>
      withHeaders(problemAnswer(problem, request.cors), rateLimitHeaders(key.quota, shownUsed, now));
    const withQuotaHeaders = (answer: Answer) => withHeaders(answer, rateLimitHeaders(key.quota, used, now));
    // An invalid request gets its own error before any limit (rule 4). A free answer still counts towards the
    // rate limit.
    if (decision.outcome === 'rate limited') {
      const isProblem = 'answer' in prepared && prepared.answer.status !== 200;
      return isProblem ? withQuotaHeaders(prepared.answer) : refuse(keyRateExceeded(decision.waitMs));
    }
    if ('answer' in prepared) return withQuotaHeaders(prepared.answer);
    if (decision.outcome === 'quota exhausted') return refuse(quotaExhausted(key, now, publicUrl()), key.quota);
    const { countedIn } = decision;
    const refund = async () => {
      if (!request.access.quota) return rateLimitHeaders(key.quota, used, now);
      await settledWithin(leftMs, limits.keys.refund(key.id, countedIn));
      return rateLimitHeaders(key.quota, used - 1, now);
    };
    return handleOutcome(prepared, {
      succeeded: withQuotaHeaders,
      refused: async (answer) => withHeaders(answer, await refund()),
      failed: async (error) => {
        throw new HandlerError(error, await refund());
      },
    });
  };
  return (request: AccessRequest, found: KeyLookupResult, startedAt: number): Answer | Promise<Answer> => {
    if (found === null) return problemAnswer(KEY_REFUSED, request.cors);
    if (found === 'unavailable') return problemAnswer(KEY_UNVERIFIABLE, request.cors);
    if ('closed' in found) return problemAnswer(keyClosed(found.closed, publicUrl()), request.cors);
    const prepared = request.prepare(found);
    const decision = limits.keys.tryTake(found, request.access.quota && 'work' in prepared);
    if (!(decision instanceof Promise))
      return answerDecision(request, found, prepared, decision, remainingSince(startedAt));
    return decision.then(
      (decided) => answerDecision(request, found, prepared, decided, remainingSince(startedAt)),
      (error) => {
        if (error instanceof LimitsUnavailable) return problemAnswer(KEY_UNVERIFIABLE, request.cors);
        throw error;
      },
    );
  };
}

function anonymousAccess({ limits, addressOf, crawlerOf, confirmCrawler, publicUrl }: AccessControlDependencies) {
  const refuseByCap = createCapRefusals(publicUrl);
  return (request: AccessRequest): Answer | Promise<Answer> => {
    const { access, caller, prepare, path, cors } = request;
    const prepared = prepare(null);
    const cap = access.withoutKey.weeklyCap;
    if (cap === false) return 'answer' in prepared ? prepared.answer : prepared.work();
    const userAgent = caller.headers['user-agent'];
    const crawler = userAgent === undefined ? null : crawlerOf(userAgent);
    const takeCrawlerSlot = (client: string, leftMs?: number) =>
      limits.minutes.tryTake({ client, name: CRAWLER_LIMIT_NAME, maxRequests: CRAWLER_RATE_LIMIT.perMinute }, leftMs);
    if ('answer' in prepared) {
      // A request that is refused for another reason counts, too (rule 7).
      if (crawler !== null && cap.crawlerExemption === 'by user agent') void takeCrawlerSlot(addressOf(caller).client);
      return prepared.answer;
    }
    const { address, client } = addressOf(caller);
    const startedAt = performance.now();
    const crawlerAnswer = async () => {
      const wait = await takeCrawlerSlot(client, remainingSince(startedAt));
      return wait > 0 ? problemAnswer(minuteLimitExceeded(CRAWLER_RATE_LIMIT.perMinute, wait), cors) : prepared.work();
    };
    if (crawler !== null && cap.crawlerExemption === 'by user agent') return crawlerAnswer();
    const cappedRequest = { client, endpoint: path };
    const answerDecision = ({ accepted, acceptedAt, now, validForMs = 0 }: CapDecision) => {
      if (accepted) {
        if (crawler !== null && crawler.suffixes.length > 0) void takeCrawlerSlot(client);
        const leftMs = remainingSince(startedAt);
        const refund = () => settledWithin(leftMs, limits.weekly.refund(cappedRequest, acceptedAt));
        return handleOutcome(prepared, {
          succeeded: (answer) => answer,
          refused: (answer) => refund().then(() => answer),
          failed: async (error) => {
            await refund();
            throw error;
          },
        });
      }
      if (crawler === null || crawler.suffixes.length === 0) return refuseByCap({ acceptedAt, now, validForMs }, cors);
      const confirmed = withTimeout(remainingSince(startedAt), confirmCrawler(address, crawler.suffixes)).catch(
        () => false,
      );
      return confirmed.then((confirmed) =>
        confirmed ? crawlerAnswer() : problemAnswer(weeklyCapReached(acceptedAt, now, publicUrl()), cors),
      );
    };
    const decision = limits.weekly.tryTake(cappedRequest);
    return decision instanceof Promise ? decision.then(answerDecision) : answerDecision(decision);
  };
}

/** How long the request may still wait for the database and reverse DNS. */
const remainingSince = (startedAt: number): number => startedAt + WAIT_BUDGET_MS - performance.now();

/** Waits for the work, at most `ms`; late work continues. */
const settledWithin = (ms: number, done: Promise<unknown>): Promise<unknown> =>
  withTimeout(ms, done).catch(() => undefined);

/** Maximum number of cached refusals, each valid for the second in which it stays the same. */
const MAX_CACHED_REFUSALS = 1_000;

/** Builds refusals by the weekly cap: once a second per acceptance, whatever the number of connections. */
function createCapRefusals(publicUrl: () => string) {
  const cache = new BoundedMap<{ readonly from: number; readonly until: number; readonly answer: Answer }>(
    MAX_CACHED_REFUSALS,
  );
  return function refuse(
    { acceptedAt, now, validForMs }: Required<Omit<CapDecision, 'accepted'>>,
    cors: boolean,
  ): Answer {
    const name = `${acceptedAt} ${cors}`;
    const known = cache.get(name);
    if (known !== undefined && now >= known.from && now < known.until) return known.answer;
    const stableMs = capRefusalStableMs(acceptedAt, now);
    const at = performance.now();
    const next = () => {
      const passed = performance.now() - at;
      return passed < validForMs
        ? refuse({ acceptedAt, now: now + passed, validForMs: validForMs - passed }, cors)
        : null;
    };
    const answer: Answer = {
      ...problemAnswer(weeklyCapReached(acceptedAt, now, publicUrl()), cors),
      repeatable: { until: at + stableMs, next },
    };
    cache.set(name, { from: now, until: now + stableMs, answer });
    return answer;
  };
}

type OutcomeHandlers = {
  readonly succeeded: (answer: Answer) => Answer;
  /**
   * An answer that is not counted: resolves after the refund, so that the next request finds it made, but does not wait
   * for a slow database.
   */
  readonly refused: (answer: Answer) => Promise<Answer>;
  readonly failed: (error: unknown) => Promise<never>;
};

/** Runs the work and passes its outcome to a handler, whether it returns, resolves, throws or rejects. */
function handleOutcome(
  { work, isCounted }: Extract<PreparedAnswer, { readonly work: unknown }>,
  { succeeded, refused, failed }: OutcomeHandlers,
): Answer | Promise<Answer> {
  const dispatch = (answer: Answer) => (answer.status === 200 && isCounted ? succeeded(answer) : refused(answer));
  try {
    const answer = work();
    return answer instanceof Promise ? answer.then(dispatch, failed) : dispatch(answer);
  } catch (error) {
    return failed(error);
  }
}
