/** What a process is asked to do with allowances, as messages, so that it can be done here and elsewhere alike. */

import { Undecided } from '../../../src/concurrency/batch.ts';
import { openDatabase } from '../../../src/store/connection/database.ts';
import type { Spender, Spending } from '../../../src/store/limits/key-limits.ts';
import {
  type Counted,
  type Given,
  giveBackToKey,
  giveToKeys,
  type Wanted,
} from '../../../src/store/limits/key-usage-table.ts';
import { type Ask, askingWithin } from '../../../src/store/limits/limit-query.ts';
import { Allowances } from '../../../src/store/limits/limits.ts';
import type { Minute } from '../../../src/store/limits/minute-limits.ts';
import { type MinuteVerdict, takeMinute } from '../../../src/store/limits/minute-windows.ts';
import { type CapVerdict, giveBackWeekly, takeWeekly } from '../../../src/store/limits/weekly-caps.ts';
import type { Visitor, Welcome } from '../../../src/store/limits/weekly-limits.ts';

type MinuteAsked = { readonly client: string; readonly name: string; readonly most: number; readonly wanted: number };

/** Every piece of work: what it is given, and what comes of it. The first four ask the database directly. */
export type Works = {
  give: { in: readonly Wanted[]; out: Given[] };
  takeBack: { in: { readonly key: number; readonly counted: Counted }; out: number | null };
  weekly: { in: readonly Visitor[]; out: CapVerdict[] };
  weeklyBack: { in: Visitor & { readonly since: number }; out: null };
  minute: { in: readonly MinuteAsked[]; out: MinuteVerdict[] };
  spend: { in: { readonly key: Spender; readonly paid: boolean }; out: Spending | 'undecided' };
  giveBack: { in: { readonly key: number; readonly counted: Counted }; out: null };
  visit: { in: Visitor; out: Welcome };
  leave: { in: Visitor & { readonly since: number }; out: null };
  take: { in: Minute; out: number };
};

export type Work<K extends keyof Works = keyof Works> = {
  [N in K]: { readonly kind: N; readonly in: Works[N]['in'] };
}[K];

/** A process that can be told what to do. */
export type Doer = {
  do<K extends keyof Works>(kind: K, given: Works[K]['in']): Promise<Works[K]['out']>;
  close(): Promise<void>;
};

/** Does it in this process, with a pool of its own. */
export async function doer(url: string): Promise<Doer> {
  const silent = { info: () => undefined, warn: () => undefined };
  const database = await openDatabase({ databaseUrl: url, dataDir: '', log: silent });
  const allowances = new Allowances({ clock: Date.now, noted: () => undefined });
  await allowances.attach(database.pool);
  const works = worksOf(allowances, () => askingWithin(database.pool, 30_000));
  return {
    do: async (kind, given) => works[kind](given),
    close: () => database.close(),
  };
}

type Doing = { [K in keyof Works]: (given: Works[K]['in']) => Promise<Works[K]['out']> };

function worksOf(allowances: Allowances, ask: () => Ask): Doing {
  return {
    give: async (wanted) => [...(await giveToKeys(ask(), wanted)).values()],
    takeBack: async ({ key, counted }) => (await giveBackToKey(ask(), key, counted))?.used ?? null,
    weekly: (visits) => takeWeekly(ask(), visits.map(hashed)),
    weeklyBack: async ({ since, ...visitor }) => {
      await giveBackWeekly(ask(), hashed(visitor), since);
      return null;
    },
    minute: (asked) => takeMinute(ask(), asked.map(hashed)),
    spend: async ({ key, paid }) => {
      try {
        return await allowances.keys.spend(key, paid);
      } catch (error) {
        if (error instanceof Undecided) return 'undecided';
        throw error;
      }
    },
    giveBack: async ({ key, counted }) => {
      await allowances.keys.giveBack(key, counted);
      return null;
    },
    visit: async (visitor) => allowances.weekly.visit(visitor),
    leave: async ({ since, ...visitor }) => {
      await allowances.weekly.giveBack(visitor, since);
      return null;
    },
    take: async (minute) => allowances.minutes.take(minute),
  };
}

/** Names in the place of hashes, where a test asks the database directly. */
const hashed = <T extends { readonly client: string }>(each: T) => ({ ...each, client: Buffer.from(each.client) });
