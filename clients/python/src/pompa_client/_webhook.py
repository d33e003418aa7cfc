"""Checks that a delivery comes from the service: Standard Webhooks, HMAC-SHA256 over the bytes as they came."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from datetime import datetime, timezone
from typing import Any, Literal, Mapping, NamedTuple, Optional, Union

from ._models import EvenimentModificari, EvenimentPing, EvenimentReluare

WebhookPayload = Union[EvenimentModificari, EvenimentPing, EvenimentReluare]
"""What is sent, told apart by `type`. Skip a `type` that you do not know: later versions may add one."""

_TOLERANCE_SECONDS = 300
"""How far the sender's clock may be from ours; older deliveries may be repeated by somebody who overheard them."""


class WebhookRefusedError(Exception):
    """A delivery is not genuine. Answer 400 and do nothing with it."""

    def __init__(self, reason: Literal["headers", "time", "signature", "body"], message: str) -> None:
        super().__init__(message)
        self.reason = reason


class VerifiedWebhook(NamedTuple):
    id: str
    """The same for every try of a delivery: skip those that you have seen."""
    sent_at: datetime
    payload: WebhookPayload
    """The body, read as JSON."""


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: Union[bytes, str], *, now: Optional[float] = None
) -> VerifiedWebhook:
    """The delivery, if it is genuine; raises `WebhookRefusedError` if not.

    secret: as shown once when the webhook was made: `whsec_…`. Raises `ValueError` where it is none.

    headers: of the request, in any letter case.

    body: as it came. JSON that was parsed and written again has other bytes, and fails.

    now: Unix time in seconds; the present by default.
    """
    if not isinstance(body, (bytes, bytearray, str)):
        raise TypeError("body must be the bytes of the request as they came, not what was parsed from them")
    key = _secret_bytes(secret)
    message_id = _header(headers, "webhook-id")
    sent_at = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature")
    present = time.time() if now is None else now
    if not re.fullmatch(r"[0-9]{1,12}", sent_at) or abs(present - int(sent_at)) > _TOLERANCE_SECONDS:
        raise WebhookRefusedError("time", f"webhook-timestamp must be within {_TOLERANCE_SECONDS} s of the present")
    data = _utf8(body) if isinstance(body, str) else bytes(body)
    digest = hmac.new(key, _utf8(f"{message_id}.{sent_at}.") + data, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # While a secret is replaced, there is a signature with each.
    is_genuine = [hmac.compare_digest(_utf8(each), expected) for each in signatures.split(" ")]
    if True not in is_genuine:
        raise WebhookRefusedError("signature", "no signature fits: another secret, or the body is not as it was sent")
    return VerifiedWebhook(message_id, datetime.fromtimestamp(int(sent_at), timezone.utc), _parse(data))


def _utf8(text: str) -> bytes:
    """Half characters, which only a forged header has, fit no signature."""
    return text.encode("utf-8", "replace")


def _header(headers: Mapping[str, str], name: str) -> str:
    value = next((value for key, value in headers.items() if key.lower() == name), "")
    if not value:
        raise WebhookRefusedError("headers", f"the header {name} is missing")
    return value


def _secret_bytes(secret: str) -> bytes:
    encoded = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
    try:
        decoded = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        decoded = b""
    if len(decoded) < 12:
        raise ValueError("secret must be as it was shown: whsec_…")
    return decoded


def _parse(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise WebhookRefusedError("body", "the body is genuine, but no JSON that can be read") from None
