/** Parses the settings of selling and of mail. Each parser throws one clause that describes a valid value. */
import type { SalesMode, Seller } from '../domain/billing/seller.ts';
import { parseEmailAddress } from '../domain/mail/email-address.ts';
import { BadValue, isLoopback } from './parse.ts';

export const PUBLIC_STRIPE = 'https://api.stripe.com';

/** The relay and the sender of mails. */
export type MailSettings = {
  readonly url: URL;
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string | null;
};

/** What selling needs besides mail. */
export type StripeSettings = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly apiUrl: URL;
  readonly salesMode: SalesMode;
  readonly seller: Seller;
};

type SellingSettings = {
  readonly STRIPE_SECRET_KEY: string | null;
  readonly STRIPE_WEBHOOK_SECRET: string | null;
  readonly STRIPE_API_URL: string;
  readonly SALES_MODE: SalesMode;
  readonly SMTP_URL: string | null;
  readonly MAIL_FROM: MailSettings['from'] | null;
  readonly MAIL_REPLY_TO: string | null;
  readonly SELLER_NAME: string | null;
  readonly SELLER_ADDRESS: string | null;
  readonly SELLER_TAX_ID: string | null;
  readonly SELLER_CONTACT: string | null;
  readonly TERMS_URL: string | null;
};

/** A key of Stripe, `sk_` or, with fewer rights, `rk_`. */
export function stripeKey(text: string): string {
  if (/^(sk|rk)_(live|test)_[A-Za-z0-9_]{6,240}$/.test(text)) return text;
  throw new BadValue('must be a secret or restricted key of Stripe, such as rk_live_…');
}

export function webhookSecret(text: string): string {
  if (/^whsec_[A-Za-z0-9_+/=-]{6,240}$/.test(text)) return text;
  throw new BadValue('must be the signing secret of the webhook endpoint at Stripe, such as whsec_…');
}

/** The address of a relay, with user and password where it asks for them. */
export function smtpUrl(text: string): string {
  const url = URL.parse(text);
  const isRelay = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
  if (isRelay && /^\/?$/.test(url.pathname) && url.search + url.hash === '') return text;
  throw new BadValue('must be the address of a mail relay, such as smtps://user:password@smtp.example.org:465');
}

/** `pompa@example.org`, or with a name `Pompa <pompa@example.org>`. */
export function mailFrom(text: string): MailSettings['from'] {
  const [, name = '', inBrackets] = /^([^<>"\p{Cc}]{0,80}?)\s*<([^<>]+)>$/u.exec(text) ?? [];
  const address = parseEmailAddress(inBrackets ?? text);
  if (address !== null) return Object.freeze({ name: name.trim(), address });
  throw new BadValue('must be an e-mail address, with a name before it if you like, such as Pompa <pompa@example.org>');
}

export function mailAddress(text: string): string {
  const address = parseEmailAddress(text);
  if (address !== null) return address;
  throw new BadValue('must be an e-mail address, such as ops@example.org');
}

/** One line that pages and mails show. */
export function sellerText(example: string): (text: string) => string {
  return (text) => {
    if (/^[^\p{Cc}<>]{2,200}$/u.test(text.trim())) return text.trim();
    throw new BadValue(`must be one line of 2 to 200 characters, such as ${example}`);
  };
}

/** The mail settings; `null` = no mail is sent. Throws if only a part is set. */
export function parseMail({ SMTP_URL, MAIL_FROM, MAIL_REPLY_TO }: SellingSettings): MailSettings | null {
  if (SMTP_URL === null) {
    if (MAIL_FROM !== null) throw new BadValue('SMTP_URL must be set where MAIL_FROM is: mails need a relay');
    return null;
  }
  if (MAIL_FROM === null) throw new BadValue('MAIL_FROM must be set where SMTP_URL is: mails need a sender');
  const url = new URL(SMTP_URL);
  return { url, from: MAIL_FROM, replyTo: MAIL_REPLY_TO };
}

/** Whether a relay may be spoken to without TLS: on this machine only. */
export const isPlainAllowed = (url: URL): boolean => isLoopback(url);

/**
 * What is sold by; `null` = nothing is. Throws if selling is configured in part: it must not start so. Without a relay
 * nothing is sold, and a seller alone sells nothing.
 */
export function parseSelling(settings: SellingSettings): StripeSettings | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: secret, SALES_MODE: salesMode, TERMS_URL } = settings;
  const isSet = {
    STRIPE_SECRET_KEY: secretKey !== null,
    STRIPE_WEBHOOK_SECRET: secret !== null,
    'SALES_MODE=mor': salesMode === 'mor',
  };
  const [first] = Object.entries(isSet).find(([, each]) => each) ?? [];
  if (first === undefined || (secretKey !== null && settings.SMTP_URL === null)) return null;
  const needed = {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: secret,
    SELLER_NAME: settings.SELLER_NAME,
    SELLER_ADDRESS: settings.SELLER_ADDRESS,
    SELLER_TAX_ID: settings.SELLER_TAX_ID,
    SELLER_CONTACT: settings.SELLER_CONTACT,
  };
  const missing = Object.entries(needed).filter(([, value]) => value === null);
  if (missing.length > 0)
    throw new BadValue(`${missing.map(([name]) => name).join(', ')} must be set where ${first} is`);
  const apiUrl = new URL(settings.STRIPE_API_URL);
  if (apiUrl.protocol === 'http:' && !isLoopback(apiUrl))
    throw new BadValue('STRIPE_API_URL must be https, or on this machine');
  return {
    secretKey: secretKey as string,
    webhookSecret: secret as string,
    apiUrl,
    salesMode,
    seller: {
      name: settings.SELLER_NAME as string,
      address: settings.SELLER_ADDRESS as string,
      taxId: settings.SELLER_TAX_ID as string,
      contact: settings.SELLER_CONTACT as string,
      termsUrl: TERMS_URL,
    },
  };
}
