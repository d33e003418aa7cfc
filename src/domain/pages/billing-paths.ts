/** The addresses of selling: its pages, and where their forms post. They exist where something is sold or given. */
import type { LocalizedText } from '../localized-text.ts';

export const BILLING_PATHS = {
  order: { ro: '/comanda', en: '/en/order' },
  /** Where Stripe leads after a checkout. */
  ordered: { ro: '/comanda/gata', en: '/en/order/done' },
  account: { ro: '/cont', en: '/en/account' },
  /** Asks for a link and a code. */
  logIn: { ro: '/cont/intrare', en: '/en/account/log-in' },
  /** The page of a mailed link, and where its button and the form of the code post. */
  confirm: { ro: '/cont/confirmare', en: '/en/account/confirm' },
  logOut: { ro: '/cont/iesire', en: '/en/account/log-out' },
  /** Where the forms of the account post. */
  accountMails: { ro: '/cont/mesaje', en: '/en/account/mails' },
  accountKeys: { ro: '/cont/chei', en: '/en/account/keys' },
  /** The webhooks of the account's keys, and where their forms post. */
  accountWebhooks: { ro: '/cont/webhookuri', en: '/en/account/webhooks' },
  accountPayment: { ro: '/cont/plata', en: '/en/account/payment' },
  accountCancellation: { ro: '/cont/anulare', en: '/en/account/cancellation' },
  /** What the service keeps of the account, as a file. */
  accountData: { ro: '/cont/date', en: '/en/account/data' },
  accountDeletion: { ro: '/cont/stergere', en: '/en/account/deletion' },
  /** Where the form of a new address posts, the page of its mailed link, and that of the former address's. */
  accountAddress: { ro: '/cont/adresa', en: '/en/account/address' },
  addressConfirm: { ro: '/cont/adresa/confirmare', en: '/en/account/address/confirm' },
  addressUndo: { ro: '/cont/adresa/inapoi', en: '/en/account/address/undo' },
  freeKey: { ro: '/cheie-gratuita', en: '/en/free-key' },
  /** The page of the mailed link, and where its button and the form of the code post. */
  freeKeyConfirm: { ro: '/cheie-gratuita/confirmare', en: '/en/free-key/confirm' },
  withdrawal: { ro: '/retragere', en: '/en/withdrawal' },
  /** Ends mails about usage, by the link of one. */
  unsubscribe: { ro: '/cont/dezabonare', en: '/en/account/unsubscribe' },
} as const satisfies Record<string, LocalizedText>;

/** Where Stripe posts its events. */
export const WEBHOOK_PATH = '/stripe/webhook';
