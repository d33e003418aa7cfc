// Generated from the description of the API by clients/generator/generate.ts; never edit it.

import { type CallOptions, Transport } from '../transport.ts';
import type {
  ChangeWebhookFiltru,
  Cheie,
  CreateWebhookFiltru,
  Livrari,
  Modificari,
  RaspunsGeocode,
  RaspunsGermania,
  RaspunsIstoric,
  RaspunsJudet,
  RaspunsMinime,
  RaspunsPreturi,
  RaspunsRecenzie,
  RaspunsRecenzii,
  RaspunsRetele,
  RaspunsStatii,
  RaspunsTraseu,
  RaspunsWebhook,
  Stare,
  TestWebhook,
  WebhookCreat,
  WebhookSters,
  Webhookuri,
} from './models.ts';

export interface GetPricesInput {
  /**
   * Only the cities of one county: full name, with or without diacritics, any letter case, or plate
   * code. Empty = all.
   */
  judet?: string;
}

export type GetNationalPricesInput = Record<string, never>;

export interface GetCountyPricesInput {
  /** County name, with or without diacritics, any letter case, or plate code. */
  judet: string;
}

export type GetNetworksInput = Record<string, never>;

export interface GetStationsInput {
  /**
   * Only stations of one network, by name or slug, any letter case. An unknown brand gives an empty
   * list; empty = all.
   */
  brand?: string;
  /** Only one fuel; any other value is a 400. `adblue` is sold at some stations only. Empty = all. */
  tip?: "benzina_standard" | "benzina_premium" | "motorina_standard" | "motorina_premium" | "gpl" | "adblue";
  /** Latitude of the geo filter; needs `lon`. */
  lat?: number;
  /** Longitude of the geo filter; needs `lat`. */
  lon?: number;
  /** Radius in km, clamped to 0.1 to 50. */
  raza?: number;
  /**
   * Only these stations: at most 100 values of the field `id`, separated by commas. An unknown station
   * is left out. Empty = none.
   */
  id?: Array<string>;
  /** Only stations inside a box: west, south, east, north in degrees, the order of GeoJSON. Empty = all. */
  bbox?: [number, number, number, number];
  /**
   * Only stations of one county: full name, with or without diacritics, any letter case, or plate code.
   * Empty = all.
   */
  judet?: string;
  /**
   * Only stations of a city: its slug in `/preturi`, exactly as there, which means one city; its name,
   * with or without diacritics, which means all cities of that name (add `judet`); or any other way to
   * name a place that `/traseu/custom` understands (`Fântânele, Suceava`, `Cluj`, `Bucharest`). A place
   * without stations gives an empty list, an unknown one 404; empty = all.
   */
  oras?: string;
  /** With `1`, `true`, `yes` or `da`: only records that have a price. */
  cu_pret?: boolean;
  /** With `1`, `true`, `yes` or `da`: without prices flagged `nesigur`. */
  fara_nesigure?: boolean;
  /**
   * Only prices observed within this many calendar days (0 = today), by `observat_la`. Prices without a
   * date and records without a price are left out.
   */
  varsta_max?: number;
  /**
   * `pret`: cheapest first; doubtful prices follow all trusted ones, and records without a price come
   * last; at the same price, nearest first. Without `tip`, different fuels are ranked together.
   * `distanta`: nearest first; needs `lat` and `lon`, with which it is the default.
   */
  sort?: "pret" | "distanta";
  /** At most this many records, the first in the requested order. */
  limita?: number;
  /**
   * `extins`: a record with a price has the field `vechime` too, and one without has `stare`; with `id`,
   * fuels that a station does not sell appear as well, as `nu_se_vinde`.
   */
  campuri?: "extins";
}

export interface GetStationHistoryInput {
  /** The `id` of a `/statii` record. */
  station_id: string;
  /** Days of the window, today included; above 90 means 90. */
  days?: number;
}

export interface GetChangesInput {
  /**
   * The changes after this cursor: `urmatorul`, or the header `Pompa-Cursor`. `acum` = only future ones;
   * empty = from the oldest kept.
   */
  dupa?: string;
  /** At most this many changes, up to 1000. */
  limita?: number;
  /**
   * If nothing follows, the answer waits for the first matching change at most this many seconds, up to
   * 25. At most 8 such requests of a key at a time with each process of the service.
   */
  asteapta?: number;
  /** Only one fuel; leaves out stations that come and go, too. Empty = all. */
  tip?: "benzina_standard" | "benzina_premium" | "motorina_standard" | "motorina_premium" | "gpl" | "adblue";
  /**
   * Only stations of one county, as for `/statii`; the county at the time of the change counts. Empty =
   * all.
   */
  judet?: string;
  /** Only stations of one city, as for `/statii`. Empty = all. */
  oras?: string;
  /** Only stations of one network, by name or slug. Empty = all. */
  brand?: string;
  /**
   * Only these stations: at most 100 values of the field `id` of `/statii`, separated by commas. Empty =
   * none.
   */
  statie?: Array<string>;
}

export interface SearchPlacesInput {
  /** Part of a name. With fewer than 2 characters (not counting spaces at the ends) the list is empty. */
  q?: string;
}

export interface GetGermanStationsInput {
  /** Latitude, in Germany. */
  lat: number;
  /** Longitude, in Germany. */
  lng: number;
  /** Radius in km, clamped to 1 to 25 and rounded to whole km. */
  rad?: number;
}

export interface PlanJourneyInput {
  /** Name of the place of departure. */
  start: string;
  /** Name of the destination. */
  end: string;
  /** The fuel whose prices are requested. */
  tip?: "benzina_standard" | "benzina_premium" | "motorina_standard" | "motorina_premium" | "gpl";
  /** How far a station may be from the route, km; above 15 means 15. */
  raza?: number;
}

export interface GetReviewsInput {
  /** The station's slug, the last part of its page's address; its last 12 characters, the `id`, decide. */
  slug: string;
}

export interface AddReviewInput {
  /** The station's slug; its last 12 characters decide. */
  statie_slug: string;
  /** Stars. */
  rating: number;
  /** At most 50 characters as people see them; `Anonim` or empty means no name. */
  nickname?: string;
  /** At most 500 characters as people see them. */
  comment?: string;
  /**
   * Required with a comment or a nickname; valid once: the ALTCHA solution of a challenge from
   * `/captcha/provocare` or, where the service uses reCAPTCHA, a v3 token with the action `review`.
   */
  recaptcha_token?: string;
}

export interface GetKeyInput {
  /** `extins`: the field `webhookuri`, too. */
  campuri?: "extins";
}

export type GetWebhooksInput = Record<string, never>;

export interface CreateWebhookInput {
  /** The public `https` address that we send to, on port 443. */
  url: string;
  /** Which changes are sent; a field that is null or absent leaves nothing out. */
  filtru?: CreateWebhookFiltru | null;
  /** The kinds of changes that are sent, as `fel` of `/modificari`. */
  fel?: Array<"pret" | "retras" | "revenit" | "steag" | "statie_noua" | "statie_disparuta">;
}

export interface GetWebhookInput {
  /** The field `id` of the webhook. */
  id: string;
}

export interface ChangeWebhookInput {
  /** The field `id` of the webhook. */
  id: string;
  /** The public `https` address that we send to, on port 443. */
  url?: string;
  /** Which changes are sent; a field that is null or absent leaves nothing out. */
  filtru?: ChangeWebhookFiltru | null;
  /** The kinds of changes that are sent, as `fel` of `/modificari`. */
  fel?: Array<"pret" | "retras" | "revenit" | "steag" | "statie_noua" | "statie_disparuta">;
  /** `true` stops sending, `false` resumes it where it stopped. */
  pauza?: boolean;
}

export interface DeleteWebhookInput {
  /** The field `id` of the webhook. */
  id: string;
}

export interface TestWebhookInput {
  /** The field `id` of the webhook. */
  id: string;
}

export interface GetWebhookDeliveriesInput {
  /** The field `id` of the webhook. */
  id: string;
}

export interface ReplayWebhookInput {
  /** The field `id` of the webhook. */
  id: string;
  /** The cursor after which to send again; `acum` = only future changes. */
  dupa: string;
}

export interface RenewWebhookSecretInput {
  /** The field `id` of the webhook. */
  id: string;
}

export type GetHealthInput = Record<string, never>;

/** A method for each operation of the API. */
export abstract class Endpoints extends Transport {
  /**
   * City minimum prices and network averages.
   *
   * Current minimum trusted price of each city, largest population first, and the national average of
   * each network. Without a key the 20 largest cities (of the county, if one is requested); never
   * capped. Cities without a trusted price are left out.
   */
  getPrices(input: GetPricesInput = {}, options: CallOptions = {}): Promise<RaspunsPreturi> {
    return this.call({ method: 'GET', path: '/api/v1/preturi', hasBody: false, answers: [200] }, { ...input }, options);
  }

  /**
   * National minimum, average and maximum per fuel.
   *
   * Over all trusted station prices. No key, no cap.
   */
  getNationalPrices(input: GetNationalPricesInput = {}, options: CallOptions = {}): Promise<RaspunsMinime> {
    return this.call({ method: 'GET', path: '/api/v1/preturi/minime', hasBody: false, answers: [200] }, { ...input }, options);
  }

  /**
   * Average prices of one county.
   *
   * Average of the minimum prices of the cities of a county, 2 decimals.
   */
  getCountyPrices(input: GetCountyPricesInput, options: CallOptions = {}): Promise<RaspunsJudet> {
    return this.call({ method: 'GET', path: '/api/v1/judete/{judet}', hasBody: false, answers: [200] }, { ...input }, options);
  }

  /**
   * National average per network.
   *
   * Average of the trusted station prices of each network, 2 decimals; null for a fuel that it does not
   * sell.
   */
  getNetworks(input: GetNetworksInput = {}, options: CallOptions = {}): Promise<RaspunsRetele> {
    return this.call({ method: 'GET', path: '/api/v1/retele', hasBody: false, answers: [200] }, { ...input }, options);
  }

  /**
   * One record per station and fuel.
   *
   * Without a geo filter, ordered by county, city, station and fuel; with one (`lat` and `lon`
   * together), only stations within the radius, nearest first, each record with `distanta_km`. Filters
   * combine. Without a key, at most 150 records: an even spread over the order, the same until the next
   * publication, or the first 150 where the request has a point, `id`, `sort` or `limita`;
   * `total_disponibil` and `nota` are present when something was left out (CSV has the header
   * `Pompa-Total` instead).
   */
  getStations(input: GetStationsInput = {}, options: CallOptions = {}): Promise<RaspunsStatii> {
    return this.call({ method: 'GET', path: '/api/v1/statii', hasBody: false, answers: [200] }, { ...input }, options);
  }

  /**
   * Daily price series of one station.
   *
   * All days of the window from the first known day of the station to today, in Romanian calendar days;
   * a day without a measurement is null in every series. `variatie` has the fuels with at least two
   * known days in the window.
   */
  getStationHistory(input: GetStationHistoryInput, options: CallOptions = {}): Promise<RaspunsIstoric> {
    return this.call({ method: 'GET', path: '/api/v1/statie/{station_id}/istoric', hasBody: false, answers: [200] }, { ...input }, options);
  }

  /**
   * What changed in what is served, change by change.
   *
   * Every change of the records of `/statii`, those by time alone (expiry, a stuck price, an orphan)
   * included, in total order, for 30 days. Read `/statii` with the key, keep the header `Pompa-Cursor`,
   * then apply the changes after it: you always have what `/statii` serves. Continue with `urmatorul`.
   * With `If-None-Match` an unchanged answer is a 304 and consumes nothing.
   */
  getChanges(input: GetChangesInput = {}, options: CallOptions = {}): Promise<Modificari> {
    return this.call({ method: 'GET', path: '/api/v1/modificari', hasBody: false, answers: [200] }, { ...input }, options);
  }

  /**
   * City-name autocomplete.
   *
   * At most 10 names that contain the text, ignoring letter case and diacritics, most populous first;
   * places that share a name are listed with their county.
   */
  searchPlaces(input: SearchPlacesInput = {}, options: CallOptions = {}): Promise<RaspunsGeocode> {
    return this.call({ method: 'GET', path: '/api/v1/geocode', hasBody: false, answers: [200] }, { ...input }, options);
  }

  /**
   * Stations in Germany around a point, prices in EUR.
   *
   * Live prices from a public German source (CC BY 4.0; attribution as `sursa` and `atribuire` say),
   * nearest first. An answer is kept for 10 minutes for all points within the same hundredth of a degree
   * and the same radius in whole km, so `lat` and `lng` may be those of an earlier request. Questions to
   * the source are limited per hour, in all and for each address; beyond that the answer is an earlier
   * one, up to an hour old (`generat_la`), or 503. At most 30 requests per minute from one address. No
   * key needed, no weekly cap.
   */
  getGermanStations(input: GetGermanStationsInput, options: CallOptions = {}): Promise<RaspunsGermania> {
    return this.call({ method: 'GET', path: '/api/v1/de-statii', hasBody: false, answers: [200] }, { ...input }, options);
  }

  /**
   * Stations along a route.
   *
   * Finds two places by name, the driving route between them, and the stations with a trusted price of
   * one fuel within a corridor, cheapest first, then nearest to the route. A name may include its county
   * (`Fântânele, Suceava` or `Fântânele, SV`); of several places with the same name the most populous is
   * used.
   */
  planJourney(input: PlanJourneyInput, options: CallOptions = {}): Promise<RaspunsTraseu> {
    return this.call({ method: 'POST', path: '/api/v1/traseu/custom', hasBody: true, answers: [200] }, { ...input }, options);
  }

  /**
   * Rating and reviews of a station.
   *
   * The mean rating and up to 20 approved reviews, newest first. A station without reviews, or one that
   * does not exist, has an empty list.
   */
  getReviews(input: GetReviewsInput, options: CallOptions = {}): Promise<RaspunsRecenzii> {
    return this.call({ method: 'GET', path: '/api/v1/reviews/{slug}', hasBody: false, answers: [200] }, { ...input }, options);
  }

  /**
   * Rate or review a station.
   *
   * Stars alone count at once. A comment or a name of your own needs a `recaptcha_token` and appears
   * after approval, stars included. One review per day and station, and 3 per day, from one address;
   * days begin at midnight in Romania.
   */
  addReview(input: AddReviewInput, options: CallOptions = {}): Promise<RaspunsRecenzie> {
    return this.call({ method: 'POST', path: '/api/v1/review', hasBody: true, answers: [200] }, { ...input }, options);
  }

  /**
   * Status and usage of the key in the request.
   *
   * Does not count towards the monthly quota, but does count towards the short-term limits. For servers
   * only: pages of other origins cannot read it.
   */
  getKey(input: GetKeyInput = {}, options: CallOptions = {}): Promise<Cheie> {
    return this.call({ method: 'GET', path: '/api/v1/cheie', hasBody: false, answers: [200] }, { ...input }, options);
  }

  /**
   * The webhooks of the key in the request.
   *
   * Does not count towards the monthly quota, like every endpoint of webhooks. Secrets are not shown.
   */
  getWebhooks(input: GetWebhooksInput = {}, options: CallOptions = {}): Promise<Webhookuri> {
    return this.call({ method: 'GET', path: '/api/v1/cheie/webhookuri', hasBody: false, answers: [200] }, { ...input }, options);
  }

  /**
   * A new webhook.
   *
   * The answer has the secret, which is never shown again. Nothing is sent until the address answers a
   * test with 2xx (`POST …/{id}/test`). At most 5 for a key, and 60 changes an hour.
   */
  createWebhook(input: CreateWebhookInput, options: CallOptions = {}): Promise<WebhookCreat> {
    return this.call({ method: 'POST', path: '/api/v1/cheie/webhookuri', hasBody: true, answers: [201] }, { ...input }, options);
  }

  /**
   * A webhook and its state.
   *
   * `stare` says whether it is sent to, and `motiv_oprire` why we stopped it.
   */
  getWebhook(input: GetWebhookInput, options: CallOptions = {}): Promise<RaspunsWebhook> {
    return this.call({ method: 'GET', path: '/api/v1/cheie/webhookuri/{id}', hasBody: false, answers: [200] }, { ...input }, options);
  }

  /**
   * Changes, pauses or resumes a webhook.
   *
   * Fields that are absent stay as they are; `filtru` is replaced as a whole, `{}` = no filter. A new
   * address has to be verified again by a test.
   */
  changeWebhook(input: ChangeWebhookInput, options: CallOptions = {}): Promise<RaspunsWebhook> {
    return this.call({ method: 'PATCH', path: '/api/v1/cheie/webhookuri/{id}', hasBody: true, answers: [200] }, { ...input }, options);
  }

  /**
   * Deletes a webhook.
   *
   * Nothing is sent any more; its deliveries are deleted, too.
   */
  deleteWebhook(input: DeleteWebhookInput, options: CallOptions = {}): Promise<WebhookSters> {
    return this.call({ method: 'DELETE', path: '/api/v1/cheie/webhookuri/{id}', hasBody: false, answers: [200] }, { ...input }, options);
  }

  /**
   * Sends a signed test.
   *
   * Sends the event `ping` and waits for the address to answer, at most 15 seconds; our answer is 200
   * also when the test fails. A test that succeeds verifies the address, and restarts a webhook that we
   * stopped. At most 10 an hour for a key.
   */
  testWebhook(input: TestWebhookInput, options: CallOptions = {}): Promise<TestWebhook> {
    return this.call({ method: 'POST', path: '/api/v1/cheie/webhookuri/{id}/test', hasBody: false, answers: [200] }, { ...input }, options);
  }

  /**
   * The last deliveries.
   *
   * What was or is to be sent, how often, what the address answered, and why it failed.
   */
  getWebhookDeliveries(input: GetWebhookDeliveriesInput, options: CallOptions = {}): Promise<Livrari> {
    return this.call({ method: 'GET', path: '/api/v1/cheie/webhookuri/{id}/livrari', hasBody: false, answers: [200] }, { ...input }, options);
  }

  /**
   * Delivers again from a cursor on.
   *
   * Everything after the cursor is sent, again or for the first time; what was waiting is not sent
   * besides. At most 5 an hour for a key.
   */
  replayWebhook(input: ReplayWebhookInput, options: CallOptions = {}): Promise<RaspunsWebhook> {
    return this.call({ method: 'POST', path: '/api/v1/cheie/webhookuri/{id}/reia', hasBody: true, answers: [200] }, { ...input }, options);
  }

  /**
   * A new secret.
   *
   * The new secret is shown only in this answer. The one before signs, too, for 24 hours, however many
   * new ones follow: each delivery has a signature with each secret. At most 4 earlier secrets sign at a
   * time.
   */
  renewWebhookSecret(input: RenewWebhookSecretInput, options: CallOptions = {}): Promise<WebhookCreat> {
    return this.call({ method: 'POST', path: '/api/v1/cheie/webhookuri/{id}/secret', hasBody: false, answers: [200] }, { ...input }, options);
  }

  /**
   * Data freshness.
   *
   * 200 when every price source in service delivered within the last 24 hours and prices are being
   * served; otherwise 503 with the same fields. No key, no quota.
   */
  getHealth(input: GetHealthInput = {}, options: CallOptions = {}): Promise<Stare> {
    return this.call({ method: 'GET', path: '/api/v1/health', hasBody: false, answers: [200, 503] }, { ...input }, options);
  }
}
