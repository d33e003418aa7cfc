/** Does the work of selling on DATABASE until it is done, in a process of its own that a test can kill. */
import { createSmtpMailer } from '../../../src/clients/smtp.ts';
import { createStripeClient, whyStripeFailed } from '../../../src/clients/stripe.ts';
import { writeMail } from '../../../src/site/mails/write-mail.ts';
import { openDatabase } from '../../../src/store/connection/database.ts';
import type { Schema } from '../../../src/store/connection/schema.ts';
import { lookAgain } from '../../../src/worker/billing/look-again.ts';
import { sendDueMails } from '../../../src/worker/billing/send-mails.ts';

const { DATABASE = '', STRIPE = '', SMTP = '' } = process.env;
const log = { info: () => undefined, warn: () => undefined };
const database = await openDatabase<Schema>({ databaseUrl: DATABASE, dataDir: '', log, connections: 2 });
const stripe = createStripeClient({
  ...{ secretKey: 'sk_test_rounds', webhookSecret: 'whsec_rounds', salesMode: 'own', clock: Date.now },
  apiUrl: new URL(STRIPE),
});
const mailer = createSmtpMailer({
  ...{ url: new URL(SMTP), replyTo: null, allowPlain: true },
  from: { name: 'Pompa', address: 'cheie@pompa.example' },
});
const signal = new AbortController().signal;
await lookAgain({ database, stripe, whyFailed: whyStripeFailed, log }, signal);
await sendDueMails(
  {
    ...{ database, mailer, clock: Date.now, log },
    write: (content, language, secrets) =>
      writeMail(content, language, secrets, { publicUrl: 'http://pompa.example', seller: null, salesMode: 'own' }),
  },
  signal,
);
mailer.close();
await database.close();
