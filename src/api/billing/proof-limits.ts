/** How often mails with links and codes are asked for, codes tried, and forms of an account posted. */
import { WarnOnce } from '../../concurrency/warn-once.ts';
import type { LoginOutcome, StartedLogin } from '../../store/accounts/logins.ts';
import type { Log } from '../response/log.ts';
import { hourlyLimit, hourlyWaitMs } from './hourly-limit.ts';

/** Mails that one client asks for, and links and codes that it tries, within an hour. */
const MAILS_OF_CLIENT = 10;
const PROOFS_OF_CLIENT = 60;
/** Forms that one account posts within an hour, and new keys among them: each mails its holder. */
const FORMS_OF_ACCOUNT = 60;
const NEW_KEYS_OF_ACCOUNT = 10;

export type ProofLimits = {
  /** Whether a client may ask for another mail, which counts. */
  mayAsk(client: string): boolean;
  /** Tells the operator when everybody together asks for so many mails that nobody gets any. */
  asked(outcome: StartedLogin): void;
  /** Whether a client may try a link or a code, which counts. */
  mayTry(client: string): boolean;
  /** Tells the operator when so many codes were wrong that no other is accepted for now. */
  tried(outcome: LoginOutcome): void;
  /** Whether an account may post another form, or make another key, which counts. */
  mayAct(accountId: number, what: 'form' | 'new key'): boolean;
  /** How long whoever is refused must wait, ms. */
  readonly waitMs: { readonly ask: number; readonly try: number; readonly act: number };
};

/** Creates the limits, which all forms of a process share. */
export function createProofLimits(log: Pick<Log, 'warn'>): ProofLimits {
  const mails = hourlyLimit(MAILS_OF_CLIENT);
  const proofs = hourlyLimit(PROOFS_OF_CLIENT);
  const forms = hourlyLimit(FORMS_OF_ACCOUNT);
  const newKeys = hourlyLimit(NEW_KEYS_OF_ACCOUNT);
  const guesses = new WarnOnce({ warn: (why) => log.warn({ why }, 'no code logs anybody in for now; links do') });
  const flood = new WarnOnce({ warn: (why) => log.warn({ why }, 'nobody is mailed a link or a code for now') });
  return {
    mayAsk: (client) => mails.tryTake(client),
    asked: (outcome) => {
      if (outcome === 'too many of all') flood.failed('all together asked for the mails of an hour');
      else if (typeof outcome === 'number') flood.succeeded();
    },
    mayTry: (client) => proofs.tryTake(client),
    tried: (outcome) => {
      if (outcome.kind === 'proved') guesses.succeeded();
      else if (outcome.kind === 'too many' && outcome.ofAll)
        guesses.failed('too many codes were wrong within the hour');
    },
    mayAct: (accountId, what) => (what === 'form' ? forms : newKeys).tryTake(String(accountId)),
    waitMs: {
      ask: hourlyWaitMs(MAILS_OF_CLIENT),
      try: hourlyWaitMs(PROOFS_OF_CLIENT),
      act: hourlyWaitMs(NEW_KEYS_OF_ACCOUNT),
    },
  };
}
