/** What the holder of an account does with a key: a new secret, the end of an old one, a second one, a lower cap. */
import type { AccountNotice, AccountView } from '../../domain/billing/account-view.ts';
import { queueMail } from '../../store/billing/mails.ts';
import {
  endOldSecrets,
  endSecondSecret,
  type NewSecret,
  renewSecret,
  setCap,
} from '../../store/keys/holder-changes.ts';
import type { KeyChangeRefusal } from '../../store/keys/keys.ts';
import type { BillingDependencies } from './billing-dependencies.ts';

const HOUR_MS = 3_600_000;
/** How long the old secret may stay valid, as the form says it. */
const OVERLAPS: Readonly<Record<string, number>> = { '0': 0, '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS };

/** What came of an action: something to show once, something to say, or nothing, because the form asked for nothing. */
export type KeyActionResult =
  | { readonly kind: 'new key'; readonly newKey: NonNullable<AccountView['newKey']> }
  | { readonly kind: 'done'; readonly notice: AccountNotice }
  | { readonly kind: 'invalid cap' | 'nothing' };

type Asked = {
  readonly accountId: number;
  readonly language: AccountView['language'];
  readonly keyId: number;
  readonly fields: Readonly<Record<string, string>>;
};

/** Acts on a key, of which the caller knows that it is the account's. */
export async function changeKey({ database }: BillingDependencies, asked: Asked): Promise<KeyActionResult> {
  const { keyId, fields } = asked;
  switch (fields.do) {
    case 'new':
    case 'second': {
      const overlap = fields.overlap ?? '0';
      // Only a form of somebody's own making asks for another.
      if (!Object.hasOwn(OVERLAPS, overlap)) return { kind: 'nothing' };
      const overlapMs = OVERLAPS[overlap] as number;
      const slot = fields.do === 'new' ? 1 : 2;
      const made = await renewSecret(database, keyId, { slot, overlapMs }, (tx, secret) =>
        queueMail(tx, ...newKeyMail(asked, slot, secret)),
      );
      if (typeof made === 'string') return { kind: 'nothing' };
      return { kind: 'new key', newKey: { id: keyId, key: made.key } };
    }
    case 'end-old':
      return done(await endOldSecrets(database, keyId), 'old-ended');
    case 'end-second':
      return done(await endSecondSecret(database, keyId), 'second-ended');
    case 'cap': {
      const cap = parseCap(fields.cap ?? '');
      const isSet = cap === undefined ? false : await setCap(database, keyId, cap);
      return isSet === false ? { kind: 'invalid cap' } : done(isSet, 'cap');
    }
    default:
      return { kind: 'nothing' };
  }
}

function done(result: true | KeyChangeRefusal, notice: AccountNotice): KeyActionResult {
  return result === true ? { kind: 'done', notice } : { kind: 'nothing' };
}

/** Requests a month; `null` = no cap of one's own, `undefined` = neither. */
function parseCap(text: string): number | null | undefined {
  const typed = text.trim();
  if (typed === '') return null;
  // Separators of thousands, not of decimals.
  const digits = /^\d{1,3}([\s.,]\d{3})+$/.test(typed) ? typed.replaceAll(/[\s.,]/g, '') : typed;
  const cap = Number(digits);
  return /^\d{1,10}$/.test(digits) ? cap : undefined;
}

/** The mail from which whoever did not make the new key learns of it. */
function newKeyMail({ accountId, language, keyId }: Asked, slot: 1 | 2, { key, oldValidUntil }: NewSecret) {
  const last4 = key.slice(-4);
  const content = { kind: 'key_replaced', last4, slot, oldValidUntil } as const;
  return [{ accountId, language }, content, { occasion: `${keyId} ${last4} ${oldValidUntil}` }] as const;
}
