/**
 * What the pages of selling show: the API makes a view from what is stored and asked, the site renders it. A view holds
 * no secret but those that its reader is to see.
 */
import type { Language } from '../localized-text.ts';
import type { AccountView } from './account-view.ts';
import type { AddressView } from './address-view.ts';
import type { DeletionView } from './deletion-view.ts';
import type { FreeKeyView } from './free-key-view.ts';
import type { LoginView } from './login-view.ts';
import type { OrderedView, OrderView } from './order-view.ts';
import type { UnsubscriptionView } from './unsubscription-view.ts';
import type { WebhooksView } from './webhooks-view.ts';
import type { WithdrawalView } from './withdrawal-view.ts';

/** Why a form was not read, or nothing can be done now. */
export type RefusedView = {
  readonly page: 'refused';
  readonly language: Language;
  readonly why: 'other site' | 'malformed' | 'too large' | 'too many' | 'not deleted' | 'unavailable';
};

export type BillingView =
  | RefusedView
  | OrderView
  | OrderedView
  | WithdrawalView
  | FreeKeyView
  | LoginView
  | AccountView
  | AddressView
  | DeletionView
  | UnsubscriptionView
  | WebhooksView;
