/** Checks that the feed of changes keeps up with what is served, and the webhooks with the feed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_UNTOLD_MS, untoldSince } from '../../domain/changes/untold.ts';
import type { FeedProgress } from '../../store/changes/feed-progress.ts';
import type { WebhookStatus } from '../../store/webhooks/webhook-status.ts';
import { durationText, type Finding, fail, pass } from '../reports/finding.ts';

export type FeedCheck = {
  readonly read: () => Promise<FeedProgress>;
  readonly clock: () => number;
  /** Between two looks; 3 seconds unless given. */
  readonly pauseMs?: number;
};

/** What was published just now is told within this. */
const PAUSE_MS = 3_000;
/** Within which changes are promised to be posted to webhooks. */
const LATE_MS = 60_000;
const ADVICE = 'does a worker run, or serve with the embedded database? see its log';

/** Looks twice before it fails: a publication may be of an earlier moment than its commit. */
export async function feedFinding({ read, clock, pauseMs = PAUSE_MS }: FeedCheck): Promise<Finding> {
  const first = await read();
  let delayMs = delayOf(first, clock());
  if (delayMs > MAX_UNTOLD_MS) {
    await sleep(pauseMs);
    const second = await read();
    if (second.head?.states === first.head?.states) delayMs = delayOf(second, clock());
    else delayMs = 0;
  }
  const { head, published } = first;
  if (published.version === 0) return pass('changes', 'nothing is published yet');
  if (delayMs <= MAX_UNTOLD_MS) return pass('changes', `told up to publication ${head?.version ?? 0}`);
  const told = head === null ? 'nothing is told' : `told up to publication ${head.version} of ${published.version}`;
  return fail(
    'changes',
    `${told}; what is served differs from the feed for ${durationText(delayMs)}`,
    'is a worker running? Look for "changes of served prices cannot be told" in its log; the feed, Atom and webhooks wait for it',
  );
}

/** Warns of changes that wait to be posted. */
export function webhooksFinding(status: WebhookStatus): Finding {
  const { sending, paused, stopped, unverified, failing, oldestFailingAt, lateSince, now } = status;
  const check = 'webhooks';
  if (sending + paused + stopped + unverified === 0) return pass(check, 'none');
  const oldest = oldestFailingAt === null ? '' : `, the oldest for ${durationText(now - oldestFailingAt)}`;
  const detail = `${sending} sending, ${failing} of them failing${oldest}; ${stopped} stopped, ${paused} paused, ${unverified} not verified`;
  const lagMs = lateSince === null ? 0 : now - lateSince;
  if (lagMs <= LATE_MS) return pass(check, `${detail}; lag ${durationText(Math.max(0, lagMs))}`);
  return fail(check, `${detail}; changes wait for ${durationText(lagMs)} to be posted`, ADVICE);
}

function delayOf({ head, published }: FeedProgress, now: number): number {
  const since = untoldSince(head, published, now);
  return since === null ? 0 : now - since;
}
