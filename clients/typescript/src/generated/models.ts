// Generated from the description of the API by clients/generator/generate.ts; never edit it.

export interface ChangeWebhookFiltru {
  /** Only one fuel; leaves out stations that come and go, too. */
  tip?: "benzina_standard" | "benzina_premium" | "motorina_standard" | "motorina_premium" | "gpl" | "adblue" | null;
  /** Only stations of one county, by its plate code. */
  judet?: string | null;
  /** Only stations of one city, by its slug. */
  oras?: string | null;
  /** Only stations of one network, by its slug. */
  brand?: string | null;
  /** Only these stations, by the field `id` of `/statii`. */
  statii?: Array<string> | null;
}

export interface Cheie {
  /** Always `ok`. */
  status: "ok";
  /** Plan code. */
  plan: string;
  /** Name of the plan. */
  plan_nume: string;
  /** Effective monthly quota: that of the key if it has its own, otherwise that of the plan. */
  limita_lunara: number;
  /** Requests counted in the current calendar month in UTC. */
  consum_luna: number;
  /** Requests counted since the key was created. */
  total_cereri: number;
  /** When the key was created, UTC. */
  creata: string;
  /** When a request was last counted, UTC; null = never. */
  ultima_folosire: string | null;
  /** Whether the key belongs to an active subscription. */
  abonament: boolean;
  /** The last 30 days, oldest first, today last. */
  zilnic: Array<CheieZilnic>;
  /**
   * Only with `campuri=extins`: the webhooks of the key, with `stare` and, of one that we stopped,
   * `motiv_oprire`.
   */
  webhookuri?: Array<Webhook>;
}

export interface CheieNeverificata {
  /** Always `error`. */
  status: "error";
  /** Explanation in Romanian; not part of the contract. */
  message: string;
  /** The same in English. */
  message_en: string;
  /** Same as `Retry-After`. */
  retry_after_seconds: number;
}

export interface CheieZilnic {
  /** Day in UTC. */
  zi: string;
  /** Requests counted on that day. */
  count: number;
}

export interface CotaConsumata {
  /** Always `error`. */
  status: "error";
  /** Explanation in Romanian; not part of the contract. */
  message: string;
  /** The monthly quota. */
  limit: number;
  /** The plans page. */
  upgrade_url: string;
}

export interface CreateWebhookFiltru {
  /** Only one fuel; leaves out stations that come and go, too. */
  tip?: "benzina_standard" | "benzina_premium" | "motorina_standard" | "motorina_premium" | "gpl" | "adblue" | null;
  /** Only stations of one county, by its plate code. */
  judet?: string | null;
  /** Only stations of one city, by its slug. */
  oras?: string | null;
  /** Only stations of one network, by its slug. */
  brand?: string | null;
  /** Only these stations, by the field `id` of `/statii`. */
  statii?: Array<string> | null;
}

export interface CursorExpirat {
  /** Always `error`. */
  status: "error";
  /** Explanation in Romanian; not part of the contract. */
  message: string;
  /**
   * The oldest cursor kept. For the present state read `/statii` again and continue from the header
   * `Pompa-Cursor`.
   */
  reia_de_la: string;
}

export interface Eroare {
  /** Always `error`. */
  status: "error";
  /** Explanation in Romanian; not part of the contract. */
  message: string;
}

export interface EroareTraseu {
  /** Always false. */
  ok: false;
  /** Explanation in Romanian; not part of the contract. */
  msg: string;
}

export interface EvenimentModificari {
  /** The kind of event. */
  type: "modificari";
  /** When it happened, UTC. */
  timestamp: string;
  data: EvenimentModificariData;
}

export interface EvenimentModificariData {
  /** The field `id` of the webhook. */
  webhook_id: string;
  /** The cursor before these changes: `pana_la` of the delivery before. */
  dupa: string;
  /** The cursor after these changes: store it together with the data. */
  pana_la: string;
  /** How many changes there are. */
  total: number;
  /**
   * In order, oldest first. Absent when there are more than 50, or after a long gap: read
   * `/modificari?dupa=` up to `pana_la`.
   */
  modificari?: Array<Modificare>;
}

export interface EvenimentPing {
  /** The kind of event. */
  type: "ping";
  /** When it happened, UTC. */
  timestamp: string;
  data: EvenimentPingData;
}

export interface EvenimentPingData {
  /** The field `id` of the webhook. */
  webhook_id: string;
}

export interface EvenimentReluare {
  /** The kind of event. */
  type: "reluare";
  /** When it happened, UTC. */
  timestamp: string;
  data: EvenimentReluareData;
}

export interface EvenimentReluareData {
  /** The field `id` of the webhook. */
  webhook_id: string;
  /** The cursor after these changes: store it together with the data. */
  pana_la: string;
}

export interface InregistrareStatie {
  /** Stable station identifier; the value to use in the history path. */
  id: string;
  /** Network name. */
  brand: string;
  /** City name, ASCII; may be empty. */
  oras: string;
  /** County name (not the code), ASCII; may be empty. */
  judet: string;
  /** Address; may be empty. */
  adresa: string;
  /** Latitude, WGS84 degrees. */
  lat: number;
  /** Longitude, WGS84 degrees. */
  lng: number;
  /** Fuel type of the record. */
  tip: "benzina_standard" | "benzina_premium" | "motorina_standard" | "motorina_premium" | "gpl" | "adblue";
  /** Price, RON per litre; null = no such price. */
  pret: number | null;
  /** Only when true: withdrawn, because its source did not publish for over 24 hours. */
  pret_expirat?: true;
  /** Only when true: served but not relied on; leave it out of minimums and rankings. */
  nesigur?: true;
  /**
   * Only with `nesigur`. `blocat`: unchanged for at least 14 days while the rest of the network moved;
   * `observatie_veche`: the date that its source gives is at least 7 days old; `orfan_anpc`: the
   * national register no longer sends the row.
   */
  motiv_nesigur?: "blocat" | "observatie_veche" | "orfan_anpc";
  /**
   * Only with `nesigur`: day since which the price is unchanged, or of the last observation; null for
   * `orfan_anpc`.
   */
  nesigur_din?: string | null;
  /** Measurement date exactly as the source sends it. Use `observat_la` as the measure of age. */
  pret_masurat_la?: string;
  /** Only when true: a premium price withdrawn because it was below the standard one at the same station. */
  pret_incoerent?: true;
  /** Name of a manually added station. */
  nume?: string;
  /** Whether a franchisee runs the station, where known. */
  franciza?: boolean;
  /** Note in Romanian for stations whose network publishes no price. */
  nota_pret?: string;
  /** Opening hours. */
  program?: string;
  /** Services, separated by a comma. */
  servicii?: string;
  /** Phone. */
  telefon?: string;
  /** Only when true: the coordinates fall in a county other than the declared one. */
  coord_suspecta?: true;
  /** Only when true: the coordinates are approximate. */
  approximate_coords?: true;
  /**
   * When the price was observed: `YYYY-MM-DD` where the source gives a day, a timestamp with offset
   * where it gives an instant; null = the source does not say, or no price. Never the download time.
   */
  observat_la: string | null;
  /**
   * Only with the geo filter: great-circle distance from the requested point in km, rounded to 2
   * decimals (the radius is compared with the exact distance).
   */
  distanta_km?: number;
  /**
   * Only with `campuri=extins`, on a record without a price: why it is missing. `nu_se_vinde`: no source
   * says that the station sells this fuel (only with `id`); `expirat`: its source has not published for
   * over 24 hours; `incoerent`: premium below standard at the same station; `fara_pret_publicat`: no
   * source gives a usable price; `pret_invalid`: a source gives one outside the plausible range;
   * `orfan_anpc`: the national register has not sent the row for over 30 days.
   */
  stare?: "nu_se_vinde" | "expirat" | "incoerent" | "fara_pret_publicat" | "pret_invalid" | "orfan_anpc";
  /**
   * Only with `campuri=extins`, on a record with a price: calendar days since it was observed (0 =
   * today); null = the source does not say when it was observed.
   */
  vechime?: number | null;
}

export type Limita = LimitaSaptamanala | CotaConsumata | PreaRepede | Eroare;

export type LimitaCheie = CotaConsumata | PreaRepede;

export interface LimitaSaptamanala {
  /** Always `error`. */
  status: "error";
  /** Explanation in Romanian; not part of the contract. */
  message: string;
  /** The same in English. */
  message_en: string;
  /** When the next request is accepted, UTC. */
  next_allowed: string;
  /** Seconds until a request may be accepted again; same as `Retry-After`. */
  retry_after_seconds: number;
  /** What a key gives, in Romanian. */
  upgrade_mesaj: string;
  /** The same in English. */
  upgrade_message: string;
  /** The plans page, in Romanian. */
  upgrade_url: string;
  /** The plans page, in English. */
  upgrade_url_en: string;
}

export interface Livrare {
  /** The header `webhook-id`. */
  id: string;
  /** What was sent: `type` of the body. */
  fel: "ping" | "modificari" | "reluare";
  /** `in_asteptare`: another try follows; `livrata`: delivered; `renuntata`: given up. */
  stare: "in_asteptare" | "livrata" | "renuntata";
  /** How many tries were made. */
  incercari: number;
  /** The HTTP status of the last answer; null = there was none. */
  raspuns: number | null;
  /**
   * Why the last try failed: `adresa_negasita` (DNS gives no public address), `conexiune` (connection),
   * `certificat`, `timp_depasit` (15 s), `redirectionare` (never followed), `raspuns` (a status other
   * than 2xx); null = it did not fail.
   */
  esec: "adresa_negasita" | "conexiune" | "certificat" | "timp_depasit" | "redirectionare" | "raspuns" | null;
  /** Since when it is tried, UTC. */
  creata_la: string;
  /** The last try, UTC. */
  incercata_la: string | null;
  /** The next try, UTC; null = none follows. */
  urmatoarea_la: string | null;
}

export interface Livrari {
  /** Always `ok`. */
  status: "ok";
  /** Newest first. */
  livrari: Array<Livrare>;
}

export interface LocTraseu {
  /** Name of the place. */
  name: string;
  /** Latitude, WGS84 degrees. */
  lat: number;
  /** Longitude, WGS84 degrees. */
  lng: number;
}

export interface Modificare {
  /**
   * Place of the change in the feed. To continue, store `urmatorul` or the `id` of the event, never
   * this: only those know whether the `/statii` that you began with was ahead of the feed.
   */
  cursor: string;
  /**
   * `pret`: another price; `retras`: no price any more; `revenit`: a price where there was none;
   * `steag`: the same price (or still none), another reason; `statie_noua`, `statie_disparuta`: the
   * station itself, with `tip` null.
   */
  fel: "pret" | "retras" | "revenit" | "steag" | "statie_noua" | "statie_disparuta";
  /** The field `id` of `/statii`. */
  statie_id: string;
  /** Fuel; null only when the station itself is meant. */
  tip: "benzina_standard" | "benzina_premium" | "motorina_standard" | "motorina_premium" | "gpl" | "adblue" | null;
  /** Price served before, RON per litre; null = no such price. */
  pret_vechi: number | null;
  /** Price served from now on, RON per litre; null = no such price. */
  pret_nou: number | null;
  /** Why the earlier price was doubtful or missing; null = it was trusted. */
  motiv_vechi: "blocat" | "observatie_veche" | "orfan_anpc" | "nu_se_vinde" | "expirat" | "incoerent" | "fara_pret_publicat" | "pret_invalid" | null;
  /**
   * Why the price is doubtful or missing now; null = it is trusted. `nu_se_vinde`: `/statii` no longer
   * has the record.
   */
  motiv: "blocat" | "observatie_veche" | "orfan_anpc" | "nu_se_vinde" | "expirat" | "incoerent" | "fara_pret_publicat" | "pret_invalid" | null;
  /** Source of the price served now; null = there is none. */
  sursa: string | null;
  /** When the source observed the price, as in `/statii`; null = unknown. */
  observat_la: string | null;
  /** Since when we serve it, UTC. */
  vazut_la: string;
}

export interface Modificari {
  /** Always `ok`. */
  status: "ok";
  /** The day, in Bucharest, up to which changes are told. */
  data: string;
  /** In order, oldest first. */
  modificari: Array<Modificare>;
  /**
   * Place in the feed; opaque, sent as `dupa`. It also moves over changes that filters leave out: store
   * it together with the data.
   */
  urmatorul: string;
  /** Whether nothing follows `urmatorul` for now. */
  la_zi: boolean;
}

export interface OrasPreturi {
  /** City name, ASCII. */
  oras: string;
  /** URL-friendly id of the city. */
  slug: string;
  /** County plate code, e.g. `CJ`. */
  judet: string;
  /** Latitude, WGS84 degrees. */
  lat: number;
  /** Longitude, WGS84 degrees. */
  lng: number;
  /** Standard petrol, RON per litre; null = no such price. */
  benzina: number | null;
  /** Premium petrol, RON per litre; null = no such price. */
  benzina_premium: number | null;
  /** Standard diesel, RON per litre; null = no such price. */
  motorina: number | null;
  /** Premium diesel, RON per litre; null = no such price. */
  motorina_premium: number | null;
  /** LPG, RON per litre; null = no such price. */
  gpl: number | null;
}

export interface PreaRepede {
  /** Always `error`. */
  status: "error";
  /** Explanation in Romanian; not part of the contract. */
  message: string;
  /** Seconds until a request may be accepted again; same as `Retry-After`. */
  retry_after_seconds: number;
}

export interface PretNational {
  /** Lowest trusted price in the country, RON per litre; null = no such price. */
  min: number | null;
  /** Average of the trusted prices, 2 decimals, RON per litre; null = no such price. */
  mediu: number | null;
  /** Highest trusted price in the country, RON per litre; null = no such price. */
  max: number | null;
}

export interface RaspunsGeocode {
  /** City names with diacritics, most populous first. */
  results: Array<string>;
}

export interface RaspunsGermania {
  /** Always `ok`. */
  status: "ok";
  /** Country. */
  tara: "DE";
  /** Currency of the prices. */
  moneda: "EUR";
  /** The source and its licence. */
  sursa: string;
  /** The attribution link that the licence requires. */
  atribuire: string;
  /** Latitude of the point that the source was asked about, WGS84 degrees. */
  lat: number;
  /** Longitude of the point that the source was asked about, WGS84 degrees. */
  lng: number;
  /** Radius, whole km. */
  rad_km: number;
  /** Number of stations in `statii`. */
  nr_statii: number;
  /** The stations, nearest first. */
  statii: Array<StatieGermania>;
  /**
   * When the source was asked, UTC; up to 10 minutes ago, or up to an hour when the source may not be
   * asked again yet.
   */
  generat_la: string;
}

export interface RaspunsIstoric {
  /** Always `ok`. */
  status: "ok";
  /** The requested station. */
  station_id: string;
  /** Days as `DD.MM`, chronological. */
  labels: Array<string>;
  /** The prices of each fuel sold, day by day, aligned with `labels`. */
  series: RaspunsIstoricSeries;
  /** The price change over the window, for each fuel with enough data; positive = increase. */
  variatie: RaspunsIstoricVariatie;
}

export interface RaspunsIstoricSeries {
  /** RON per litre; null = no measurement that day. */
  benzina_standard?: Array<number | null>;
  /** RON per litre; null = no measurement that day. */
  benzina_premium?: Array<number | null>;
  /** RON per litre; null = no measurement that day. */
  motorina_standard?: Array<number | null>;
  /** RON per litre; null = no measurement that day. */
  motorina_premium?: Array<number | null>;
  /** RON per litre; null = no measurement that day. */
  gpl?: Array<number | null>;
  /** RON per litre; null = no measurement that day. */
  adblue?: Array<number | null>;
}

export interface RaspunsIstoricVariatie {
  /** Last minus first known price of the window, RON, 2 decimals. */
  benzina_standard?: number;
  /** Last minus first known price of the window, RON, 2 decimals. */
  benzina_premium?: number;
  /** Last minus first known price of the window, RON, 2 decimals. */
  motorina_standard?: number;
  /** Last minus first known price of the window, RON, 2 decimals. */
  motorina_premium?: number;
  /** Last minus first known price of the window, RON, 2 decimals. */
  gpl?: number;
  /** Last minus first known price of the window, RON, 2 decimals. */
  adblue?: number;
}

export interface RaspunsJudet {
  /** Always `ok`. */
  status: "ok";
  /** The server's calendar day in Romania at response time; not the date of the prices. */
  data: string;
  /**
   * Time of the last successful price-data update, the same value as in the health check; null = none
   * yet.
   */
  actualizat_la: string | null;
  /** Plate code of the county, however the request wrote it. */
  judet: string;
  /** Number of cities in the average. */
  nr_orase: number;
  /** Standard petrol, RON per litre; null = no such price. */
  benzina_standard: number | null;
  /** Premium petrol, RON per litre; null = no such price. */
  benzina_premium: number | null;
  /** Standard diesel, RON per litre; null = no such price. */
  motorina_standard: number | null;
  /** Premium diesel, RON per litre; null = no such price. */
  motorina_premium: number | null;
  /** LPG, RON per litre; null = no such price. */
  gpl: number | null;
  /** How a missing price is written in this answer: `zero` only with `zeros` set to an accepted value. */
  preturi_lipsa: "null" | "zero";
}

export interface RaspunsMinime {
  /** Always `ok`. */
  status: "ok";
  /** The server's calendar day in Romania at response time; not the date of the prices. */
  data: string;
  /**
   * Time of the last successful price-data update, the same value as in the health check; null = none
   * yet.
   */
  actualizat_la: string | null;
  /** How a missing price is written in this answer: `zero` only with `zeros` set to an accepted value. */
  preturi_lipsa: "null" | "zero";
  /** The prices of each fuel. */
  preturi: RaspunsMinimePreturi;
}

export interface RaspunsMinimePreturi {
  benzina_standard: PretNational;
  benzina_premium: PretNational;
  motorina_standard: PretNational;
  motorina_premium: PretNational;
  gpl: PretNational;
}

export interface RaspunsPreturi {
  /** Always `ok`. */
  status: "ok";
  /** The server's calendar day in Romania at response time; not the date of the prices. */
  data: string;
  /**
   * Time of the last successful price-data update, the same value as in the health check; null = none
   * yet.
   */
  actualizat_la: string | null;
  /** Number of cities in `rezultate`. */
  total: number;
  /** Minimum current prices by city, largest population first. */
  rezultate: Array<OrasPreturi>;
  /** National average of every network with a station, by name. */
  retele: Array<RetePreturi>;
  /** How a missing price is written in this answer: `zero` only with `zeros` set to an accepted value. */
  preturi_lipsa: "null" | "zero";
  /** Only without a key: explains the truncation to the top 20. */
  nota?: string;
}

export interface RaspunsRecenzie {
  /** Always `ok`. */
  status: "ok";
  /** Explanation in Romanian; not part of the contract. */
  message: string;
  /** Average of all approved ratings, 1 decimal; 0 = none. */
  avg_rating: number;
  /** Number of approved reviews. */
  review_count: number;
}

export interface RaspunsRecenzii {
  /** Always `ok`. */
  status: "ok";
  /** Average of all approved ratings, 1 decimal; 0 = none. */
  avg_rating: number;
  /** Number of approved reviews. */
  review_count: number;
  /** Approved ones, newest first. */
  reviews: Array<Recenzie>;
}

export interface RaspunsRetele {
  /** Always `ok`. */
  status: "ok";
  /** The server's calendar day in Romania at response time; not the date of the prices. */
  data: string;
  /**
   * Time of the last successful price-data update, the same value as in the health check; null = none
   * yet.
   */
  actualizat_la: string | null;
  /** National average of every network with a station, by name. */
  retele: Array<RetePreturi>;
  /** How a missing price is written in this answer: `zero` only with `zeros` set to an accepted value. */
  preturi_lipsa: "null" | "zero";
}

export interface RaspunsStatii {
  /** Always `ok`. */
  status: "ok";
  /** The server's calendar day in Romania at response time; not the date of the prices. */
  data: string;
  /**
   * Time of the last successful price-data update, the same value as in the health check; null = none
   * yet.
   */
  actualizat_la: string | null;
  /** Number of records in the answer. */
  total: number;
  /** Only without a key, when truncated: number of records that match the filters. */
  total_disponibil?: number;
  /** Only without a key, when truncated: explains the sample. */
  nota?: string;
  /** One record per station and fuel. */
  statii: Array<InregistrareStatie>;
}

export interface RaspunsTraseu {
  /** Always true. */
  ok: true;
  start: LocTraseu;
  end: LocTraseu;
  /** Length of the route, 1 decimal. */
  km: number;
  /** Driving time, minutes. */
  duration_min: number;
  /** The requested fuel. */
  tip: "benzina_standard" | "benzina_premium" | "motorina_standard" | "motorina_premium" | "gpl";
  /** Cheapest first, then nearest to the route. */
  statii: Array<StatieTraseu>;
  /** Number of stations found before truncation. */
  total_statii: number;
  /** The route as `[lat, lng]`, evenly thinned, both ends kept. */
  waypoints: Array<[number, number]>;
}

export interface RaspunsWebhook {
  /** Always `ok`. */
  status: "ok";
  webhook: Webhook;
}

export interface Recenzie {
  /** Number of the review. */
  id: number;
  /** Name of the reviewer; `Anonim` = none given. Text, not markup. */
  nickname: string;
  /** Stars. */
  rating: number;
  /** What the reviewer says; may be empty. Text, not markup. */
  comment: string;
  /** When it was written, local time in Romania. */
  created_at: string;
}

export interface RetePreturi {
  /** Network name. */
  nume: string;
  /** URL-friendly id of the network. */
  slug: string;
  /** Brand colour, for user interfaces. */
  culoare: string;
  /** Path of the logo, relative to the service address. */
  logo: string;
  /** Standard petrol, RON per litre; null = no such price. */
  benzina: number | null;
  /** Premium petrol, RON per litre; null = no such price. */
  benzina_premium: number | null;
  /** Standard diesel, RON per litre; null = no such price. */
  motorina: number | null;
  /** Premium diesel, RON per litre; null = no such price. */
  motorina_premium: number | null;
  /** LPG, RON per litre; null = no such price. */
  gpl: number | null;
}

export interface Stare {
  /** `degraded` comes with HTTP 503. */
  status: "ok" | "degraded";
  /**
   * Time of the last successful price-data update, the same value as in the health check; null = none
   * yet.
   */
  actualizat_la: string | null;
  /** Age of the most recent update in seconds; informative only. */
  vechime_secunde: number | null;
  /** Age of the oldest in-service source in seconds; above 86400 the status is `degraded`. */
  vechime_maxima_secunde: number | null;
  /** Age of the oldest download in seconds. */
  vechime_maxima_descarcare_secunde: number | null;
  /** Date of the oldest observation served. */
  observatie_cea_mai_veche: string | null;
  /** Prices without an observation date. */
  preturi_fara_data_observatie: number;
  /** Legacy field: records with a non-zero price, not physical stations. */
  statii_cu_pret: number;
  /** All fuel rows, missing and expired prices included. */
  inregistrari_total: number;
  /** Rows with a valid price in the fuel's range after expiry; zero makes the status `degraded`. */
  preturi_disponibile: number;
  /** Distinct physical stations on the map, those without a price included. */
  statii_total: number;
  /** Distinct physical stations with at least one valid price. */
  statii_cu_pret_unice: number;
}

export interface StatieGermania {
  /** Name of the station. */
  nume: string;
  /** Brand as the source writes it; empty for an independent station. */
  brand: string;
  /** Street and number. */
  adresa: string;
  /** German postcode as a number: 1067 is 01067. */
  cod_postal: number;
  /** Town. */
  oras: string;
  /** Latitude, WGS84 degrees. */
  lat: number;
  /** Longitude, WGS84 degrees. */
  lng: number;
  /** Distance from `lat` and `lng` of the answer, km. */
  dist_km: number;
  /** Petrol E5, EUR per litre; null = no price. */
  benzina: number | null;
  /** Petrol E10, EUR per litre; null = no price. */
  e10: number | null;
  /** Diesel, EUR per litre; null = no price. */
  motorina: number | null;
  /** Open now. */
  deschis: boolean;
}

export interface StatieTraseu {
  /** Address; may be empty. */
  adresa: string;
  /** Network name. */
  brand: string;
  /** City name, ASCII; may be empty. */
  oras: string;
  /** Latitude, WGS84 degrees. */
  lat: number;
  /** Longitude, WGS84 degrees. */
  lng: number;
  /** Fuel type. */
  tip: "benzina_standard" | "benzina_premium" | "motorina_standard" | "motorina_premium" | "gpl";
  /** Trusted price, RON per litre. */
  pret: number;
  /** Shortest distance to the route, km, 1 decimal. */
  dist_ruta: number;
}

export interface TestWebhook {
  /** Always `ok`. */
  status: "ok";
  /** Whether the address answered 2xx. */
  reusit: boolean;
  livrare: Livrare;
  webhook: Webhook;
}

export interface Webhook {
  /** Its name in paths. */
  id: string;
  /** The public `https` address that we send to, on port 443. */
  url: string;
  /** Which changes are sent; a field that is null or absent leaves nothing out. */
  filtru: WebhookFiltru;
  /** The kinds of changes that are sent, as `fel` of `/modificari`. */
  fel: Array<"pret" | "retras" | "revenit" | "steag" | "statie_noua" | "statie_disparuta">;
  /**
   * `neverificat`: nothing is sent until a test succeeds; `activ`; `pauza`: paused by you; `oprit`:
   * stopped by us, with `motiv_oprire`, until a test succeeds.
   */
  stare: "neverificat" | "activ" | "pauza" | "oprit";
  /**
   * Whether you paused it. While `stare` is `neverificat` or `oprit`, the pause counts only after a test
   * succeeds.
   */
  pauza: boolean;
  /**
   * Why we stopped it: `refuzat` = the address answered 410; `esecuri` = no delivery succeeded for 75
   * hours; null = it is not stopped.
   */
  motiv_oprire: "refuzat" | "esecuri" | null;
  /** When it was made, UTC. */
  creat_la: string;
  /** When the first test of this address succeeded, UTC; null = not yet. */
  verificat_la: string | null;
  /** When we stopped it, UTC. */
  oprit_la: string | null;
  /** The place in the feed of changes up to which everything is delivered; null = nothing yet. */
  cursor: string | null;
  /** Until when an earlier secret also signs, UTC; null = only the new one does. */
  secret_vechi_pana_la: string | null;
}

export interface WebhookCreat {
  /** Always `ok`. */
  status: "ok";
  webhook: Webhook;
  /** The secret that verifies signatures. It is shown only now. */
  secret: string;
}

export interface WebhookFiltru {
  /** Only one fuel; leaves out stations that come and go, too. */
  tip: "benzina_standard" | "benzina_premium" | "motorina_standard" | "motorina_premium" | "gpl" | "adblue" | null;
  /** Only stations of one county, by its plate code. */
  judet: string | null;
  /** Only stations of one city, by its slug. */
  oras: string | null;
  /** Only stations of one network, by its slug. */
  brand: string | null;
  /** Only these stations, by the field `id` of `/statii`. */
  statii: Array<string> | null;
}

export interface WebhookSters {
  /** Always `ok`. */
  status: "ok";
}

export interface Webhookuri {
  /** Always `ok`. */
  status: "ok";
  /** How many the key has. */
  total: number;
  /** Oldest first. */
  webhookuri: Array<Webhook>;
}
