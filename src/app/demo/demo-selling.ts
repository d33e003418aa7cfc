/** What the demo sells by: a simulated Stripe and a simulated mailbox. */
import path from 'node:path';
import type { Config } from '../../config/config.ts';
import { WEBHOOK_PATH } from '../../domain/pages/billing-paths.ts';
import { startSimulatedMailbox } from '../../simulation/mailbox/mailbox-server.ts';
import { startSimulatedStripe } from '../../simulation/stripe/stripe-server.ts';

const FREE_KEY_QUOTA = 1_000;
const SECRET_KEY = 'sk_test_simulated';
const WEBHOOK_SECRET = 'whsec_simulated';

export type DemoSelling = {
  readonly settings: Pick<Config, 'selling' | 'mail' | 'FREE_KEY_QUOTA'>;
  /** Where the simulated Stripe and the simulated mailbox are seen. */
  readonly stripePage: string;
  readonly mailPage: string;
  /** Tells the simulated Stripe where the service is. */
  postEventsTo(address: string): void;
  close(): Promise<void>;
};

/** Starts both; the Stripe keeps its customers in the demo's folder, as the database keeps their subscriptions. */
export async function startDemoSelling(folder: string): Promise<DemoSelling> {
  const mailbox = await startSimulatedMailbox();
  const stripe = await startSimulatedStripe({
    ...{ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, clock: Date.now },
    file: path.join(folder, 'stripe.json'),
  });
  const seller = {
    ...{ name: 'Pompa Simulată SRL', address: 'Strada Exemplu 1, Cluj-Napoca, România', taxId: 'RO00000000' },
    ...{ contact: 'contact@example.org', termsUrl: null },
  };
  return {
    settings: {
      selling: {
        ...{ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, apiUrl: stripe.url, salesMode: 'own', seller },
      },
      mail: { url: mailbox.smtpUrl, from: { name: 'Pompa', address: 'pompa@example.org' }, replyTo: null },
      FREE_KEY_QUOTA,
    },
    stripePage: stripe.url.href,
    mailPage: mailbox.pageUrl.href,
    postEventsTo: (address) => {
      stripe.delivery.url = new URL(WEBHOOK_PATH, address).href;
    },
    close: async () => {
      await stripe.close();
      await mailbox.close();
    },
  };
}
