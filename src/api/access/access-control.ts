/**
 * The gate: who is calling, and may they. Keys are verified from memory, allowances decided by the database; what is
 * taken and not answered with 200 is given back. Decisions 1 to 9.
 */

import { inTime, Undecided } from '../../concurrency/batch.ts';
import { Memory } from '../../concurrency/bounded-map.ts';
import type { Crawler, DnsSuffix } from '../../domain/access/crawlers.ts';
import { CRAWLER_PACE } from '../../domain/access/plans.ts';
import type { KnownKey } from '../../store/keys/key-queries.ts';
import type { Spending } from '../../store/limits/key-limits.ts';
import type { Allowances } from '../../store/limits/limits.ts';
import type { Welcome } from '../../store/limits/weekly-limits.ts';
import type { Answer } from '../response/answer.ts';
import { type Problem, refusal } from '../response/problem.ts';
import { rateHeaders } from '../response/rate-headers.ts';
import {
  capped,
  cappedAlikeMs,
  KEY_MISSING,
  KEY_REFUSED,
  KEY_UNVERIFIABLE,
  tooFast,
  tooManyAMinute,
  usedUp,
} from '../response/refusals.ts';
import { Broken } from '../response/responder.ts';
import type { Asked, Caller, Gate, Plan } from './access.ts';

/** What is known of a sent key: `null` = it is none of ours. */
type Found = KnownKey | null | 'unavailable';

export type GateParts = {
  readonly keys: {
    find(sent: string): Found | Promise<Found>;
    /** Requests of a month (UTC, years × 12 + month) that are counted for a key, up to a second old. */
    used(id: number, month: number): number;
  };
  readonly allowances: Pick<Allowances, 'keys' | 'weekly' | 'minutes'>;
  /** Where a request comes from: the whole address, and the client it counts for. */
  readonly addressOf: (caller: Caller) => { readonly address: string; readonly client: string };
  readonly crawlerOf: (userAgent: string) => Crawler | null;
  /** Whether reverse DNS confirms that an address is that operator's. Never rejects. */
  readonly confirms: (address: string, suffixes: readonly DnsSuffix[]) => Promise<boolean>;
  readonly publicUrl: () => string;
  /** Epoch ms. */
  readonly clock: () => number;
};

/** What one request waits for the database, all its questions together; each of them is waited for less than that. */
const DATABASE_MS = 1_900;

/** Name of the limit among those by the minute. */
const CRAWLERS = 'crawlers';

/** Puts a gate together. */
export function createGate(parts: GateParts): Gate {
  const keyed = keyGate(parts);
  const visitor = visitorGate(parts);
  return (asked) => {
    const sent = asked.caller.headers['x-api-key'] as string | undefined;
    if (asked.access.key === 'none') return openGate(asked, sent, parts);
    if (sent !== undefined) {
      const found = parts.keys.find(sent);
      const begun = performance.now();
      return found instanceof Promise ? found.then((known) => keyed(asked, known, begun)) : keyed(asked, found, begun);
    }
    return asked.access.key === 'required' ? refusal(KEY_MISSING, asked.cors) : visitor(asked);
  };
}

/** Endpoints for everybody. A valid key only adds its headers, as far as they are known without asking. Decision 2. */
function openGate(asked: Asked, sent: string | undefined, parts: GateParts): Answer | Promise<Answer> {
  const { keys, clock } = parts;
  const answer = paced(asked, parts);
  if (sent === undefined || asked.cacheable) return answer;
  const known = keys.find(sent);
  if (known === null || known === 'unavailable' || known instanceof Promise) return answer;
  const now = clock();
  const extra = rateHeaders(known.quota, keys.used(known.id, monthOf(now)), now);
  return answer instanceof Promise ? answer.then((done) => withHeaders(done, extra)) : withHeaders(answer, extra);
}

/** The answer for everybody, by the minute where the endpoint has such a limit. */
function paced({ access, caller, plan, cors }: Asked, { allowances, addressOf }: GateParts): Answer | Promise<Answer> {
  const planned = plan(null);
  const { pace } = access;
  if (pace === undefined) return 'settled' in planned ? planned.settled : planned.work();
  const { name, perMinute } = pace;
  const taken = allowances.minutes.take({ client: addressOf(caller).client, name, most: perMinute });
  // Decision 4: what is wrong in itself is told so, whether there is a place or not; decision 7: it counts.
  if ('settled' in planned) return planned.settled;
  const go = (wait: number) => (wait > 0 ? refusal(tooManyAMinute(perMinute, wait), cors) : planned.work());
  return taken instanceof Promise ? taken.then(go) : go(taken);
}

/** As the database counts months. */
export function monthOf(now: number): number {
  const date = new Date(now);
  return date.getUTCFullYear() * 12 + date.getUTCMonth() + 1;
}

function withHeaders(answer: Answer, extra: readonly string[]): Answer {
  return { ...answer, extra: answer.extra === undefined ? extra : [...answer.extra, ...extra] };
}

function keyGate({ allowances, publicUrl }: GateParts) {
  const settle = (
    asked: Asked,
    key: KnownKey,
    planned: Plan,
    spending: Spending,
    leftMs: number,
  ): Answer | Promise<Answer> => {
    if (spending.outcome === 'gone') return refusal(KEY_REFUSED, asked.cors);
    const { used, now } = spending;
    const refuse = (problem: Problem, remaining = used) =>
      withHeaders(refusal(problem, asked.cors), rateHeaders(key.quota, remaining, now));
    const told = (settled: Answer) => withHeaders(settled, rateHeaders(key.quota, used, now));
    // Decision 4: what is wrong in itself is told so before any limit. An answer that costs nothing keeps the pace, too.
    if (spending.outcome === 'too fast') {
      const wrong = 'settled' in planned && planned.settled.status !== 200;
      return wrong ? told(planned.settled) : refuse(tooFast(spending.waitMs));
    }
    if ('settled' in planned) return told(planned.settled);
    if (spending.outcome === 'used up') return refuse(usedUp(key.quota, now, publicUrl()), key.quota);
    const { counted } = spending;
    const giveBack = async () => {
      if (!asked.access.quota) return rateHeaders(key.quota, used, now);
      await forAWhile(leftMs, allowances.keys.giveBack(key.id, counted));
      return rateHeaders(key.quota, used - 1, now);
    };
    return whenDone(planned.work, {
      well: told,
      otherwise: async (answer) => withHeaders(answer, await giveBack()),
      broken: async (error) => {
        throw new Broken(error, await giveBack());
      },
    });
  };
  return (asked: Asked, found: Found, begun: number): Answer | Promise<Answer> => {
    if (found === null) return refusal(KEY_REFUSED, asked.cors);
    if (found === 'unavailable') return refusal(KEY_UNVERIFIABLE, asked.cors);
    const planned = asked.plan(found);
    const spending = allowances.keys.spend(found, asked.access.quota && 'work' in planned);
    if (!(spending instanceof Promise)) return settle(asked, found, planned, spending, leftSince(begun));
    return spending.then(
      (decided) => settle(asked, found, planned, decided, leftSince(begun)),
      (error) => {
        if (error instanceof Undecided) return refusal(KEY_UNVERIFIABLE, asked.cors);
        throw error;
      },
    );
  };
}

function visitorGate(parts: GateParts) {
  const { allowances, addressOf, crawlerOf, publicUrl } = parts;
  const byCap = capRefusals(publicUrl);
  return (asked: Asked): Answer | Promise<Answer> => {
    const { access, caller, plan, path, cors } = asked;
    const planned = plan(null);
    const cap = access.withoutKey.weeklyCap;
    if (cap === false) return 'settled' in planned ? planned.settled : planned.work();
    const userAgent = caller.headers['user-agent'];
    const crawler = userAgent === undefined ? null : crawlerOf(userAgent);
    const minute = (client: string, leftMs?: number) =>
      allowances.minutes.take({ client, name: CRAWLERS, most: CRAWLER_PACE.perMinute }, leftMs);
    if ('settled' in planned) {
      // Decision 7: what is refused for another reason counts, too.
      if (crawler !== null && cap.crawlers === 'named') void minute(addressOf(caller).client);
      return planned.settled;
    }
    const { address, client } = addressOf(caller);
    const begun = performance.now();
    const byTheMinute = async () => {
      const wait = await minute(client, leftSince(begun));
      return wait > 0 ? refusal(tooManyAMinute(CRAWLER_PACE.perMinute, wait), cors) : planned.work();
    };
    if (crawler !== null && cap.crawlers === 'named') return byTheMinute();
    const visit = { client, endpoint: path };
    const welcomed = ({ accepted, since, now, standsMs = 0 }: Welcome) => {
      if (accepted) {
        if (crawler !== null && crawler.suffixes.length > 0) void minute(client);
        const leftMs = leftSince(begun);
        const giveBack = () => forAWhile(leftMs, allowances.weekly.giveBack(visit, since));
        return whenDone(planned.work, {
          well: (answer) => answer,
          otherwise: (answer) => giveBack().then(() => answer),
          broken: async (error) => {
            await giveBack();
            throw error;
          },
        });
      }
      if (crawler === null || crawler.suffixes.length === 0) return byCap({ since, now, standsMs }, cors);
      const confirmed = inTime(leftSince(begun), parts.confirms(address, crawler.suffixes)).catch(() => false);
      return confirmed.then((theirs) => (theirs ? byTheMinute() : refusal(capped(since, now, publicUrl()), cors)));
    };
    const welcome = allowances.weekly.visit(visit);
    return welcome instanceof Promise ? welcome.then(welcomed) : welcomed(welcome);
  };
}

/** How long the database may still be waited for. */
const leftSince = (begun: number): number => begun + DATABASE_MS - performance.now();

/** Waits until it is done, or so long; what is late goes on. */
const forAWhile = (ms: number, done: Promise<unknown>): Promise<unknown> => inTime(ms, done).catch(() => undefined);

/** Acceptances whose refusals are kept: each for the second in which it stays the same. */
const KEPT_REFUSALS = 1_000;

/** Makes refusals by the weekly cap, once a second for each acceptance, on however many connections it is asked for. */
function capRefusals(publicUrl: () => string) {
  const kept = new Memory<{ readonly from: number; readonly until: number; readonly answer: Answer }>(KEPT_REFUSALS);
  return function refused({ since, now, standsMs }: Required<Omit<Welcome, 'accepted'>>, cors: boolean): Answer {
    const name = `${since} ${cors}`;
    const known = kept.get(name);
    if (known !== undefined && now >= known.from && now < known.until) return known.answer;
    const alikeMs = cappedAlikeMs(since, now);
    const at = performance.now();
    const next = () => {
      const passed = performance.now() - at;
      return passed < standsMs ? refused({ since, now: now + passed, standsMs: standsMs - passed }, cors) : null;
    };
    const answer = { ...refusal(capped(since, now, publicUrl()), cors), same: { until: at + alikeMs, next } };
    kept.set(name, { from: now, until: now + alikeMs, answer });
    return answer;
  };
}

type Outcomes = {
  readonly well: (answer: Answer) => Answer;
  /**
   * Another answer than 200: told when what was taken for it is given back, so that the next request finds it there. A
   * slow database is not waited for.
   */
  readonly otherwise: (answer: Answer) => Promise<Answer>;
  readonly broken: (error: unknown) => Promise<never>;
};

/** Does the work and looks at its answer, be it given at once, later or never. */
function whenDone(
  work: () => Answer | Promise<Answer>,
  { well, otherwise, broken }: Outcomes,
): Answer | Promise<Answer> {
  const look = (answer: Answer) => (answer.status === 200 ? well(answer) : otherwise(answer));
  try {
    const answer = work();
    return answer instanceof Promise ? answer.then(look, broken) : look(answer);
  } catch (error) {
    return broken(error);
  }
}
