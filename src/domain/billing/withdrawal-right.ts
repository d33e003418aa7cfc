/** The right to withdraw from a contract that was concluded at a distance. */

/** Days after the day of the order; Directive 2011/83/EU, article 9. */
export const WITHDRAWAL_DAYS = 14;

const DAY_MS = 24 * 3_600_000;

/**
 * When the right ends for a contract concluded at that moment, epoch ms. The day of the order does not count and the
 * last counts whole, wherever the customer lives: hence a day more.
 */
export function withdrawalEndsAt(concludedAt: number): number {
  return concludedAt + (WITHDRAWAL_DAYS + 1) * DAY_MS;
}
