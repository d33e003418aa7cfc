/**
 * The tables as Kysely sees them. Reads instants as epoch milliseconds and days as `YYYY-MM-DD` (see value-types.ts),
 * writes them as `Date` and as text.
 */
import { type ColumnType, type Generated, type RawBuilder, sql } from 'kysely';
import type { ChangeKind } from '../../domain/changes/served-change.ts';
import type { PriceReason } from '../../domain/changes/served-price.ts';
import type { ReportKind } from '../../domain/driver-report.ts';
import type { Fuel } from '../../domain/fuel.ts';
import type { ScopeKind } from '../../domain/prices/day-statistics.ts';
import type { BackupSchema } from './tables/backup-schema.ts';
import type { BillingSchema } from './tables/billing-schema.ts';
import type { Instant, MaybeInstant } from './tables/column-types.ts';
import type { WebhookSchema } from './tables/webhook-schema.ts';

/** An instant as an operand in a comparison with a column of instants. */
export function instant(epochMs: number): RawBuilder<number> {
  return sql`${new Date(epochMs)}::timestamptz`;
}

type OtherTables = BackupSchema & BillingSchema & WebhookSchema;

export type Schema = OtherTables & {
  publication: {
    only_row: Generated<boolean>;
    version: number;
    published_at: MaybeInstant;
    updated_at: MaybeInstant;
  };
  changed_days: { version: number; day: string };
  packed_facts: { only_row: Generated<boolean>; version: number; migration: number; format: string; content: Buffer };
  leases: { name: string; holder: string; fence: number; expires_at: Instant };
  sources: { name: string; delivered_at: MaybeInstant; downloaded_at: MaybeInstant };
  runs: {
    id: Generated<number>;
    source: string;
    at: Instant;
    started_at: Instant;
    finished_at: Instant;
    outcome: 'delivered' | 'set_aside' | 'failed';
    scheduled: boolean;
    forced: boolean;
    requests: number;
    rows: number;
    rejected: ColumnType<Record<string, number>, string>;
    samples: ColumnType<Record<string, string[]>, string>;
    matched: number;
    new: number;
    ambiguous: ColumnType<{ key: string; stations: string[] }[], string>;
    changed: number;
    failed_units: string[];
    means: ColumnType<Record<string, number>, string>;
    reason: string | null;
  };
  stations: { id: string; created_at: Instant; first_day: string | null; fuels: Generated<number> };
  station_aliases: {
    source: string;
    key: string;
    station_id: string;
    network: string;
    brand: string;
    name: string;
    address: string;
    lat: number | null;
    lng: number | null;
    siruta: number | null;
    locality: string | null;
    hours: string | null;
    services: string[];
    phone: string | null;
    manual: ColumnType<{ name: string; franchise: boolean | null; priceNote: string | null } | null, string | null>;
    first_at: Instant;
    seen_at: Instant;
  };
  unit_reads: { source: string; unit: string; read_at: MaybeInstant; refusals: number };
  price_facts: {
    station_id: string;
    fuel: number;
    source: string;
    unit: string;
    price: number | null;
    observed_day: string | null;
    observed_at: MaybeInstant;
    observed_text: string | null;
    since_day: string;
    changed: boolean;
    seen_at: Instant;
    missing_since: MaybeInstant;
  };
  observations: {
    id: Generated<number>;
    station_id: string;
    fuel: number;
    source: string;
    price: number | null;
    missing: boolean;
    observed_day: string | null;
    observed_at: MaybeInstant;
    observed_text: string | null;
    seen_at: Instant;
    run_id: number | null;
  };
  daily_prices: {
    day: string;
    station_id: string;
    facts: number;
    trusted: number | null;
  } & Record<Fuel, number | null>;
  day_statistics: {
    day: string;
    kind: ScopeKind;
    fuel: number;
    names: string[];
    stations: number[];
    min: number[];
    low: number[];
    median: number[];
    mean: number[];
    high: number[];
    max: number[];
  };
  change_feed: {
    only_row: Generated<boolean>;
    epoch: string | null;
    seq: Generated<number>;
    states: Generated<number>;
    version: Generated<number>;
    told_at: MaybeInstant;
    until: MaybeInstant;
  };
  served_states: { number: number; seq: number; version: number; told_at: Instant; until: Instant };
  served_prices: { station_id: string; fuel: number; price: number | null; reason: PriceReason | null };
  served_changes: {
    seq: number;
    version: number;
    told_at: Instant;
    station_id: string;
    fuel: number | null;
    kind: ChangeKind;
    old_price: number | null;
    old_reason: PriceReason | null;
    new_price: number | null;
    new_reason: PriceReason | null;
    source: string | null;
    observed_day: string | null;
    observed_at: MaybeInstant;
    county: string;
    city: string;
    network: string;
  };
  secrets: { name: string; value: Buffer };
  address_keys: {
    id: Generated<number>;
    purpose: string;
    key: Buffer;
    created_at: Instant;
    superseded_at: MaybeInstant;
  };
  api_keys: {
    id: Generated<number>;
    plan: string;
    quota: number | null;
    email: string | null;
    subscription: string | null;
    created_at: Instant;
    revoked_at: MaybeInstant;
    account_id: number | null;
    cap: number | null;
  };
  key_secrets: {
    sha256: Buffer;
    key_id: number;
    last4: string;
    created_at: Instant;
    expires_at: MaybeInstant;
    slot: Generated<number>;
    is_mailed: Generated<boolean>;
  };
  key_changes: { version: Generated<number>; key_id: number };
  reviews: {
    id: Generated<number>;
    station_id: string;
    slug: string;
    rating: number;
    nickname: string | null;
    comment: string | null;
    state: 'pending' | 'approved' | 'rejected';
    created_at: Instant;
    decided_at: MaybeInstant;
    client: Buffer | null;
    network: Buffer | null;
  };
  driver_reports: {
    id: Generated<number>;
    station_id: string;
    slug: string;
    kind: ReportKind;
    fuel: number | null;
    shown_price: number | null;
    version: number;
    shown_at: MaybeInstant;
    seen_price: number | null;
    comment: string | null;
    state: 'open' | 'accepted' | 'rejected';
    created_at: Instant;
    decided_at: MaybeInstant;
    client: Buffer | null;
    network: Buffer | null;
  };
  key_usage: {
    key_id: number;
    recent: Generated<number[]>;
    month: Generated<number>;
    used: Generated<number>;
    total: Generated<number>;
    last_used: MaybeInstant;
    day: Generated<string>;
    days: Generated<number[]>;
  };
  weekly_caps: { client: Buffer; endpoint: string; accepted_at: Instant };
  minute_windows: { client: Buffer; name: string; recent: number[] };
  push_subscriptions: {
    id: Generated<number>;
    endpoint: string;
    endpoint_sha256: Buffer;
    origin: string;
    p256dh: Buffer;
    auth: Buffer;
    city: string | null;
    fuel: number | null;
    client: Buffer | null;
    network: Buffer | null;
    created_at: Instant;
    alerted_at: MaybeInstant;
  };
  alerts: {
    id: Generated<number>;
    version: number;
    city: string | null;
    fuel: number;
    at: Instant;
    price: number;
    facts: ColumnType<unknown, string>;
  };
  alert_deliveries: {
    alert_id: number;
    subscription_id: number;
    origin: string;
    due_at: Instant;
    tries: Generated<number>;
    done_at: MaybeInstant;
    outcome: 'delivered' | 'gone' | 'refused' | 'expired' | null;
  };
  alert_state: { only_row: Generated<boolean>; version: number };
  alerts_waiting: { city: string | null; fuel: number; day: string };
  daily_reliance: {
    day: string;
    station_id: string;
  } & Record<Fuel, string | null>;
  german_answers: {
    lat: number;
    lng: number;
    radius_km: number;
    asks: Generated<number>;
    asking_until: Instant;
    failed: Generated<boolean>;
    answered_at: MaybeInstant;
    asked_lat: number | null;
    asked_lng: number | null;
    stations: ColumnType<unknown[] | null, string | null>;
  };
  german_budget: {
    only_row: Generated<boolean>;
    recent: Generated<number[]>;
    caller_times: Generated<number[]>;
    caller_clients: Generated<Buffer[]>;
    caller_networks: Generated<Buffer[]>;
  };
  /** Tokens that the verifier accepted, also for a review that a limit then refused: each is valid once. */
  captcha_tokens: { sha256: Buffer; used_at: Instant };
};
