/** The right to withdraw from a contract that was concluded at a distance. */

/** Days after the day of the order; Directive 2011/83/EU, article 9. */
export const WITHDRAWAL_DAYS = 14;

const DAY_MS = 24 * 3_600_000;
/**
 * The day of the order does not count, the last counts whole, and one that is a Saturday, a Sunday or a holiday where
 * the customer lives is followed by the next working day: Regulation (EEC) 1182/71, article 3. Nobody who declares it
 * in that time is told that it is too late.
 */
const MARGIN_DAYS = 6;

/** Until when a withdrawal from a contract concluded at that moment is accepted, epoch ms. */
export function withdrawalEndsAt(concludedAt: number): number {
  return concludedAt + (WITHDRAWAL_DAYS + MARGIN_DAYS) * DAY_MS;
}
