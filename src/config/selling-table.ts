/** The settings of selling and of mail. */
import { SALES_MODES, type SalesMode } from '../domain/billing/seller.ts';
import { contact, integerBetween, oneOf, urlOrigin, urlWithQuery } from './parse.ts';
import {
  type MailSettings,
  mailAddress,
  mailFrom,
  PUBLIC_STRIPE,
  sellerText,
  smtpUrl,
  stripeKey,
  webhookSecret,
} from './selling-settings.ts';
import { setting } from './setting.ts';

export const SELLING_SETTINGS = {
  STRIPE_SECRET_KEY: setting<string | null>(
    null,
    stripeKey,
    'Your key at Stripe, by which plans are sold; prefer a restricted one. A secret. Unset = nothing is sold; see [SELLING.md](SELLING.md).',
  ),
  STRIPE_WEBHOOK_SECRET: setting<string | null>(
    null,
    webhookSecret,
    'The signing secret of the endpoint `/stripe/webhook` at Stripe. A secret.',
  ),
  STRIPE_API_URL: setting(PUBLIC_STRIPE, urlOrigin(PUBLIC_STRIPE), "Origin of Stripe's API."),
  SALES_MODE: setting<SalesMode>(
    'own',
    oneOf(SALES_MODES),
    'Who sells: `own` = you, who take care of taxes; `mor` = Stripe, as the merchant of record.',
  ),
  SMTP_URL: setting<string | null>(
    null,
    smtpUrl,
    'Your mail relay, such as `smtps://user:password@smtp.example.org:465`; a secret. Unset = no mail, no selling and no free keys.',
  ),
  MAIL_FROM: setting<MailSettings['from'] | null>(
    null,
    mailFrom,
    'The sender of mails, such as `Pompa <pompa@example.org>`. Needed with `SMTP_URL`.',
  ),
  MAIL_REPLY_TO: setting<string | null>(null, mailAddress, 'Where answers to mails go. Unset = to the sender.'),
  FREE_KEY_QUOTA: setting<number | null>(
    null,
    integerBetween(1, 1_000_000, 1_000),
    'Requests a month of the key that everybody gets for an e-mail address. Unset = there are no free keys.',
  ),
  SELLER_NAME: setting<string | null>(
    null,
    sellerText('Pompa SRL'),
    'Who sells. All `SELLER_` settings are needed to sell.',
  ),
  SELLER_ADDRESS: setting<string | null>(
    null,
    sellerText('Strada Exemplu 1, Cluj-Napoca, România'),
    'The seat of the seller, on one line.',
  ),
  SELLER_TAX_ID: setting<string | null>(null, sellerText('RO12345678'), 'The tax number of the seller.'),
  SELLER_CONTACT: setting<string | null>(
    null,
    contact,
    'Where customers reach the seller: an e-mail address or a web address.',
  ),
  TERMS_URL: setting<string | null>(
    null,
    urlWithQuery('https://example.org/terms'),
    'Your own terms of sale. Unset = those of our page `/termeni`.',
  ),
};
