/** A page or a form of selling: its address, and how a request for it is answered. */
import type { BillingView } from '../../domain/billing/billing-view.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { RenderedSnapshot } from '../rendering/rendered-snapshot.ts';

/** How much is shown again of a field that was typed: the length of the longest address. */
export const MAX_SHOWN = 254;

/** What a page or form of selling is asked. */
export type BillingRequest = {
  readonly language: Language;
  readonly query: URLSearchParams;
  /** Of a posted form; empty for a page. */
  readonly fields: Readonly<Record<string, string>>;
  readonly cookies: BillingCookies;
  /** What is served now. */
  readonly rendered: RenderedSnapshot;
  /** Whom limits are counted for. */
  readonly client: string;
};

/** Names of the cookies: that of a session, and that of a browser which waits for the link or code of its login. */
export const COOKIE_NAMES = ['session', 'login'] as const;
export type CookieName = (typeof COOKIE_NAMES)[number];
export type BillingCookies = Readonly<Partial<Record<CookieName, string>>>;

/** A cookie to set; `value: null` removes it. */
export type SetCookie = { readonly name: CookieName; readonly value: string | null; readonly maxAgeSeconds: number };

export type BillingReply = (
  | { readonly view: BillingView }
  /** A path of ours, or an address that Stripe has just answered. */
  | { readonly redirectTo: string }
  /** A file of JSON that the browser stores. */
  | { readonly download: { readonly fileName: string; readonly text: string } }
) & {
  readonly cookies?: readonly SetCookie[];
  /** How long a client whom a limit refused must wait. */
  readonly waitMs?: number;
};

export type BillingRoute = {
  readonly method: 'GET' | 'POST';
  readonly path: LocalizedText;
  /** Whether mail programs may post it, too: the one-click unsubscription of RFC 8058. */
  readonly acceptsOtherSites?: boolean;
  /** Rejects with `DatabaseUnavailable` where the database is away: the reader is told to come back. */
  readonly answer: (request: BillingRequest) => Promise<BillingReply>;
};
