/** The page by which a consumer withdraws from the contract. */
import type { Language } from '../localized-text.ts';
import type { PaidPlan } from './paid-plans.ts';

/** `unknown`: no contract with this order number and address; `too late`: the days of the right are over. */
export type WithdrawalProblem = 'name' | 'email' | 'order' | 'unknown' | 'too late' | 'too many';

/** What was typed. */
export type WithdrawalFields = { readonly name: string; readonly email: string; readonly order: string };

export type WithdrawalView = {
  readonly page: 'withdrawal';
  readonly language: Language;
  /** Whether there is an account to go back to. */
  readonly isLoggedIn: boolean;
} & (
  | { readonly step: 'form'; readonly fields: WithdrawalFields; readonly problems: readonly WithdrawalProblem[] }
  /** Nothing has happened yet: one more button declares it. */
  | {
      readonly step: 'confirm';
      readonly fields: WithdrawalFields;
      readonly plan: PaidPlan;
      /** Epoch ms. */
      readonly concludedAt: number;
    }
  | { readonly step: 'done' }
);
