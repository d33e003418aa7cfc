from __future__ import annotations

import base64
import hashlib
import hmac
import json
import unittest
from typing import Any, Dict, Optional

from pompa_client import WebhookRefusedError, verify_webhook

NOW = 1_795_953_600
KEY = b"k" * 24
SECRET = "whsec_" + base64.b64encode(KEY).decode()
BODY = b'{"modificari":[{"pret_nou":7.19}]}'


def sign(message_id: str, sent_at: int, body: bytes) -> str:
    digest = hmac.new(KEY, f"{message_id}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()


def headers_of(message_id: str = "1.2-40", sent_at: int = NOW, signature: Optional[str] = None) -> Dict[str, str]:
    """The headers of a delivery that was signed before one of them was changed."""
    signature = sign("1.2-40", NOW, BODY) if signature is None else signature
    return {"Webhook-Id": message_id, "webhook-timestamp": str(sent_at), "webhook-signature": signature}


class Genuine(unittest.TestCase):
    def test_deliveries_are_read(self) -> None:
        seen = verify_webhook(SECRET, headers_of(), BODY, now=NOW)
        self.assertEqual((seen.id, seen.sent_at.timestamp(), seen.payload), ("1.2-40", NOW, json.loads(BODY)))
        self.assertEqual(verify_webhook(SECRET, headers_of(), BODY.decode(), now=NOW), seen)

    def test_is_one_of_several_signatures_while_a_secret_is_replaced(self) -> None:
        signature = f"v1,{base64.b64encode(bytes(32)).decode()} v1a,ș {sign('1.2-40', NOW, BODY)}"
        verify_webhook(SECRET, headers_of(signature=signature), BODY, now=NOW)

    def test_is_the_example_of_the_specification(self) -> None:
        headers = {
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp": "1614265330",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }
        seen = verify_webhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", headers, b'{"test": 2432232314}', now=1614265330)
        self.assertEqual(seen.payload, {"test": 2432232314})


class Refused(unittest.TestCase):
    def assert_refused(self, reason: str, **change: Any) -> None:
        delivery: Dict[str, Any] = {"secret": SECRET, "headers": headers_of(), "body": BODY, "now": NOW, **change}
        with self.assertRaises(WebhookRefusedError) as caught:
            verify_webhook(**delivery)
        self.assertEqual(caught.exception.reason, reason)

    def test_is_what_was_changed_on_the_way(self) -> None:
        self.assert_refused("signature", body=BODY.replace(b"7.19", b"7.18"))
        self.assert_refused("signature", body=BODY.replace(b":", b": "))
        self.assert_refused("signature", headers=headers_of(message_id="1.2-41"))
        self.assert_refused("signature", headers=headers_of(sent_at=NOW + 1))
        self.assert_refused("signature", headers=headers_of(message_id="\ud800", signature="v1,\ud800"))
        self.assert_refused("signature", secret="whsec_" + base64.b64encode(b"o" * 24).decode())

    def test_is_what_comes_too_late_or_from_the_future(self) -> None:
        self.assert_refused("time", now=NOW + 301)
        self.assert_refused("time", now=NOW - 301)

    def test_is_what_lacks_its_headers(self) -> None:
        self.assert_refused("headers", headers={})
        self.assert_refused("headers", headers=headers_of(signature=""))

    def test_is_what_nobody_can_read(self) -> None:
        for body in (b"{", b"\xff", b"[" * 200_000):
            self.assert_refused("body", body=body, headers=headers_of(signature=sign("1.2-40", NOW, body)))

    def test_mistakes_of_the_program_are_told_apart(self) -> None:
        parsed: Any = json.loads(BODY)
        with self.assertRaisesRegex(TypeError, "bytes"):
            verify_webhook(SECRET, headers_of(), parsed, now=NOW)
        for secret in ("", "whsec_", "whsec_ä", SECRET[:-2], SECRET[:23]):
            with self.assertRaisesRegex(ValueError, "secret"):
                verify_webhook(secret, headers_of(), BODY, now=NOW)
