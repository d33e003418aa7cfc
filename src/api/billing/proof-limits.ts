/** How often mails with links and codes are asked for, and codes tried, whichever form is posted. */
import { TokenBuckets } from '../../concurrency/token-buckets.ts';
import { WarnOnce } from '../../concurrency/warn-once.ts';
import type { StartedLogin } from '../../store/accounts/logins.ts';
import type { Log } from '../response/log.ts';

const HOUR_SECONDS = 3_600;
/** Mails that one client asks for, and links and codes that it tries, within an hour. */
const MAILS_OF_CLIENT = 10;
const PROOFS_OF_CLIENT = 60;
/** Codes that are tried by everybody together, within an hour: each login has only five. */
const CODES_OF_ALL = 1_000;
const MAX_CLIENTS = 10_000;

export type ProofLimits = {
  /** Whether a client may ask for another mail, which counts. */
  mayAsk(client: string): boolean;
  /** Tells the operator when everybody together asks for so many mails that nobody gets any. */
  asked(outcome: StartedLogin): void;
  /** Whether a client may try a link or a code, which counts. A link is never refused because others guess codes. */
  mayTry(client: string, what: 'link' | 'code'): boolean;
  /** How long a refused client must wait, ms. */
  readonly waitMs: { readonly ask: number; readonly try: number };
};

/** Creates the limits, which all forms of a process share. */
export function createProofLimits(log: Pick<Log, 'warn'>): ProofLimits {
  const mails = hourly(MAILS_OF_CLIENT);
  const proofs = hourly(PROOFS_OF_CLIENT);
  const codes = hourly(CODES_OF_ALL);
  const flood = new WarnOnce({ warn: (why) => log.warn({ why }, 'nobody is mailed a link or a code for now') });
  return {
    mayAsk: (client) => mails.tryTake(client),
    asked: (outcome) => {
      if (outcome === 'too many of all') flood.failed('all together asked for the mails of an hour');
      else if (typeof outcome === 'number') flood.succeeded();
    },
    mayTry: (client, what) => proofs.tryTake(client) && (what === 'link' || codes.tryTake('all')),
    waitMs: { ask: waitMs(MAILS_OF_CLIENT), try: waitMs(PROOFS_OF_CLIENT) },
  };
}

const hourly = (burst: number) => new TokenBuckets({ burst, perSecond: burst / HOUR_SECONDS, maxKeys: MAX_CLIENTS });
const waitMs = (perHour: number) => (HOUR_SECONDS / perHour) * 1_000;
