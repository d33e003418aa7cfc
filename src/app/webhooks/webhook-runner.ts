/** Webhooks as part of the scheduled work: posts what is due. */
import { webhookBody } from '../../api/webhooks/webhook-bodies.ts';
import { createWebhookSender, type WebhookSenderOptions } from '../../clients/webhook-sender.ts';
import { deliverToWebhooks, type WebhookJob, type WebhookRunner } from '../../worker/webhooks/deliver-webhooks.ts';

type RunnerOptions = Pick<WebhookSenderOptions, 'allowedOrigins' | 'userAgent'> &
  Omit<WebhookJob, 'random' | 'write' | 'send' | 'onTry'> & { readonly onTry: WebhookJob['onTry'] | undefined };

/** Composes the job; `close` frees the connections. */
export function createWebhookRunner({ allowedOrigins, userAgent, onTry, ...parts }: RunnerOptions): WebhookRunner {
  const sender = createWebhookSender({ allowedOrigins, userAgent, clock: parts.clock });
  const job: WebhookJob = {
    ...parts,
    ...{ random: Math.random, write: webhookBody, send: sender.send },
    ...(onTry && { onTry }),
  };
  return {
    run: async (signal) => {
      await deliverToWebhooks(job, signal);
    },
    close: sender.close,
  };
}
