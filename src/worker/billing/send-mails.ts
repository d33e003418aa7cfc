/** Sends the queued mails. Whatever is killed in between, a mail goes out at least once, and no secret is stored. */
import type { Mailer, MailOutcome } from '../../clients/smtp.ts';
import type { Language } from '../../domain/localized-text.ts';
import type { MailContent } from '../../domain/mail/mail-content.ts';
import type { OutgoingMail } from '../../domain/mail/outgoing-mail.ts';
import { findAccount, unsubscribeTokenOf } from '../../store/accounts/accounts.ts';
import { makeLoginSecret } from '../../store/accounts/login-secrets.ts';
import { isStillNews } from '../../store/billing/mail-relevance.ts';
import { type DueMail, deferMail, finishMail, takeDueMail } from '../../store/billing/mails.ts';
import type { Database } from '../../store/connection/database.ts';
import { makeMailedKey } from '../../store/keys/mailed-keys.ts';

/** What only the sending of a mail knows. */
type MailSecrets = {
  readonly key?: string;
  readonly login?: { readonly token: string; readonly code: string };
  /** By which its recipient declines further mails of this kind. */
  readonly unsubscribeToken?: string;
};

export type MailJob = {
  readonly database: Database;
  readonly mailer: Mailer;
  /** Writes a mail in the words of the site. */
  readonly write: (
    content: MailContent,
    language: Language,
    secrets: MailSecrets,
  ) => Pick<OutgoingMail, 'subject' | 'text' | 'html' | 'headers'>;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly log: { info(message: string): void; warn(message: string): void };
};

const MINUTE_MS = 60_000;
/** Pauses before each further attempt; the last one repeats. */
const RETRY_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);
/** A mail that could not be sent for this long is given up. */
const GIVE_UP_MS = 24 * 60 * MINUTE_MS;
/** A key whose mail may have gone out stays valid beside the next one. */
const KEY_OVERLAP_MS = 24 * 60 * MINUTE_MS;

/** Sends what is due; returns how many mails were accepted. Ends early when the signal is aborted. */
export async function sendDueMails(job: MailJob, signal: AbortSignal): Promise<number> {
  let sent = 0;
  while (!signal.aborted) {
    // One at a time: no mail waits behind a slow relay until another process thinks that it was forgotten.
    const mail = await takeDueMail(job.database.kysely);
    if (mail === null) break;
    if (await sendMail(job, mail)) sent += 1;
  }
  return sent;
}

/** Whether the relay accepted it. */
async function sendMail(job: MailJob, mail: DueMail): Promise<boolean> {
  const { database, mailer, write, clock } = job;
  const recipient = await recipientOf(database, mail);
  if (recipient === null) {
    await finishMail(database.kysely, mail, 'expired', 'no account has this address');
    return false;
  }
  const secrets = (await isStillNews(database.kysely, mail)) ? await secretsFor(database, mail) : null;
  if (secrets === null) {
    await finishMail(database.kysely, mail, 'expired', 'it was no longer true');
    return false;
  }
  const outcome = await mailer.send({
    ...write(mail.content, mail.language, secrets),
    ...{ to: recipient, language: mail.language, at: clock() },
    id: `pompa-${mail.id}`,
  });
  await noteOutcome(job, mail, outcome);
  return outcome.kind === 'accepted';
}

/**
 * A login is asked for with any address: only here it is looked up, so that no answer tells whether it has an account,
 * and its link goes to the address as the account has it. `null` = nobody's.
 */
async function recipientOf(database: Database, { content, recipient }: DueMail): Promise<string | null> {
  if (content.kind !== 'login') return recipient;
  return (await findAccount(database.kysely, recipient))?.email ?? null;
}

/** What the mail promises; `null` = it cannot be had any more, so the mail is pointless. */
async function secretsFor(database: Database, { content, accountId }: DueMail): Promise<MailSecrets | null> {
  switch (content.kind) {
    case 'key':
    case 'free_key': {
      const key = await makeMailedKey(database, content.keyId, KEY_OVERLAP_MS);
      return key === null ? null : { key };
    }
    case 'login':
    case 'free_key_confirmation':
    case 'new_address':
    case 'address_changed': {
      if (content.loginId === null) return {};
      const login = await makeLoginSecret(database.kysely, content.loginId);
      return login === null ? null : { login };
    }
    case 'usage': {
      const unsubscribeToken = accountId === null ? null : await unsubscribeTokenOf(database.kysely, accountId);
      return unsubscribeToken === null ? null : { unsubscribeToken };
    }
    default:
      return {};
  }
}

async function noteOutcome({ database, clock, log }: MailJob, mail: DueMail, outcome: MailOutcome): Promise<void> {
  const { kysely } = database;
  switch (outcome.kind) {
    case 'accepted':
      return finishMail(kysely, mail, 'sent');
    case 'refused':
      log.warn(`mail ${mail.id} (${mail.content.kind}) was refused: ${outcome.why}`);
      return finishMail(kysely, mail, 'refused', outcome.why);
    case 'deferred': {
      if (clock() - mail.plannedAt > GIVE_UP_MS) {
        log.warn(`mail ${mail.id} (${mail.content.kind}) is given up: ${outcome.why}`);
        return finishMail(kysely, mail, 'expired', outcome.why);
      }
      const pause = RETRY_MS[Math.min(mail.tries, RETRY_MS.length - 1)] as number;
      return deferMail(kysely, mail.id, pause, outcome.why);
    }
  }
}
