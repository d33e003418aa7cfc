/** Why a price is doubtful or missing, as the API spells it. */
import type { PublishedPrice } from '../../domain/changes/published-change.ts';
import type { DoubtReason } from '../../domain/prices/price-verdict.ts';

export const DOUBT_CODES: Readonly<Record<DoubtReason, string>> = {
  stuck: 'blocat',
  stale: 'observatie_veche',
  orphaned: 'orfan_anpc',
};

export const REASON_CODES: Readonly<Record<NonNullable<PublishedPrice['reason']>, string>> = {
  ...DOUBT_CODES,
  unsold: 'nu_se_vinde',
  expired: 'expirat',
  incoherent: 'incoerent',
  unpublished: 'fara_pret_publicat',
  invalid: 'pret_invalid',
  // A word of the files alone.
  withheld: 'alta_sursa',
};
