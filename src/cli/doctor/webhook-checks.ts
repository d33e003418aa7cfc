/** Checks what is posted of the feed of changes to webhooks, by what the database has recorded. */
import type { WebhookStatus } from '../../store/webhooks/webhook-status.ts';
import { durationText, type Finding, fail, pass } from './finding.ts';

/** Within which changes are promised to be posted. */
const LATE_MS = 60_000;
const ADVICE = 'does a worker run, or serve with the embedded database? see its log';

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
