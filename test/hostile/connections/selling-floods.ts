/** Requests of one address to what sells plans: forms, guesses of codes and tokens, events that Stripe did not send. */
import { createHmac } from 'node:crypto';
import type { EndpointFlood } from './endpoint-floods.ts';

/** Of the service under attack. */
export const WEBHOOK_SECRET = 'whsec_attacked';

const post = (name: string, path: string, body: (at: number) => string): EndpointFlood => ({
  ...{ name, method: 'POST', path },
  type: 'application/x-www-form-urlencoded',
  body,
});
const token = (at: number) => `${at}`.padStart(43, 'x');
const webhook = (name: string, body: (at: number) => string, secret: string): EndpointFlood => ({
  ...{ name, method: 'POST', path: '/stripe/webhook', body },
  header: (payload) => {
    const time = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex');
    return `Stripe-Signature: t=${time},v1=${signature}`;
  },
});
const event = (id: string, padding = 0) =>
  JSON.stringify({
    ...{ id, object: 'event', type: 'customer.subscription.updated', livemode: false, padding: 'x'.repeat(padding) },
    data: { object: { id: 'sub_1', object: 'subscription' } },
  });
const CONSENT = 'terms=yes&start=yes';

export const SELLING_FLOODS: readonly EndpointFlood[] = [
  webhook('selling: events with a wrong signature', (at) => event(`evt_${at}`), 'whsec_wrong'),
  webhook('selling: large events with a wrong signature', (at) => event(`evt_${at}`, 200_000), 'whsec_wrong'),
  webhook('selling: one event again and again', () => event('evt_1'), WEBHOOK_SECRET),
  post('selling: /comanda', '/comanda', (at) => `plan=pro&email=x${at}%40example.org&${CONSENT}`),
  post('selling: /comanda, nonsense', '/comanda', (at) => `plan=${at}&email=${'%40'.repeat(99)}`),
  post('selling: /cont/intrare', '/cont/intrare', (at) => `email=x${at}%40example.org`),
  post(
    'selling: /cont/confirmare, codes',
    '/cont/confirmare',
    (at) => `code=${String(at % 1_000_000).padStart(6, '0')}`,
  ),
  post('selling: /cont/confirmare, tokens', '/cont/confirmare', (at) => `token=${token(at)}`),
  post('selling: /cont/adresa/inapoi, tokens', '/cont/adresa/inapoi', (at) => `token=${token(at)}`),
  post(
    'selling: /cont/dezabonare, tokens',
    '/cont/dezabonare',
    (at) => `token=0000000${at % 10}-0000-4000-8000-000000000000`,
  ),
  post('selling: /cont/chei', '/cont/chei', (at) => `form=x&key=${at}&do=new`),
  post('selling: /cheie-gratuita', '/cheie-gratuita', (at) => `email=x${at}%40example.org`),
  post('selling: /retragere', '/retragere', (at) => `name=x&email=x%40example.org&order=${token(at)}`),
  { name: 'selling: /cont', path: (at) => `/cont?x=${at}` },
  { name: 'selling: /comanda, pages', path: (at) => `/comanda?plan=pro&x=${at}` },
];
