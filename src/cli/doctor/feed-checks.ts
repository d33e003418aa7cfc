/** Checks the feed of changes and what is posted of it to webhooks, by what the database has recorded. */
import type { WebhookStatus } from '../../store/webhooks/webhook-status.ts';
import { durationText, type Finding, fail, pass } from './finding.ts';

/** What is promised: told within a second, posted within a minute; a process that starts takes its time. */
const LATE_MS = 60_000;
const ADVICE = 'does a worker run, or serve with the embedded database? see its log';

/** Both. */
export function feedFindings(status: WebhookStatus): Finding[] {
  return [feedFinding(status), webhooksFinding(status)];
}

function feedFinding({ feed: { seq, toldAt, behindSince }, now }: WebhookStatus): Finding {
  const check = 'feed of changes';
  const detail = toldAt === null ? 'nothing was told yet' : `${seq} changes, told ${durationText(now - toldAt)} ago`;
  const lagMs = behindSince === null ? 0 : now - behindSince;
  if (lagMs <= LATE_MS) return pass(check, detail);
  return fail(check, `${detail}; what is served is ${durationText(lagMs)} ahead of it`, ADVICE);
}

function webhooksFinding(status: WebhookStatus): Finding {
  const { sending, paused, stopped, unverified, failing, oldestFailingAt, lateSince, now } = status;
  const check = 'webhooks';
  if (sending + paused + stopped + unverified === 0) return pass(check, 'none');
  const oldest = oldestFailingAt === null ? '' : `, the oldest for ${durationText(now - oldestFailingAt)}`;
  const detail = `${sending} sending, ${failing} of them failing${oldest}; ${stopped} stopped, ${paused} paused, ${unverified} not verified`;
  const lagMs = lateSince === null ? 0 : now - lateSince;
  if (lagMs <= LATE_MS) return pass(check, `${detail}; lag ${durationText(Math.max(0, lagMs))}`);
  return fail(check, `${detail}; changes wait for ${durationText(lagMs)} to be posted`, ADVICE);
}
