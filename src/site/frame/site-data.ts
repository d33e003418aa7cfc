/** What pages are rendered from. */
import type { CaptchaKind } from '../../domain/access/captcha-kind.ts';
import type { SellingOffer } from '../../domain/billing/selling-offer.ts';
import type { AcceptedReport } from '../../domain/driver-report.ts';
import type { PriceRanges } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import type { MapTiles } from '../../domain/map-tiles.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { PublicReviews } from '../../domain/review.ts';
import type { DumpManifest } from '../../dumps/manifest.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { ApiDescription } from './api-description.ts';
import type { GermanPages } from './german-pages.ts';
import type { JourneyPlanner, OutsideTurn, Visitor } from './journey-planner.ts';
import type { LatestChanges } from './latest-changes.ts';
import type { Page, Redirect } from './page.ts';

/** The approved reviews of a station by the part of its page's address that names it; `null` = not readable now. */
export type ReviewsOf = (slug: string) => Promise<PublicReviews | null>;

/** The reports of drivers on a station, by its id, that a moderator accepted; `null` = not readable now. */
export type ReportsOf = (station: string) => Promise<readonly AcceptedReport[] | null>;

export type SiteData = {
  /** The address that links and examples use, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether the data are simulated, which every page then states. */
  readonly simulated: boolean;
  /** E-mail or URL of the operator; `null` = not set. */
  readonly contact: string | null;
  /** How texts that visitors send are checked. */
  readonly captcha: CaptchaKind;
  /** Names the site to Google's reCAPTCHA; `null` = not set. */
  readonly captchaSiteKey: string | null;
  /** Whether browsers can subscribe to price alerts. */
  readonly hasAlerts: boolean;
  /** Tiles of another service for the movable map; `null` = our own. */
  readonly mapTiles: MapTiles | null;
  /** The largest zoom of our own maps, which then have streets; `null` = they have none. */
  readonly streetZoom: number | null;
  readonly snapshot: Snapshot;
  readonly gazetteer: Gazetteer;
  /** Valid prices. */
  readonly ranges: PriceRanges;
  /** The time from one collection to the next; `null` = not known. */
  readonly collectEveryMs: number | null;
  /** The current time, epoch ms. */
  readonly clock: () => number;
  readonly journeys: JourneyPlanner;
  /** `null` = the operator has set no key of the German source. */
  readonly germany: GermanPages | null;
  /** What the documentation shows. */
  readonly api: ApiDescription;
  /** When the first prices are expected, in a service without any; `null` = not known. */
  readonly firstPricesInSeconds: number | null;
  /** `null` = the site has no reviews. */
  readonly reviewsOf: ReviewsOf | null;
  /** `null` = the site takes no reports. */
  readonly reportsOf: ReportsOf | null;
  /** The files of open data that the service publishes; `null` = none. */
  readonly dumps: DumpManifest | null;
  /** `null` = the site has no feeds of changes. */
  readonly latestChanges: LatestChanges | null;
  /** What is sold or given here; `null` = nothing. */
  readonly selling: SellingOffer | null;
};

/** A page as requested. */
export type PageRequest = {
  readonly language: Language;
  /** The segments of the path that the route names. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly visitor: Visitor;
  readonly outsideTurn: OutsideTurn;
  readonly data: SiteData;
};

/** Makes a page; `null` = there is none at this address. */
export type PageMaker = (request: PageRequest) => Page | Redirect | null | Promise<Page | Redirect | null>;
