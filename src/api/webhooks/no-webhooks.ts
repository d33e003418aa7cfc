/** Where nothing stores webhooks: every call says that they are unavailable. */
import { DatabaseUnavailable } from '../../store/database-errors.ts';
import type { WebhookDependencies } from './webhook-dependencies.ts';

const unavailable = () => Promise.reject(new DatabaseUnavailable('nothing stores webhooks here'));

export const NO_WEBHOOKS: WebhookDependencies = {
  service: {
    list: unavailable,
    find: unavailable,
    create: unavailable,
    change: unavailable,
    delete: unavailable,
    ping: unavailable,
    tryNow: unavailable,
    deliveries: unavailable,
    replay: unavailable,
    renewSecret: unavailable,
  },
  limits: () => 0,
  allowedOrigins: [],
};
