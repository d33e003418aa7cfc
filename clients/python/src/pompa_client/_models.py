# Generated from the description of the API by clients/generator/generate.ts; never edit it.
"""The objects of the API: their fields are those of its JSON, in Romanian."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, List, Literal, Optional, Tuple, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired


class ChangeWebhookFiltru(TypedDict):
    tip: NotRequired[Optional[Literal["benzina_standard", "benzina_premium", "motorina_standard", "motorina_premium", "gpl", "adblue"]]]
    """Only one fuel; leaves out stations that come and go, too."""
    judet: NotRequired[Optional[str]]
    """Only stations of one county, by its plate code."""
    oras: NotRequired[Optional[str]]
    """Only stations of one city, by its slug."""
    brand: NotRequired[Optional[str]]
    """Only stations of one network, by its slug."""
    statii: NotRequired[Optional[List[str]]]
    """Only these stations, by the field `id` of `/statii`."""


class Cheie(TypedDict):
    status: Literal["ok"]
    """Always `ok`."""
    plan: str
    """Plan code."""
    plan_nume: str
    """Name of the plan."""
    limita_lunara: int
    """Effective monthly quota: that of the key if it has its own, otherwise that of the plan."""
    consum_luna: int
    """Requests counted in the current calendar month in UTC."""
    total_cereri: int
    """Requests counted since the key was created."""
    creata: str
    """When the key was created, UTC."""
    ultima_folosire: Optional[str]
    """When a request was last counted, UTC; null = never."""
    abonament: bool
    """Whether the key belongs to an active subscription."""
    zilnic: List[CheieZilnic]
    """The last 30 days, oldest first, today last."""
    webhookuri: NotRequired[List[Webhook]]
    """Only with `campuri=extins`: the webhooks of the key, with `stare` and, of one that we stopped,
    `motiv_oprire`.
    """


class CheieNeverificata(TypedDict):
    status: Literal["error"]
    """Always `error`."""
    message: str
    """Explanation in Romanian; not part of the contract."""
    message_en: str
    """The same in English."""
    retry_after_seconds: int
    """Same as `Retry-After`."""


class CheieZilnic(TypedDict):
    zi: str
    """Day in UTC."""
    count: int
    """Requests counted on that day."""


class CotaConsumata(TypedDict):
    status: Literal["error"]
    """Always `error`."""
    message: str
    """Explanation in Romanian; not part of the contract."""
    limit: int
    """The monthly quota."""
    upgrade_url: str
    """The plans page."""


class CreateWebhookFiltru(TypedDict):
    tip: NotRequired[Optional[Literal["benzina_standard", "benzina_premium", "motorina_standard", "motorina_premium", "gpl", "adblue"]]]
    """Only one fuel; leaves out stations that come and go, too."""
    judet: NotRequired[Optional[str]]
    """Only stations of one county, by its plate code."""
    oras: NotRequired[Optional[str]]
    """Only stations of one city, by its slug."""
    brand: NotRequired[Optional[str]]
    """Only stations of one network, by its slug."""
    statii: NotRequired[Optional[List[str]]]
    """Only these stations, by the field `id` of `/statii`."""


class CursorExpirat(TypedDict):
    status: Literal["error"]
    """Always `error`."""
    message: str
    """Explanation in Romanian; not part of the contract."""
    reia_de_la: str
    """The oldest cursor kept. For the present state read `/statii` again and continue from the header
    `Pompa-Cursor`.
    """


class Eroare(TypedDict):
    status: Literal["error"]
    """Always `error`."""
    message: str
    """Explanation in Romanian; not part of the contract."""


class EroareTraseu(TypedDict):
    ok: Literal[False]
    """Always false."""
    msg: str
    """Explanation in Romanian; not part of the contract."""


class EvenimentModificari(TypedDict):
    type: Literal["modificari"]
    """The kind of event."""
    timestamp: str
    """When it happened, UTC."""
    data: EvenimentModificariData


class EvenimentModificariData(TypedDict):
    webhook_id: str
    """The field `id` of the webhook."""
    dupa: str
    """The cursor before these changes: `pana_la` of the delivery before."""
    pana_la: str
    """The cursor after these changes: store it together with the data."""
    total: int
    """How many changes there are."""
    modificari: NotRequired[List[Modificare]]
    """In order, oldest first. Absent when there are more than 50, or after a long gap: read
    `/modificari?dupa=` up to `pana_la`.
    """


class EvenimentPing(TypedDict):
    type: Literal["ping"]
    """The kind of event."""
    timestamp: str
    """When it happened, UTC."""
    data: EvenimentPingData


class EvenimentPingData(TypedDict):
    webhook_id: str
    """The field `id` of the webhook."""


class EvenimentReluare(TypedDict):
    type: Literal["reluare"]
    """The kind of event."""
    timestamp: str
    """When it happened, UTC."""
    data: EvenimentReluareData


class EvenimentReluareData(TypedDict):
    webhook_id: str
    """The field `id` of the webhook."""
    pana_la: str
    """The cursor after these changes: store it together with the data."""


class InregistrareStatie(TypedDict):
    id: str
    """Stable station identifier; the value to use in the history path."""
    brand: str
    """Network name."""
    oras: str
    """City name, ASCII; may be empty."""
    judet: str
    """County name (not the code), ASCII; may be empty."""
    adresa: str
    """Address; may be empty."""
    lat: float
    """Latitude, WGS84 degrees."""
    lng: float
    """Longitude, WGS84 degrees."""
    tip: Literal["benzina_standard", "benzina_premium", "motorina_standard", "motorina_premium", "gpl", "adblue"]
    """Fuel type of the record."""
    pret: Optional[float]
    """Price, RON per litre; null = no such price."""
    pret_expirat: NotRequired[Literal[True]]
    """Only when true: withdrawn, because its source did not publish for over 24 hours."""
    nesigur: NotRequired[Literal[True]]
    """Only when true: served but not relied on; leave it out of minimums and rankings."""
    motiv_nesigur: NotRequired[Literal["blocat", "observatie_veche", "orfan_anpc"]]
    """Only with `nesigur`. `blocat`: unchanged for at least 14 days while the rest of the network moved;
    `observatie_veche`: the date that its source gives is at least 7 days old; `orfan_anpc`: the
    national register no longer sends the row.
    """
    nesigur_din: NotRequired[Optional[str]]
    """Only with `nesigur`: day since which the price is unchanged, or of the last observation; null for
    `orfan_anpc`.
    """
    pret_masurat_la: NotRequired[str]
    """Measurement date exactly as the source sends it. Use `observat_la` as the measure of age."""
    pret_incoerent: NotRequired[Literal[True]]
    """Only when true: a premium price withdrawn because it was below the standard one at the same station."""
    nume: NotRequired[str]
    """Name of a manually added station."""
    franciza: NotRequired[bool]
    """Whether a franchisee runs the station, where known."""
    nota_pret: NotRequired[str]
    """Note in Romanian for stations whose network publishes no price."""
    program: NotRequired[str]
    """Opening hours."""
    servicii: NotRequired[str]
    """Services, separated by a comma."""
    telefon: NotRequired[str]
    """Phone."""
    coord_suspecta: NotRequired[Literal[True]]
    """Only when true: the coordinates fall in a county other than the declared one."""
    approximate_coords: NotRequired[Literal[True]]
    """Only when true: the coordinates are approximate."""
    observat_la: Optional[str]
    """When the price was observed: `YYYY-MM-DD` where the source gives a day, a timestamp with offset
    where it gives an instant; null = the source does not say, or no price. Never the download time.
    """
    distanta_km: NotRequired[float]
    """Only with the geo filter: great-circle distance from the requested point in km, rounded to 2
    decimals (the radius is compared with the exact distance).
    """
    stare: NotRequired[Literal["nu_se_vinde", "expirat", "incoerent", "fara_pret_publicat", "pret_invalid", "orfan_anpc"]]
    """Only with `campuri=extins`, on a record without a price: why it is missing. `nu_se_vinde`: no source
    says that the station sells this fuel (only with `id`); `expirat`: its source has not published for
    over 24 hours; `incoerent`: premium below standard at the same station; `fara_pret_publicat`: no
    source gives a usable price; `pret_invalid`: a source gives one outside the plausible range;
    `orfan_anpc`: the national register has not sent the row for over 30 days.
    """
    vechime: NotRequired[Optional[int]]
    """Only with `campuri=extins`, on a record with a price: calendar days since it was observed (0 =
    today); null = the source does not say when it was observed.
    """


Limita = Union["LimitaSaptamanala", "CotaConsumata", "PreaRepede", "Eroare"]


LimitaCheie = Union["CotaConsumata", "PreaRepede"]


class LimitaSaptamanala(TypedDict):
    status: Literal["error"]
    """Always `error`."""
    message: str
    """Explanation in Romanian; not part of the contract."""
    message_en: str
    """The same in English."""
    next_allowed: str
    """When the next request is accepted, UTC."""
    retry_after_seconds: int
    """Seconds until a request may be accepted again; same as `Retry-After`."""
    upgrade_mesaj: str
    """What a key gives, in Romanian."""
    upgrade_message: str
    """The same in English."""
    upgrade_url: str
    """The plans page, in Romanian."""
    upgrade_url_en: str
    """The plans page, in English."""


class Livrare(TypedDict):
    id: str
    """The header `webhook-id`."""
    fel: Literal["ping", "modificari", "reluare"]
    """What was sent: `type` of the body."""
    stare: Literal["in_asteptare", "livrata", "renuntata"]
    """`in_asteptare`: another try follows; `livrata`: delivered; `renuntata`: given up."""
    incercari: int
    """How many tries were made."""
    raspuns: Optional[int]
    """The HTTP status of the last answer; null = there was none."""
    esec: Optional[Literal["adresa_negasita", "conexiune", "certificat", "timp_depasit", "redirectionare", "raspuns"]]
    """Why the last try failed: `adresa_negasita` (DNS gives no public address), `conexiune` (connection),
    `certificat`, `timp_depasit` (15 s), `redirectionare` (never followed), `raspuns` (a status other
    than 2xx); null = it did not fail.
    """
    creata_la: str
    """Since when it is tried, UTC."""
    incercata_la: Optional[str]
    """The last try, UTC."""
    urmatoarea_la: Optional[str]
    """The next try, UTC; null = none follows."""


class Livrari(TypedDict):
    status: Literal["ok"]
    """Always `ok`."""
    livrari: List[Livrare]
    """Newest first."""


class LocTraseu(TypedDict):
    name: str
    """Name of the place."""
    lat: float
    """Latitude, WGS84 degrees."""
    lng: float
    """Longitude, WGS84 degrees."""


class Modificare(TypedDict):
    cursor: str
    """Place of the change in the feed. To continue, store `urmatorul` or the `id` of the event, never
    this: only those know whether the `/statii` that you began with was ahead of the feed.
    """
    fel: Literal["pret", "retras", "revenit", "steag", "statie_noua", "statie_disparuta"]
    """`pret`: another price; `retras`: no price any more; `revenit`: a price where there was none;
    `steag`: the same price (or still none), another reason; `statie_noua`, `statie_disparuta`: the
    station itself, with `tip` null.
    """
    statie_id: str
    """The field `id` of `/statii`."""
    tip: Optional[Literal["benzina_standard", "benzina_premium", "motorina_standard", "motorina_premium", "gpl", "adblue"]]
    """Fuel; null only when the station itself is meant."""
    pret_vechi: Optional[float]
    """Price served before, RON per litre; null = no such price."""
    pret_nou: Optional[float]
    """Price served from now on, RON per litre; null = no such price."""
    motiv_vechi: Optional[Literal["blocat", "observatie_veche", "orfan_anpc", "nu_se_vinde", "expirat", "incoerent", "fara_pret_publicat", "pret_invalid"]]
    """Why the earlier price was doubtful or missing; null = it was trusted."""
    motiv: Optional[Literal["blocat", "observatie_veche", "orfan_anpc", "nu_se_vinde", "expirat", "incoerent", "fara_pret_publicat", "pret_invalid"]]
    """Why the price is doubtful or missing now; null = it is trusted. `nu_se_vinde`: `/statii` no longer
    has the record.
    """
    sursa: Optional[str]
    """Source of the price served now; null = there is none."""
    observat_la: Optional[str]
    """When the source observed the price, as in `/statii`; null = unknown."""
    vazut_la: str
    """Since when we serve it, UTC."""


class Modificari(TypedDict):
    status: Literal["ok"]
    """Always `ok`."""
    data: str
    """The day, in Bucharest, up to which changes are told."""
    modificari: List[Modificare]
    """In order, oldest first."""
    urmatorul: str
    """Place in the feed; opaque, sent as `dupa`. It also moves over changes that filters leave out: store
    it together with the data.
    """
    la_zi: bool
    """Whether nothing follows `urmatorul` for now."""


class OrasPreturi(TypedDict):
    oras: str
    """City name, ASCII."""
    slug: str
    """URL-friendly id of the city."""
    judet: str
    """County plate code, e.g. `CJ`."""
    lat: float
    """Latitude, WGS84 degrees."""
    lng: float
    """Longitude, WGS84 degrees."""
    benzina: Optional[float]
    """Standard petrol, RON per litre; null = no such price."""
    benzina_premium: Optional[float]
    """Premium petrol, RON per litre; null = no such price."""
    motorina: Optional[float]
    """Standard diesel, RON per litre; null = no such price."""
    motorina_premium: Optional[float]
    """Premium diesel, RON per litre; null = no such price."""
    gpl: Optional[float]
    """LPG, RON per litre; null = no such price."""


class PreaRepede(TypedDict):
    status: Literal["error"]
    """Always `error`."""
    message: str
    """Explanation in Romanian; not part of the contract."""
    retry_after_seconds: int
    """Seconds until a request may be accepted again; same as `Retry-After`."""


class PretNational(TypedDict):
    min: Optional[float]
    """Lowest trusted price in the country, RON per litre; null = no such price."""
    mediu: Optional[float]
    """Average of the trusted prices, 2 decimals, RON per litre; null = no such price."""
    max: Optional[float]
    """Highest trusted price in the country, RON per litre; null = no such price."""


class RaspunsGeocode(TypedDict):
    results: List[str]
    """City names with diacritics, most populous first."""


class RaspunsGermania(TypedDict):
    status: Literal["ok"]
    """Always `ok`."""
    tara: Literal["DE"]
    """Country."""
    moneda: Literal["EUR"]
    """Currency of the prices."""
    sursa: str
    """The source and its licence."""
    atribuire: str
    """The attribution link that the licence requires."""
    lat: float
    """Latitude of the point that the source was asked about, WGS84 degrees."""
    lng: float
    """Longitude of the point that the source was asked about, WGS84 degrees."""
    rad_km: int
    """Radius, whole km."""
    nr_statii: int
    """Number of stations in `statii`."""
    statii: List[StatieGermania]
    """The stations, nearest first."""
    generat_la: str
    """When the source was asked, UTC; up to 10 minutes ago, or up to an hour when the source may not be
    asked again yet.
    """


class RaspunsIstoric(TypedDict):
    status: Literal["ok"]
    """Always `ok`."""
    station_id: str
    """The requested station."""
    labels: List[str]
    """Days as `DD.MM`, chronological."""
    series: RaspunsIstoricSeries
    """The prices of each fuel sold, day by day, aligned with `labels`."""
    variatie: RaspunsIstoricVariatie
    """The price change over the window, for each fuel with enough data; positive = increase."""


class RaspunsIstoricSeries(TypedDict):
    benzina_standard: NotRequired[List[Optional[float]]]
    """RON per litre; null = no measurement that day."""
    benzina_premium: NotRequired[List[Optional[float]]]
    """RON per litre; null = no measurement that day."""
    motorina_standard: NotRequired[List[Optional[float]]]
    """RON per litre; null = no measurement that day."""
    motorina_premium: NotRequired[List[Optional[float]]]
    """RON per litre; null = no measurement that day."""
    gpl: NotRequired[List[Optional[float]]]
    """RON per litre; null = no measurement that day."""
    adblue: NotRequired[List[Optional[float]]]
    """RON per litre; null = no measurement that day."""


class RaspunsIstoricVariatie(TypedDict):
    benzina_standard: NotRequired[float]
    """Last minus first known price of the window, RON, 2 decimals."""
    benzina_premium: NotRequired[float]
    """Last minus first known price of the window, RON, 2 decimals."""
    motorina_standard: NotRequired[float]
    """Last minus first known price of the window, RON, 2 decimals."""
    motorina_premium: NotRequired[float]
    """Last minus first known price of the window, RON, 2 decimals."""
    gpl: NotRequired[float]
    """Last minus first known price of the window, RON, 2 decimals."""
    adblue: NotRequired[float]
    """Last minus first known price of the window, RON, 2 decimals."""


class RaspunsJudet(TypedDict):
    status: Literal["ok"]
    """Always `ok`."""
    data: str
    """The server's calendar day in Romania at response time; not the date of the prices."""
    actualizat_la: Optional[str]
    """Time of the last successful price-data update, the same value as in the health check; null = none
    yet.
    """
    judet: str
    """Plate code of the county, however the request wrote it."""
    nr_orase: int
    """Number of cities in the average."""
    benzina_standard: Optional[float]
    """Standard petrol, RON per litre; null = no such price."""
    benzina_premium: Optional[float]
    """Premium petrol, RON per litre; null = no such price."""
    motorina_standard: Optional[float]
    """Standard diesel, RON per litre; null = no such price."""
    motorina_premium: Optional[float]
    """Premium diesel, RON per litre; null = no such price."""
    gpl: Optional[float]
    """LPG, RON per litre; null = no such price."""
    preturi_lipsa: Literal["null", "zero"]
    """How a missing price is written in this answer: `zero` only with `zeros` set to an accepted value."""


class RaspunsMinime(TypedDict):
    status: Literal["ok"]
    """Always `ok`."""
    data: str
    """The server's calendar day in Romania at response time; not the date of the prices."""
    actualizat_la: Optional[str]
    """Time of the last successful price-data update, the same value as in the health check; null = none
    yet.
    """
    preturi_lipsa: Literal["null", "zero"]
    """How a missing price is written in this answer: `zero` only with `zeros` set to an accepted value."""
    preturi: RaspunsMinimePreturi
    """The prices of each fuel."""


class RaspunsMinimePreturi(TypedDict):
    benzina_standard: PretNational
    benzina_premium: PretNational
    motorina_standard: PretNational
    motorina_premium: PretNational
    gpl: PretNational


class RaspunsPreturi(TypedDict):
    status: Literal["ok"]
    """Always `ok`."""
    data: str
    """The server's calendar day in Romania at response time; not the date of the prices."""
    actualizat_la: Optional[str]
    """Time of the last successful price-data update, the same value as in the health check; null = none
    yet.
    """
    total: int
    """Number of cities in `rezultate`."""
    rezultate: List[OrasPreturi]
    """Minimum current prices by city, largest population first."""
    retele: List[RetePreturi]
    """National average of every network with a station, by name."""
    preturi_lipsa: Literal["null", "zero"]
    """How a missing price is written in this answer: `zero` only with `zeros` set to an accepted value."""
    nota: NotRequired[str]
    """Only without a key: explains the truncation to the top 20."""


class RaspunsRecenzie(TypedDict):
    status: Literal["ok"]
    """Always `ok`."""
    message: str
    """Explanation in Romanian; not part of the contract."""
    avg_rating: float
    """Average of all approved ratings, 1 decimal; 0 = none."""
    review_count: int
    """Number of approved reviews."""


class RaspunsRecenzii(TypedDict):
    status: Literal["ok"]
    """Always `ok`."""
    avg_rating: float
    """Average of all approved ratings, 1 decimal; 0 = none."""
    review_count: int
    """Number of approved reviews."""
    reviews: List[Recenzie]
    """Approved ones, newest first."""


class RaspunsRetele(TypedDict):
    status: Literal["ok"]
    """Always `ok`."""
    data: str
    """The server's calendar day in Romania at response time; not the date of the prices."""
    actualizat_la: Optional[str]
    """Time of the last successful price-data update, the same value as in the health check; null = none
    yet.
    """
    retele: List[RetePreturi]
    """National average of every network with a station, by name."""
    preturi_lipsa: Literal["null", "zero"]
    """How a missing price is written in this answer: `zero` only with `zeros` set to an accepted value."""


class RaspunsStatii(TypedDict):
    status: Literal["ok"]
    """Always `ok`."""
    data: str
    """The server's calendar day in Romania at response time; not the date of the prices."""
    actualizat_la: Optional[str]
    """Time of the last successful price-data update, the same value as in the health check; null = none
    yet.
    """
    total: int
    """Number of records in the answer."""
    total_disponibil: NotRequired[int]
    """Only without a key, when truncated: number of records that match the filters."""
    nota: NotRequired[str]
    """Only without a key, when truncated: explains the sample."""
    statii: List[InregistrareStatie]
    """One record per station and fuel."""


class RaspunsTraseu(TypedDict):
    ok: Literal[True]
    """Always true."""
    start: LocTraseu
    end: LocTraseu
    km: float
    """Length of the route, 1 decimal."""
    duration_min: int
    """Driving time, minutes."""
    tip: Literal["benzina_standard", "benzina_premium", "motorina_standard", "motorina_premium", "gpl"]
    """The requested fuel."""
    statii: List[StatieTraseu]
    """Cheapest first, then nearest to the route."""
    total_statii: int
    """Number of stations found before truncation."""
    waypoints: List[Tuple[float, float]]
    """The route as `[lat, lng]`, evenly thinned, both ends kept."""


class RaspunsWebhook(TypedDict):
    status: Literal["ok"]
    """Always `ok`."""
    webhook: Webhook


class Recenzie(TypedDict):
    id: int
    """Number of the review."""
    nickname: str
    """Name of the reviewer; `Anonim` = none given. Text, not markup."""
    rating: int
    """Stars."""
    comment: str
    """What the reviewer says; may be empty. Text, not markup."""
    created_at: str
    """When it was written, local time in Romania."""


class RetePreturi(TypedDict):
    nume: str
    """Network name."""
    slug: str
    """URL-friendly id of the network."""
    culoare: str
    """Brand colour, for user interfaces."""
    logo: str
    """Path of the logo, relative to the service address."""
    benzina: Optional[float]
    """Standard petrol, RON per litre; null = no such price."""
    benzina_premium: Optional[float]
    """Premium petrol, RON per litre; null = no such price."""
    motorina: Optional[float]
    """Standard diesel, RON per litre; null = no such price."""
    motorina_premium: Optional[float]
    """Premium diesel, RON per litre; null = no such price."""
    gpl: Optional[float]
    """LPG, RON per litre; null = no such price."""


class Stare(TypedDict):
    status: Literal["ok", "degraded"]
    """`degraded` comes with HTTP 503."""
    actualizat_la: Optional[str]
    """Time of the last successful price-data update, the same value as in the health check; null = none
    yet.
    """
    vechime_secunde: Optional[int]
    """Age of the most recent update in seconds; informative only."""
    vechime_maxima_secunde: Optional[int]
    """Age of the oldest in-service source in seconds; above 86400 the status is `degraded`."""
    vechime_maxima_descarcare_secunde: Optional[int]
    """Age of the oldest download in seconds."""
    observatie_cea_mai_veche: Optional[str]
    """Date of the oldest observation served."""
    preturi_fara_data_observatie: int
    """Prices without an observation date."""
    statii_cu_pret: int
    """Legacy field: records with a non-zero price, not physical stations."""
    inregistrari_total: int
    """All fuel rows, missing and expired prices included."""
    preturi_disponibile: int
    """Rows with a valid price in the fuel's range after expiry; zero makes the status `degraded`."""
    statii_total: int
    """Distinct physical stations on the map, those without a price included."""
    statii_cu_pret_unice: int
    """Distinct physical stations with at least one valid price."""


class StatieGermania(TypedDict):
    nume: str
    """Name of the station."""
    brand: str
    """Brand as the source writes it; empty for an independent station."""
    adresa: str
    """Street and number."""
    cod_postal: int
    """German postcode as a number: 1067 is 01067."""
    oras: str
    """Town."""
    lat: float
    """Latitude, WGS84 degrees."""
    lng: float
    """Longitude, WGS84 degrees."""
    dist_km: float
    """Distance from `lat` and `lng` of the answer, km."""
    benzina: Optional[float]
    """Petrol E5, EUR per litre; null = no price."""
    e10: Optional[float]
    """Petrol E10, EUR per litre; null = no price."""
    motorina: Optional[float]
    """Diesel, EUR per litre; null = no price."""
    deschis: bool
    """Open now."""


class StatieTraseu(TypedDict):
    adresa: str
    """Address; may be empty."""
    brand: str
    """Network name."""
    oras: str
    """City name, ASCII; may be empty."""
    lat: float
    """Latitude, WGS84 degrees."""
    lng: float
    """Longitude, WGS84 degrees."""
    tip: Literal["benzina_standard", "benzina_premium", "motorina_standard", "motorina_premium", "gpl"]
    """Fuel type."""
    pret: float
    """Trusted price, RON per litre."""
    dist_ruta: float
    """Shortest distance to the route, km, 1 decimal."""


class TestWebhook(TypedDict):
    status: Literal["ok"]
    """Always `ok`."""
    reusit: bool
    """Whether the address answered 2xx."""
    livrare: Livrare
    webhook: Webhook


class Webhook(TypedDict):
    id: str
    """Its name in paths."""
    url: str
    """The public `https` address that we send to, on port 443."""
    filtru: WebhookFiltru
    """Which changes are sent; a field that is null or absent leaves nothing out."""
    fel: List[Literal["pret", "retras", "revenit", "steag", "statie_noua", "statie_disparuta"]]
    """The kinds of changes that are sent, as `fel` of `/modificari`."""
    stare: Literal["neverificat", "activ", "pauza", "oprit"]
    """`neverificat`: nothing is sent until a test succeeds; `activ`; `pauza`: paused by you; `oprit`:
    stopped by us, with `motiv_oprire`, until a test succeeds.
    """
    pauza: bool
    """Whether you paused it. While `stare` is `neverificat` or `oprit`, the pause counts only after a test
    succeeds.
    """
    motiv_oprire: Optional[Literal["refuzat", "esecuri"]]
    """Why we stopped it: `refuzat` = the address answered 410; `esecuri` = no delivery succeeded for 75
    hours; null = it is not stopped.
    """
    creat_la: str
    """When it was made, UTC."""
    verificat_la: Optional[str]
    """When the first test of this address succeeded, UTC; null = not yet."""
    oprit_la: Optional[str]
    """When we stopped it, UTC."""
    cursor: Optional[str]
    """The place in the feed of changes up to which everything is delivered; null = nothing yet."""
    secret_vechi_pana_la: Optional[str]
    """Until when an earlier secret also signs, UTC; null = only the new one does."""


class WebhookCreat(TypedDict):
    status: Literal["ok"]
    """Always `ok`."""
    webhook: Webhook
    secret: str
    """The secret that verifies signatures. It is shown only now."""


class WebhookFiltru(TypedDict):
    tip: Optional[Literal["benzina_standard", "benzina_premium", "motorina_standard", "motorina_premium", "gpl", "adblue"]]
    """Only one fuel; leaves out stations that come and go, too."""
    judet: Optional[str]
    """Only stations of one county, by its plate code."""
    oras: Optional[str]
    """Only stations of one city, by its slug."""
    brand: Optional[str]
    """Only stations of one network, by its slug."""
    statii: Optional[List[str]]
    """Only these stations, by the field `id` of `/statii`."""


class WebhookSters(TypedDict):
    status: Literal["ok"]
    """Always `ok`."""


class Webhookuri(TypedDict):
    status: Literal["ok"]
    """Always `ok`."""
    total: int
    """How many the key has."""
    webhookuri: List[Webhook]
    """Oldest first."""
