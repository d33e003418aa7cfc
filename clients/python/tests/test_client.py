from __future__ import annotations

import unittest
from typing import Any, Dict, List
from unittest import mock

from pompa_client import (
    NetworkError,
    PompaClient,
    RateLimitError,
    UnavailableError,
    UnexpectedAnswerError,
)

from .scripted_server import Answer, ScriptedServer


def refusal(status: int, seconds: int, in_body: bool) -> Answer:
    body: Dict[str, Any] = {"status": "error", "message": "Nu acum."}
    if in_body:
        body["retry_after_seconds"] = seconds
    return Answer(status, body, {"Retry-After": str(seconds)})


class Waiting(unittest.TestCase):
    def setUp(self) -> None:
        self.slept: List[float] = []
        patched = mock.patch("pompa_client._transport.time.sleep", self.slept.append)
        patched.start()
        self.addCleanup(patched.stop)

    def test_is_as_long_as_each_refusal_says_and_in_all_no_longer_than_the_bound(self) -> None:
        with ScriptedServer(refusal(429, 4, True), refusal(503, 5, False), refusal(429, 4, False)) as server:
            with self.assertRaises(RateLimitError) as caught:
                PompaClient(server.url, wait_up_to_seconds=12).get_networks()
        self.assertEqual(self.slept, [4, 5])
        self.assertEqual((caught.exception.retry_after_seconds, caught.exception.limit_of), (4, "endpoint"))

    def test_ends_with_the_answer(self) -> None:
        with ScriptedServer(refusal(429, 2, True), Answer(200, {"retele": []})) as server:
            self.assertEqual(PompaClient(server.url).get_networks()["retele"], [])
        self.assertEqual(self.slept, [2])

    def test_is_a_second_where_a_refusal_says_that_none_is_needed(self) -> None:
        with ScriptedServer(refusal(429, 0, True), refusal(503, 0, True), Answer(200, {"retele": []})) as server:
            self.assertEqual(PompaClient(server.url).get_networks()["retele"], [])
        self.assertEqual(self.slept, [1, 1])

    def test_sends_nothing_twice_that_may_have_had_an_effect(self) -> None:
        with ScriptedServer(refusal(503, 1, False)) as server, self.assertRaises(UnavailableError):
            PompaClient(server.url).add_review(statie_slug="petrom-0a1b2c3d4e5f", rating=5)
        self.assertEqual(self.slept, [])


class Requests(unittest.TestCase):
    def test_have_paths_lists_switches_and_bodies_as_the_service_reads_them(self) -> None:
        with ScriptedServer(*[Answer(200, {})] * 4) as server:
            client = PompaClient(server.url + "/", "secret-key")
            client.get_county_prices("Caraș/Severin ?")
            client.get_stations(id=["a", "b"], bbox=(20, 43.5, 30, 49), cu_pret=True, limita=3)
            client.get_networks()
            client.plan_journey(start="Iași", end="Cluj-Napoca")
        paths = [request["path"] for request in server.requests]
        self.assertEqual(paths[0], "/api/v1/judete/Cara%C8%99%2FSeverin%20%3F")
        self.assertEqual(paths[1], "/api/v1/statii?id=a%2Cb&bbox=20%2C43.5%2C30%2C49&cu_pret=true&limita=3")
        self.assertEqual(paths[2:], ["/api/v1/retele", "/api/v1/traseu/custom"])
        self.assertEqual(server.requests[3]["body"], '{"start": "Ia\\u0219i", "end": "Cluj-Napoca"}')
        self.assertEqual(server.requests[3]["content-type"], "application/json")
        self.assertEqual({request["x-api-key"] for request in server.requests}, {"secret-key"})

    def test_never_carry_the_key_to_where_a_redirect_leads(self) -> None:
        with ScriptedServer(Answer(200, {})) as other:
            with ScriptedServer(Answer(302, {}, {"Location": f"{other.url}/api/v1/retele"})) as server:
                with self.assertRaisesRegex(UnexpectedAnswerError, other.url):
                    PompaClient(server.url, "secret-key").get_networks()
        self.assertEqual(other.requests, [])


class Answers(unittest.TestCase):
    def test_of_the_health_check_are_read_though_their_status_is_503(self) -> None:
        with ScriptedServer(Answer(503, {"status": "degraded"})) as server:
            self.assertEqual(PompaClient(server.url).get_health()["status"], "degraded")

    def test_of_proxies_are_no_answers(self) -> None:
        with ScriptedServer(Answer(200, text="<html>"), Answer(502, text="<html>")) as server:
            client = PompaClient(server.url)
            self.assertRaises(UnexpectedAnswerError, client.get_networks)
            self.assertRaises(UnavailableError, client.get_networks)

    def test_that_do_not_come_are_network_errors(self) -> None:
        with ScriptedServer() as server:
            pass
        with self.assertRaisesRegex(NetworkError, server.url):
            PompaClient(server.url).get_networks()


class Options(unittest.TestCase):
    def test_that_are_wrong_are_refused_in_a_sentence_that_shows_no_key(self) -> None:
        url = "https://pompa.example"
        wrong: List[Any] = [
            (("pompa.example",), {}, "address of the service"),
            ((f"{url}/api/v1/",), {}, r"end before /api/v1: https://pompa\.example$"),
            ((url, ""), {}, "leave it out"),
            ((url, "secret key"), {}, "^(?!.*secret)"),
            ((url,), {"wait_up_to_seconds": -1}, "wait_up_to_seconds"),
            ((url,), {"timeout_seconds": 0}, "timeout_seconds"),
        ]
        for arguments, named, message in wrong:
            with self.assertRaisesRegex(ValueError, message):
                PompaClient(*arguments, **named)

    def test_and_names_of_nothing_too(self) -> None:
        for county in ("", ".", ".."):
            with self.assertRaisesRegex(ValueError, "judet"):
                PompaClient("https://pompa.example").get_county_prices(county)
