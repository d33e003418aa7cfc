# Generated from the description of the API by clients/generator/generate.ts; never edit it.
"""A method for each operation of the API."""

from __future__ import annotations

from typing import Literal, Optional, Sequence, cast

from ._models import (
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
)
from ._transport import Operation, Transport


class Endpoints(Transport):
    def get_prices(
        self,
        *,
        judet: Optional[str] = None,
    ) -> RaspunsPreturi:
        """City minimum prices and network averages.

        Current minimum trusted price of each city, largest population first, and the national average of
        each network. Without a key the 20 largest cities (of the county, if one is requested); never
        capped. Cities without a trusted price are left out.

        judet: Only the cities of one county: full name, with or without diacritics, any letter case, or
        plate code. Empty = all.
        """
        operation = Operation("GET", "/api/v1/preturi", has_body=False, answers=(200,))
        answer = self.call(operation, {"judet": judet})
        return cast(RaspunsPreturi, answer)

    def get_national_prices(
        self,
    ) -> RaspunsMinime:
        """National minimum, average and maximum per fuel.

        Over all trusted station prices. No key, no cap.
        """
        operation = Operation("GET", "/api/v1/preturi/minime", has_body=False, answers=(200,))
        answer = self.call(operation, {})
        return cast(RaspunsMinime, answer)

    def get_county_prices(
        self,
        judet: str,
    ) -> RaspunsJudet:
        """Average prices of one county.

        Average of the minimum prices of the cities of a county, 2 decimals.

        judet: County name, with or without diacritics, any letter case, or plate code.
        """
        operation = Operation("GET", "/api/v1/judete/{judet}", has_body=False, answers=(200,))
        answer = self.call(operation, {"judet": judet})
        return cast(RaspunsJudet, answer)

    def get_networks(
        self,
    ) -> RaspunsRetele:
        """National average per network.

        Average of the trusted station prices of each network, 2 decimals; null for a fuel that it does not
        sell.
        """
        operation = Operation("GET", "/api/v1/retele", has_body=False, answers=(200,))
        answer = self.call(operation, {})
        return cast(RaspunsRetele, answer)

    def get_stations(
        self,
        *,
        brand: Optional[str] = None,
        tip: Optional[Literal["benzina_standard", "benzina_premium", "motorina_standard", "motorina_premium", "gpl", "adblue"]] = None,
        lat: Optional[float] = None,
        lon: Optional[float] = None,
        raza: Optional[float] = None,
        id: Optional[Sequence[str]] = None,
        bbox: Optional[Sequence[float]] = None,
        judet: Optional[str] = None,
        oras: Optional[str] = None,
        cu_pret: Optional[bool] = None,
        fara_nesigure: Optional[bool] = None,
        varsta_max: Optional[int] = None,
        sort: Optional[Literal["pret", "distanta"]] = None,
        limita: Optional[int] = None,
        campuri: Optional[Literal["extins"]] = None,
    ) -> RaspunsStatii:
        """One record per station and fuel.

        Without a geo filter, ordered by county, city, station and fuel; with one (`lat` and `lon`
        together), only stations within the radius, nearest first, each record with `distanta_km`. Filters
        combine. Without a key, at most 150 records: an even spread over the order, the same until the next
        publication, or the first 150 where the request has a point, `id`, `sort` or `limita`;
        `total_disponibil` and `nota` are present when something was left out (CSV has the header
        `Pompa-Total` instead).

        brand: Only stations of one network, by name or slug, any letter case. An unknown brand gives an
        empty list; empty = all.

        tip: Only one fuel; any other value is a 400. `adblue` is sold at some stations only. Empty = all.

        lat: Latitude of the geo filter; needs `lon`.

        lon: Longitude of the geo filter; needs `lat`.

        raza: Radius in km, clamped to 0.1 to 50.

        id: Only these stations: at most 100 values of the field `id`, separated by commas. An unknown
        station is left out. Empty = none.

        bbox: Only stations inside a box: west, south, east, north in degrees, the order of GeoJSON. Empty =
        all.

        judet: Only stations of one county: full name, with or without diacritics, any letter case, or plate
        code. Empty = all.

        oras: Only stations of a city: its slug in `/preturi`, exactly as there, which means one city; its
        name, with or without diacritics, which means all cities of that name (add `judet`); or any other
        way to name a place that `/traseu/custom` understands (`Fântânele, Suceava`, `Cluj`, `Bucharest`). A
        place without stations gives an empty list, an unknown one 404; empty = all.

        cu_pret: With `1`, `true`, `yes` or `da`: only records that have a price.

        fara_nesigure: With `1`, `true`, `yes` or `da`: without prices flagged `nesigur`.

        varsta_max: Only prices observed within this many calendar days (0 = today), by `observat_la`.
        Prices without a date and records without a price are left out.

        sort: `pret`: cheapest first; doubtful prices follow all trusted ones, and records without a price
        come last; at the same price, nearest first. Without `tip`, different fuels are ranked together.
        `distanta`: nearest first; needs `lat` and `lon`, with which it is the default.

        limita: At most this many records, the first in the requested order.

        campuri: `extins`: a record with a price has the field `vechime` too, and one without has `stare`;
        with `id`, fuels that a station does not sell appear as well, as `nu_se_vinde`.
        """
        operation = Operation("GET", "/api/v1/statii", has_body=False, answers=(200,))
        answer = self.call(operation, {"brand": brand, "tip": tip, "lat": lat, "lon": lon, "raza": raza, "id": id, "bbox": bbox, "judet": judet, "oras": oras, "cu_pret": cu_pret, "fara_nesigure": fara_nesigure, "varsta_max": varsta_max, "sort": sort, "limita": limita, "campuri": campuri})
        return cast(RaspunsStatii, answer)

    def get_station_history(
        self,
        station_id: str,
        *,
        days: Optional[int] = None,
    ) -> RaspunsIstoric:
        """Daily price series of one station.

        All days of the window from the first known day of the station to today, in Romanian calendar days;
        a day without a measurement is null in every series. `variatie` has the fuels with at least two
        known days in the window.

        station_id: The `id` of a `/statii` record.

        days: Days of the window, today included; above 90 means 90.
        """
        operation = Operation("GET", "/api/v1/statie/{station_id}/istoric", has_body=False, answers=(200,))
        answer = self.call(operation, {"station_id": station_id, "days": days})
        return cast(RaspunsIstoric, answer)

    def get_changes(
        self,
        *,
        dupa: Optional[str] = None,
        limita: Optional[int] = None,
        asteapta: Optional[int] = None,
        tip: Optional[Literal["benzina_standard", "benzina_premium", "motorina_standard", "motorina_premium", "gpl", "adblue"]] = None,
        judet: Optional[str] = None,
        oras: Optional[str] = None,
        brand: Optional[str] = None,
        statie: Optional[Sequence[str]] = None,
    ) -> Modificari:
        """What changed in what is served, change by change.

        Every change of the records of `/statii`, those by time alone (expiry, a stuck price, an orphan)
        included, in total order, for 30 days. Read `/statii` with the key, keep the header `Pompa-Cursor`,
        then apply the changes after it: you always have what `/statii` serves. Continue with `urmatorul`.
        With `If-None-Match` an unchanged answer is a 304 and consumes nothing.

        dupa: The changes after this cursor: `urmatorul`, or the header `Pompa-Cursor`. `acum` = only future
        ones; empty = from the oldest kept.

        limita: At most this many changes, up to 1000.

        asteapta: If nothing follows, the answer waits for the first matching change at most this many
        seconds, up to 25. At most 8 such requests of a key at a time with each process of the service.

        tip: Only one fuel; leaves out stations that come and go, too. Empty = all.

        judet: Only stations of one county, as for `/statii`; the county at the time of the change counts.
        Empty = all.

        oras: Only stations of one city, as for `/statii`. Empty = all.

        brand: Only stations of one network, by name or slug. Empty = all.

        statie: Only these stations: at most 100 values of the field `id` of `/statii`, separated by commas.
        Empty = none.
        """
        operation = Operation("GET", "/api/v1/modificari", has_body=False, answers=(200,))
        answer = self.call(operation, {"dupa": dupa, "limita": limita, "asteapta": asteapta, "tip": tip, "judet": judet, "oras": oras, "brand": brand, "statie": statie})
        return cast(Modificari, answer)

    def search_places(
        self,
        *,
        q: Optional[str] = None,
    ) -> RaspunsGeocode:
        """City-name autocomplete.

        At most 10 names that contain the text, ignoring letter case and diacritics, most populous first;
        places that share a name are listed with their county.

        q: Part of a name. With fewer than 2 characters (not counting spaces at the ends) the list is empty.
        """
        operation = Operation("GET", "/api/v1/geocode", has_body=False, answers=(200,))
        answer = self.call(operation, {"q": q})
        return cast(RaspunsGeocode, answer)

    def get_german_stations(
        self,
        *,
        lat: float,
        lng: float,
        rad: Optional[float] = None,
    ) -> RaspunsGermania:
        """Stations in Germany around a point, prices in EUR.

        Live prices from a public German source (CC BY 4.0; attribution as `sursa` and `atribuire` say),
        nearest first. An answer is kept for 10 minutes for all points within the same hundredth of a degree
        and the same radius in whole km, so `lat` and `lng` may be those of an earlier request. Questions to
        the source are limited per hour, in all and for each address; beyond that the answer is an earlier
        one, up to an hour old (`generat_la`), or 503. At most 30 requests per minute from one address. No
        key needed, no weekly cap.

        lat: Latitude, in Germany.

        lng: Longitude, in Germany.

        rad: Radius in km, clamped to 1 to 25 and rounded to whole km.
        """
        operation = Operation("GET", "/api/v1/de-statii", has_body=False, answers=(200,))
        answer = self.call(operation, {"lat": lat, "lng": lng, "rad": rad})
        return cast(RaspunsGermania, answer)

    def plan_journey(
        self,
        *,
        start: str,
        end: str,
        tip: Optional[Literal["benzina_standard", "benzina_premium", "motorina_standard", "motorina_premium", "gpl"]] = None,
        raza: Optional[float] = None,
    ) -> RaspunsTraseu:
        """Stations along a route.

        Finds two places by name, the driving route between them, and the stations with a trusted price of
        one fuel within a corridor, cheapest first, then nearest to the route. A name may include its county
        (`Fântânele, Suceava` or `Fântânele, SV`); of several places with the same name the most populous is
        used.

        start: Name of the place of departure.

        end: Name of the destination.

        tip: The fuel whose prices are requested.

        raza: How far a station may be from the route, km; above 15 means 15.
        """
        operation = Operation("POST", "/api/v1/traseu/custom", has_body=True, answers=(200,))
        answer = self.call(operation, {"start": start, "end": end, "tip": tip, "raza": raza})
        return cast(RaspunsTraseu, answer)

    def get_reviews(
        self,
        slug: str,
    ) -> RaspunsRecenzii:
        """Rating and reviews of a station.

        The mean rating and up to 20 approved reviews, newest first. A station without reviews, or one that
        does not exist, has an empty list.

        slug: The station's slug, the last part of its page's address; its last 12 characters, the `id`,
        decide.
        """
        operation = Operation("GET", "/api/v1/reviews/{slug}", has_body=False, answers=(200,))
        answer = self.call(operation, {"slug": slug})
        return cast(RaspunsRecenzii, answer)

    def add_review(
        self,
        *,
        statie_slug: str,
        rating: int,
        nickname: Optional[str] = None,
        comment: Optional[str] = None,
        recaptcha_token: Optional[str] = None,
    ) -> RaspunsRecenzie:
        """Rate or review a station.

        Stars alone count at once. A comment or a name of your own needs a `recaptcha_token` and appears
        after approval, stars included. One review per day and station, and 3 per day, from one address;
        days begin at midnight in Romania.

        statie_slug: The station's slug; its last 12 characters decide.

        rating: Stars.

        nickname: At most 50 characters as people see them; `Anonim` or empty means no name.

        comment: At most 500 characters as people see them.

        recaptcha_token: Required with a comment or a nickname; valid once: the ALTCHA solution of a
        challenge from `/captcha/provocare` or, where the service uses reCAPTCHA, a v3 token with the action
        `review`.
        """
        operation = Operation("POST", "/api/v1/review", has_body=True, answers=(200,))
        answer = self.call(operation, {"statie_slug": statie_slug, "rating": rating, "nickname": nickname, "comment": comment, "recaptcha_token": recaptcha_token})
        return cast(RaspunsRecenzie, answer)

    def get_key(
        self,
        *,
        campuri: Optional[Literal["extins"]] = None,
    ) -> Cheie:
        """Status and usage of the key in the request.

        Does not count towards the monthly quota, but does count towards the short-term limits. For servers
        only: pages of other origins cannot read it.

        campuri: `extins`: the field `webhookuri`, too.
        """
        operation = Operation("GET", "/api/v1/cheie", has_body=False, answers=(200,))
        answer = self.call(operation, {"campuri": campuri})
        return cast(Cheie, answer)

    def get_webhooks(
        self,
    ) -> Webhookuri:
        """The webhooks of the key in the request.

        Does not count towards the monthly quota, like every endpoint of webhooks. Secrets are not shown.
        """
        operation = Operation("GET", "/api/v1/cheie/webhookuri", has_body=False, answers=(200,))
        answer = self.call(operation, {})
        return cast(Webhookuri, answer)

    def create_webhook(
        self,
        *,
        url: str,
        filtru: Optional[CreateWebhookFiltru] = None,
        fel: Optional[Sequence[Literal["pret", "retras", "revenit", "steag", "statie_noua", "statie_disparuta"]]] = None,
    ) -> WebhookCreat:
        """A new webhook.

        The answer has the secret, which is never shown again. Nothing is sent until the address answers a
        test with 2xx (`POST …/{id}/test`). At most 5 for a key, and 60 changes an hour.

        url: The public `https` address that we send to, on port 443.

        filtru: Which changes are sent; a field that is null or absent leaves nothing out.

        fel: The kinds of changes that are sent, as `fel` of `/modificari`.
        """
        operation = Operation("POST", "/api/v1/cheie/webhookuri", has_body=True, answers=(201,))
        answer = self.call(operation, {"url": url, "filtru": filtru, "fel": fel})
        return cast(WebhookCreat, answer)

    def get_webhook(
        self,
        id: str,
    ) -> RaspunsWebhook:
        """A webhook and its state.

        `stare` says whether it is sent to, and `motiv_oprire` why we stopped it.

        id: The field `id` of the webhook.
        """
        operation = Operation("GET", "/api/v1/cheie/webhookuri/{id}", has_body=False, answers=(200,))
        answer = self.call(operation, {"id": id})
        return cast(RaspunsWebhook, answer)

    def change_webhook(
        self,
        id: str,
        *,
        url: Optional[str] = None,
        filtru: Optional[ChangeWebhookFiltru] = None,
        fel: Optional[Sequence[Literal["pret", "retras", "revenit", "steag", "statie_noua", "statie_disparuta"]]] = None,
        pauza: Optional[bool] = None,
    ) -> RaspunsWebhook:
        """Changes, pauses or resumes a webhook.

        Fields that are absent stay as they are; `filtru` is replaced as a whole, `{}` = no filter. A new
        address has to be verified again by a test.

        id: The field `id` of the webhook.

        url: The public `https` address that we send to, on port 443.

        filtru: Which changes are sent; a field that is null or absent leaves nothing out.

        fel: The kinds of changes that are sent, as `fel` of `/modificari`.

        pauza: `true` stops sending, `false` resumes it where it stopped.
        """
        operation = Operation("PATCH", "/api/v1/cheie/webhookuri/{id}", has_body=True, answers=(200,))
        answer = self.call(operation, {"id": id, "url": url, "filtru": filtru, "fel": fel, "pauza": pauza})
        return cast(RaspunsWebhook, answer)

    def delete_webhook(
        self,
        id: str,
    ) -> WebhookSters:
        """Deletes a webhook.

        Nothing is sent any more; its deliveries are deleted, too.

        id: The field `id` of the webhook.
        """
        operation = Operation("DELETE", "/api/v1/cheie/webhookuri/{id}", has_body=False, answers=(200,))
        answer = self.call(operation, {"id": id})
        return cast(WebhookSters, answer)

    def test_webhook(
        self,
        id: str,
    ) -> TestWebhook:
        """Sends a signed test.

        Sends the event `ping` and waits for the address to answer, at most 15 seconds; our answer is 200
        also when the test fails. A test that succeeds verifies the address, and restarts a webhook that we
        stopped. At most 10 an hour for a key.

        id: The field `id` of the webhook.
        """
        operation = Operation("POST", "/api/v1/cheie/webhookuri/{id}/test", has_body=False, answers=(200,))
        answer = self.call(operation, {"id": id})
        return cast(TestWebhook, answer)

    def get_webhook_deliveries(
        self,
        id: str,
    ) -> Livrari:
        """The last deliveries.

        What was or is to be sent, how often, what the address answered, and why it failed.

        id: The field `id` of the webhook.
        """
        operation = Operation("GET", "/api/v1/cheie/webhookuri/{id}/livrari", has_body=False, answers=(200,))
        answer = self.call(operation, {"id": id})
        return cast(Livrari, answer)

    def replay_webhook(
        self,
        id: str,
        *,
        dupa: str,
    ) -> RaspunsWebhook:
        """Delivers again from a cursor on.

        Everything after the cursor is sent, again or for the first time; what was waiting is not sent
        besides. At most 5 an hour for a key.

        id: The field `id` of the webhook.

        dupa: The cursor after which to send again; `acum` = only future changes.
        """
        operation = Operation("POST", "/api/v1/cheie/webhookuri/{id}/reia", has_body=True, answers=(200,))
        answer = self.call(operation, {"id": id, "dupa": dupa})
        return cast(RaspunsWebhook, answer)

    def renew_webhook_secret(
        self,
        id: str,
    ) -> WebhookCreat:
        """A new secret.

        The new secret is shown only in this answer. The one before signs, too, for 24 hours, however many
        new ones follow: each delivery has a signature with each secret. At most 4 earlier secrets sign at a
        time.

        id: The field `id` of the webhook.
        """
        operation = Operation("POST", "/api/v1/cheie/webhookuri/{id}/secret", has_body=False, answers=(200,))
        answer = self.call(operation, {"id": id})
        return cast(WebhookCreat, answer)

    def get_health(
        self,
    ) -> Stare:
        """Data freshness.

        200 when every price source in service delivered within the last 24 hours and prices are being
        served; otherwise 503 with the same fields. No key, no quota.
        """
        operation = Operation("GET", "/api/v1/health", has_body=False, answers=(200, 503,))
        answer = self.call(operation, {})
        return cast(Stare, answer)
