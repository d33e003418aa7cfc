/** What a page is: its content, and what the frame around it must know. */
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { RouteName } from '../../domain/pages/routes.ts';
import type { Html } from '../html/html-template.ts';

export type Link = { readonly name: string; readonly path: string };

/** A module of `src/site/browser/` or `embed-code/` that a page starts; all others are loaded by its imports. */
type BrowserModule =
  | 'alerts'
  | 'copy-text'
  | 'favourites'
  | 'map'
  | 'near-me'
  | 'place-field'
  | 'search'
  | 'text-form'
  | 'try-it';

/** A page in one language. */
export type Page = {
  readonly language: Language;
  /** The route it belongs to: the navigation marks it. */
  readonly route: RouteName;
  /** Its path in each language. */
  readonly paths: LocalizedText;
  /** 52 to 66 characters where search engines shall show it whole. */
  readonly title: string;
  /** One sentence with today's figure. */
  readonly description: string;
  readonly content: Html;
  /** From the country down to the parent of this page. */
  readonly breadcrumb?: readonly Link[];
  /** JSON-LD, a block each. */
  readonly structuredData?: readonly object[];
  readonly modules?: readonly BrowserModule[];
  /** Other services whose pictures its code loads: scheme, host and port of each. */
  readonly imageOrigins?: readonly string[];
  /** Whether it contains its style, since it is shown where no other file can be loaded. */
  readonly containsStyle?: boolean;
  /** Whether its content has the search form, which the header then leaves out. */
  readonly hasSearchForm?: boolean;
  /** The page that search engines shall show instead; its path. */
  readonly canonical?: string;
  /** The path of the Atom feed with what the page shows. */
  readonly feed?: string;
  /** Whether the frame says how old the prices are. */
  readonly showsPrices?: boolean;
  /** Whether search engines shall list it; they shall unless this is false. */
  readonly isIndexed?: boolean;
  /** 200 unless the page is about a refusal. */
  readonly status?: 200 | 400 | 403 | 404 | 409 | 429 | 503;
  /** When a reader who was refused may try again, seconds. */
  readonly retryAfterSeconds?: number;
  /** How long it may be cached, if it tells how much time has passed; else until the data change. */
  readonly cacheForMs?: number;
  /** A page of one visitor is cached neither here nor elsewhere. */
  readonly isPrivate?: boolean;
  /** Whether the next request may get the same page; not if it shows more than the snapshot has. It may by default. */
  readonly isCacheable?: boolean;
  /** Whether its forms may load the captcha of Google, which the security policy then admits. */
  readonly admitsRecaptcha?: boolean;
  /** Whether it shows pages of this site in frames. */
  readonly framesOwnPages?: boolean;
  /** Origins of other services to which an answer to its forms may lead, such as that of a checkout. */
  readonly formOrigins?: readonly string[];
  /** A browser names the page that a form came from only if the page lets it. */
  readonly hasForm?: boolean;
};

/** Another address that has what was asked for. */
export type Redirect = { readonly redirect: string };

/** A response of the site. */
export type SiteResponse = {
  readonly status: number;
  readonly contentType: string;
  /** The same buffer for as long as the content does not change. */
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it answers one request only, so that neither caching it nor compressing it well is worth it. */
  readonly singleUse?: boolean;
  /** How long the site may cache it, if it shows more than the snapshot has; else until the data change. */
  readonly cacheForMs?: number;
  /** Whether other sites may show it in a frame. */
  readonly isFramed?: boolean;
};
