/** What the service passes in for the site. */
import type { CaptchaKind } from '../../domain/access/captcha-kind.ts';
import type { SellingOffer } from '../../domain/billing/selling-offer.ts';
import type { PriceRanges } from '../../domain/fuel.ts';
import type { MapTiles } from '../../domain/map-tiles.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { DumpManifest } from '../../dumps/manifest.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Streets } from '../../vector-tiles/street-tiles.ts';
import type { ApiDescription } from '../frame/api-description.ts';
import type { GermanPages } from '../frame/german-pages.ts';
import type { JourneyPlanner, Visitor } from '../frame/journey-planner.ts';
import type { LatestChanges } from '../frame/latest-changes.ts';
import type { ReportsOf, ReviewsOf } from '../frame/site-data.ts';
import type { Rasterize } from '../previews/rasterizer.ts';
import type { TakeTurn } from '../tiles/tile-cache.ts';

/** The streets of the operator's file, and the turns in which the tiles of the map are then drawn. */
export type SiteStreets = Streets & {
  /** Resolves once the visitor may have a tile drawn; what it resolves with ends the turn. */
  readonly takeTurn: (visitor: Visitor) => ReturnType<TakeTurn>;
};

export type SiteOptions = {
  readonly publicUrl: () => string;
  readonly contact?: string | null;
  readonly captcha?: CaptchaKind;
  /** Of reCAPTCHA; without it, forms take no text where that is the captcha. */
  readonly captchaSiteKey?: string | null;
  /** Whether the service has the keys that price alerts are sent with; it has by default. */
  readonly hasAlerts?: boolean;
  readonly simulated: boolean;
  /** Tiles of another service for the movable map; our own if left out. */
  readonly mapTiles?: MapTiles | null;
  /** Streets for our own maps; none if left out. */
  readonly streets?: SiteStreets | null;
  readonly snapshot: () => Snapshot;
  readonly gazetteer: Gazetteer;
  /** Valid prices; the defaults if left out. */
  readonly ranges?: PriceRanges;
  /** The time from one collection to the next; `null` = not known. */
  readonly collectEveryMs?: number | null;
  /** The current time, epoch ms. */
  readonly clock?: () => number;
  readonly journeys: JourneyPlanner;
  /** The page of the German channel finds no station without it. */
  readonly germany?: GermanPages | null;
  /** Tells clients apart, which share rendering and the drawing of pictures; by connection if left out. */
  readonly clientOf?: (visitor: Visitor) => string;
  /**
   * Resolves once a visitor may have rendered what is not cached, with what ends the turn; `null` = refused. At once if
   * left out.
   */
  readonly takeTurn?: ((visitor: Visitor) => ReturnType<TakeTurn>) | null;
  /** Turns the pictures of link previews into PNG; in a worker thread if left out. */
  readonly rasterize?: Rasterize;
  /** Seconds until the collection under way ends, estimated; `null` = not known. */
  readonly firstPricesInSeconds?: () => number | null;
  /** Without it, the pages of stations have no reviews. */
  readonly reviewsOf?: ReviewsOf;
  /** Without it, the pages of stations take no reports of drivers. */
  readonly reportsOf?: ReportsOf;
  /** The files of open data that the service publishes; `null` = none. The same object while they are the same. */
  readonly dumps?: () => DumpManifest | null;
  /** Without it, the site has no feeds of changes. */
  readonly latestChanges?: LatestChanges;
  /** What is sold or given here; `null` = nothing. */
  readonly selling?: SellingOffer | null;
  /** What the documentation shows; not called before a page is requested. */
  readonly api: () => ApiDescription;
};
