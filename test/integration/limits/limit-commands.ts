/** What a process can be asked to do with limits, as messages, so that this process and another one can do the same. */

import { openDatabase } from '../../../src/store/connection/database.ts';
import type { Queryable } from '../../../src/store/connection/database-connection.ts';
import type { LimitedKey, SpendOutcome } from '../../../src/store/limits/key-limits.ts';
import {
  type CountedPeriod,
  grantToKeys,
  type KeyDemand,
  type KeyGrant,
  refundToKey,
} from '../../../src/store/limits/key-usage-table.ts';
import { LimitsUnavailable } from '../../../src/store/limits/limit-batch.ts';
import type { RateLimits } from '../../../src/store/limits/limits.ts';
import type { MinuteLimitedRequest } from '../../../src/store/limits/minute-limits.ts';
import { type MinuteVerdict, takeMinute } from '../../../src/store/limits/minute-windows.ts';
import { type CapVerdict, refundWeeklyCap, takeWeeklyCaps } from '../../../src/store/limits/weekly-caps.ts';
import type { CapDecision, CappedRequest } from '../../../src/store/limits/weekly-limits.ts';
import { rateLimitsOn } from '../../support/database/rate-limits.ts';

const TIMEOUT_MS = 30_000;

type MinuteCommand = { readonly client: string; readonly name: string; readonly most: number; readonly wanted: number };

/** Every command: its input and its result. The first four query the database directly. */
export type LimitCommands = {
  give: { in: readonly KeyDemand[]; out: KeyGrant[] };
  takeBack: { in: { readonly key: number; readonly counted: CountedPeriod }; out: number | null };
  weekly: { in: readonly CappedRequest[]; out: CapVerdict[] };
  weeklyBack: { in: CappedRequest & { readonly since: number }; out: null };
  minute: { in: readonly MinuteCommand[]; out: MinuteVerdict[] };
  spend: { in: { readonly key: LimitedKey; readonly paid: boolean }; out: SpendOutcome | 'undecided' };
  giveBack: { in: { readonly key: number; readonly counted: CountedPeriod }; out: null };
  visit: { in: CappedRequest; out: CapDecision };
  leave: { in: CappedRequest & { readonly since: number }; out: null };
  take: { in: MinuteLimitedRequest; out: number };
};

export type LimitCommand<K extends keyof LimitCommands = keyof LimitCommands> = {
  [N in K]: { readonly kind: N; readonly in: LimitCommands[N]['in'] };
}[K];

/** A process that carries out commands. */
export type LimitProcess = {
  run<K extends keyof LimitCommands>(kind: K, given: LimitCommands[K]['in']): Promise<LimitCommands[K]['out']>;
  close(): Promise<void>;
};

/** Carries them out in this process, with its own pool. */
export async function inProcess(url: string): Promise<LimitProcess> {
  const silentLog = { info: () => undefined, warn: () => undefined };
  const database = await openDatabase({ databaseUrl: url, dataDir: '', log: silentLog });
  const allowances = await rateLimitsOn(database);
  const handlers = commandHandlers(allowances, database);
  return {
    run: async (kind, given) => handlers[kind](given),
    close: () => database.close(),
  };
}

type CommandHandlers = {
  [K in keyof LimitCommands]: (given: LimitCommands[K]['in']) => Promise<LimitCommands[K]['out']>;
};

function commandHandlers(allowances: RateLimits, database: Queryable): CommandHandlers {
  return {
    give: async (wanted) => [...(await grantToKeys(database, wanted, TIMEOUT_MS)).values()],
    takeBack: async ({ key, counted }) => (await refundToKey(database, key, counted, TIMEOUT_MS))?.used ?? null,
    weekly: (visits) => takeWeeklyCaps(database, visits.map(hashed), TIMEOUT_MS),
    weeklyBack: async ({ since, ...visitor }) => {
      await refundWeeklyCap(database, hashed(visitor), since, TIMEOUT_MS);
      return null;
    },
    minute: (asked) => takeMinute(database, asked.map(hashed), TIMEOUT_MS),
    spend: async ({ key, paid }) => {
      try {
        return await allowances.keys.spend(key, paid);
      } catch (error) {
        if (error instanceof LimitsUnavailable) return 'undecided';
        throw error;
      }
    },
    giveBack: async ({ key, counted }) => {
      await allowances.keys.refund(key, counted);
      return null;
    },
    visit: async (visitor) => allowances.weekly.take(visitor),
    leave: async ({ since, ...visitor }) => {
      await allowances.weekly.refund(visitor, since);
      return null;
    },
    take: async (minute) => allowances.minutes.take(minute),
  };
}

/** Names instead of hashes, where a test queries the database directly. */
const hashed = <T extends { readonly client: string }>(each: T) => ({ ...each, client: Buffer.from(each.client) });
