/** Commands on limits, as messages, so that this process and another one can carry out the same ones. */

import { openDatabase } from '../../../src/store/connection/database.ts';
import type { Queryable } from '../../../src/store/connection/database-connection.ts';
import {
  type CountedPeriod,
  grantToKeys,
  type KeyDemand,
  type KeyGrant,
  refundToKeys,
} from '../../../src/store/limits/key-limit-queries.ts';
import type { KeyDecision, LimitedKey } from '../../../src/store/limits/key-limits.ts';
import { LimitsUnavailable } from '../../../src/store/limits/limit-batch.ts';
import type { MinuteLimitedRequest } from '../../../src/store/limits/minute-limits.ts';
import { grantMinuteSlots, type MinuteGrant } from '../../../src/store/limits/minute-window-queries.ts';
import type { RateLimits } from '../../../src/store/limits/rate-limits.ts';
import type { CapDecision } from '../../../src/store/limits/weekly-cap.ts';
import {
  type CappedRequest,
  type CapVerdict,
  refundWeeklyCaps,
  takeWeeklyCaps,
} from '../../../src/store/limits/weekly-cap-queries.ts';
import { namedHasher } from '../../support/database/named-hashes.ts';
import { rateLimitsOn } from '../../support/database/rate-limits.ts';

const STATEMENT_TIMEOUT_MS = 30_000;

type MinuteCommand = MinuteLimitedRequest & { readonly slots: number };

/** Every command: its input and its result. */
export type LimitCommands = {
  grantInDatabase: { in: readonly KeyDemand[]; out: KeyGrant[] };
  refundInDatabase: { in: { readonly key: number; readonly countedIn: CountedPeriod }; out: number | null };
  takeCapsInDatabase: { in: readonly CappedRequest[]; out: CapVerdict[] };
  refundCapInDatabase: { in: CappedRequest & { readonly acceptedAt: number }; out: null };
  grantMinuteInDatabase: { in: readonly MinuteCommand[]; out: MinuteGrant[] };
  takeKey: { in: { readonly key: LimitedKey; readonly counted: boolean }; out: KeyDecision | 'undecided' };
  refundKey: { in: { readonly key: number; readonly countedIn: CountedPeriod }; out: null };
  takeCap: { in: CappedRequest; out: CapDecision };
  refundCap: { in: CappedRequest & { readonly acceptedAt: number }; out: null };
  takeMinute: { in: MinuteLimitedRequest; out: number };
};

export type LimitCommand<K extends keyof LimitCommands = keyof LimitCommands> = {
  [N in K]: { readonly kind: N; readonly in: LimitCommands[N]['in'] };
}[K];

/** A process that carries out the commands. */
export type LimitProcess = {
  run<K extends keyof LimitCommands>(kind: K, given: LimitCommands[K]['in']): Promise<LimitCommands[K]['out']>;
  close(): Promise<void>;
};

/** Carries out the commands in this process, with its own pool. */
export async function inProcess(url: string): Promise<LimitProcess> {
  const silentLog = { info: () => undefined, warn: () => undefined };
  const database = await openDatabase({ databaseUrl: url, dataDir: '', log: silentLog });
  const limits = await rateLimitsOn(database);
  const handlers = await commandHandlers(limits, database);
  return {
    run: async (kind, given) => handlers[kind](given),
    close: () => database.close(),
  };
}

type CommandHandlers = {
  [K in keyof LimitCommands]: (given: LimitCommands[K]['in']) => Promise<LimitCommands[K]['out']>;
};

async function commandHandlers(limits: RateLimits, database: Queryable): Promise<CommandHandlers> {
  const capHasher = await namedHasher(database, 'weekly caps');
  const minuteHasher = await namedHasher(database, 'minute windows');
  return {
    grantInDatabase: async (demands) => [...(await grantToKeys(database, demands, STATEMENT_TIMEOUT_MS)).values()],
    refundInDatabase: async ({ key, countedIn }) =>
      (await refundToKeys(database, [{ key, counted: 1, countedIn }], STATEMENT_TIMEOUT_MS))[0]?.used ?? null,
    takeCapsInDatabase: (requests) => takeWeeklyCaps(database, requests, capHasher, STATEMENT_TIMEOUT_MS),
    refundCapInDatabase: async ({ acceptedAt, ...request }) => {
      await refundWeeklyCaps(database, [{ ...request, acceptedAt }], capHasher, STATEMENT_TIMEOUT_MS);
      return null;
    },
    grantMinuteInDatabase: (demands) => grantMinuteSlots(database, demands, minuteHasher, STATEMENT_TIMEOUT_MS),
    takeKey: async ({ key, counted }) => {
      try {
        return await limits.keys.tryTake(key, counted);
      } catch (error) {
        if (error instanceof LimitsUnavailable) return 'undecided';
        throw error;
      }
    },
    refundKey: async ({ key, countedIn }) => {
      await limits.keys.refund(key, countedIn);
      return null;
    },
    takeCap: async (request) => limits.weekly.tryTake(request),
    refundCap: async ({ acceptedAt, ...request }) => {
      await limits.weekly.refund(request, acceptedAt);
      return null;
    },
    takeMinute: async (request) => limits.minutes.tryTake(request),
  };
}
