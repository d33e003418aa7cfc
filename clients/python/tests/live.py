"""The client against the real service; `test/clients/python.long.test.ts` starts it and says in POMPA_TEST where it is."""

from __future__ import annotations

import json
import os
import unittest
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from typing import List, Optional, Tuple

from pompa_client import (
    BadRequestError,
    CursorGoneError,
    KeyRefusedError,
    KeyUnverifiedError,
    MonthlyQuotaError,
    NotFoundError,
    PompaClient,
    PompaError,
    RateLimitError,
    WeeklyCapError,
    models,
)

PLACES = json.loads(os.environ["POMPA_TEST"])


def client(key: Optional[str] = None, wait_up_to_seconds: float = 0) -> PompaClient:
    api_key = None if key is None else PLACES["keys"][key]
    return PompaClient(PLACES["url"], api_key, wait_up_to_seconds=wait_up_to_seconds)


class Prices(unittest.TestCase):
    def test_missing_ones_are_none(self) -> None:
        country = client().get_national_prices()["preturi"]["motorina_standard"]
        records = client("plenty", 10).get_stations()["statii"]
        self.assertIsInstance(country["min"], float)
        self.assertIn(None, {record["pret"] for record in records})

    def test_come_by_every_kind_of_parameter(self) -> None:
        pompa = client("plenty", 10)
        records = pompa.get_stations(bbox=(20, 43, 30, 49), cu_pret=True, limita=3)["statii"]
        chosen = pompa.get_stations(id=[record["id"] for record in records[:2]])["statii"]
        self.assertEqual(pompa.get_county_prices("Cluj")["judet"], "CJ")
        self.assertEqual(len(records), 3)
        self.assertEqual({record["id"] for record in chosen}, {record["id"] for record in records[:2]})
        self.assertTrue(pompa.plan_journey(start="Cluj-Napoca", end="București")["ok"])

    def test_the_month_of_a_key_is_known(self) -> None:
        pompa = client("plenty", 10)
        self.assertIsNone(pompa.quota)
        pompa.get_networks()
        assert pompa.quota is not None
        self.assertEqual(pompa.quota.limit, 1000)
        self.assertGreater(pompa.quota.resets_at, datetime.now(timezone.utc))


class Refusals(unittest.TestCase):
    def test_wrong_parameters_unknown_stations_and_wrong_keys(self) -> None:
        with self.assertRaisesRegex(BadRequestError, "lat"):
            client().get_stations(lat=float("nan"), lon=26)
        with self.assertRaisesRegex(BadRequestError, "Atlantida"):
            client().plan_journey(start="Atlantida", end="Cluj-Napoca")
        with self.assertRaises(NotFoundError):
            client("plenty", 10).get_station_history("x/../y")
        with self.assertRaises(KeyRefusedError):
            PompaClient(PLACES["url"], "pompa_live_wrong").get_networks()
        with self.assertRaises(KeyRefusedError):
            client().get_key()

    def test_the_week(self) -> None:
        pompa = client(wait_up_to_seconds=1_000_000)
        pompa.get_networks()
        with self.assertRaises(WeeklyCapError) as caught:
            pompa.get_networks()
        wait = caught.exception.next_allowed - datetime.now(timezone.utc)
        self.assertLess(timedelta(days=6.99), wait)
        self.assertLessEqual(wait, timedelta(days=7, seconds=1))
        self.assertRegex(caught.exception.plans_url or "", "/planuri$")

    def test_the_month(self) -> None:
        pompa = client("single", 1_000_000)
        pompa.get_networks()
        with self.assertRaises(MonthlyQuotaError) as caught:
            pompa.get_networks()
        self.assertEqual(caught.exception.limit, 1)
        self.assertEqual((caught.exception.resets_at.day, caught.exception.resets_at.hour), (1, 0))

    def test_the_second(self) -> None:
        hasty, patient = client("burst"), client("burst", 30)
        refused = [error for error in together(hasty, 20) if error is not None]
        self.assertTrue(refused)
        for error in refused:
            assert isinstance(error, RateLimitError)
            self.assertEqual((error.limit_of, error.retry_after_seconds), ("key", 1))
        self.assertEqual(together(patient, 9), [None] * 9)

    def test_a_key_that_the_service_cannot_verify_at_the_moment(self) -> None:
        with self.assertRaises(KeyUnverifiedError) as caught:
            PompaClient(PLACES["withoutDatabase"], PLACES["keys"]["plenty"]).get_networks()
        self.assertEqual(caught.exception.retry_after_seconds, 30)


class Changes(unittest.TestCase):
    def setUp(self) -> None:
        self.pompa = PompaClient(PLACES["feed"])

    def test_come_once_in_order_over_as_many_pages_as_there_are(self) -> None:
        told = [change["cursor"] for change in self.pompa.iterate_changes(limita=2)]
        self.assertEqual(told, [cursor(seq) for seq in range(1, 6)])
        after = [change["cursor"] for change in self.pompa.iterate_changes(dupa=cursor(3), limita=1)]
        self.assertEqual(after, [cursor(4), cursor(5)])

    def test_have_prices_of_which_either_may_be_missing(self) -> None:
        change = self.pompa.get_changes(limita=1)["modificari"][0]
        self.assertEqual((change["fel"], change["tip"]), ("pret", "benzina_standard"))
        self.assertEqual((change["pret_vechi"], change["pret_nou"]), (7, 7.01))

    def test_move_past_what_the_filters_leave_out(self) -> None:
        def pages_of(judet: str) -> List[Tuple[int, str, bool]]:
            pages = self.pompa.change_pages(judet=judet, limita=2)
            return [(len(page["modificari"]), page["urmatorul"], page["la_zi"]) for page in pages]

        self.assertEqual(pages_of("Cluj"), [(2, cursor(3), False), (1, cursor(5), True)])
        self.assertEqual(pages_of("TM"), [(0, cursor(5), True)])

    def test_continue_from_the_prices_and_are_waited_for(self) -> None:
        pompa = PompaClient(PLACES["awaitedFeed"])
        answer, after = pompa.get_stations_with_cursor(judet="CJ")
        self.assertTrue(answer["statii"])
        following = pompa.change_pages(after, follow=True)
        # The service tells this one when it is waited for.
        self.assertEqual([change["cursor"] for change in next(following)["modificari"]], [cursor(6)])

    def test_are_gone_after_a_cursor_that_is_too_old(self) -> None:
        with self.assertRaises(CursorGoneError) as caught:
            list(self.pompa.iterate_changes("epoch_00.7"))
        self.assertEqual(caught.exception.resume_from, cursor(0))


def cursor(seq: int) -> str:
    return f"{PLACES['epoch']}.{seq}"


def together(pompa: PompaClient, count: int) -> List[Optional[PompaError]]:
    """The errors of so many calls at once; None = an answer."""

    def ask(_: int) -> Optional[PompaError]:
        try:
            answer: models.RaspunsRetele = pompa.get_networks()
            return None if answer["retele"] else PompaError("no networks")
        except PompaError as error:
            return error

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(ask, range(count)))
