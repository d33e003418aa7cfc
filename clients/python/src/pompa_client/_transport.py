"""Sends requests: address, key, time limit, waiting within a bound, and answers read into values or errors."""

from __future__ import annotations

import http.client
import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from datetime import datetime, timezone
from email.message import Message
from typing import Any, Mapping, NamedTuple, Optional, Tuple

from ._errors import (
    KeyUnverifiedError,
    NetworkError,
    PompaError,
    RateLimitError,
    UnavailableError,
    UnexpectedAnswerError,
)
from ._options import check_base_url, check_key, check_seconds
from ._read_refusal import read_refusal
from ._version import __version__


@dataclass(frozen=True)
class Operation:
    """How an operation is requested; the generated methods have one each."""

    method: str
    path: str
    """With `{names}` of fields of the input."""
    has_body: bool
    """Whether the rest of the input is a JSON body; otherwise it is the query."""
    answers: Tuple[int, ...]
    """Statuses whose body is the answer."""


class Quota(NamedTuple):
    """The month of a key, as the last answer told it."""

    limit: int
    """Requests a month."""
    remaining: int
    resets_at: datetime


class Received(NamedTuple):
    answer: Any
    headers: Message


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to another address."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Transport:
    def __init__(
        self,
        base_url: str,
        api_key: Optional[str] = None,
        *,
        wait_up_to_seconds: float = 10,
        timeout_seconds: float = 30,
    ) -> None:
        """
        base_url: address of the service, without `/api/v1`: `https://pompa.example`.

        api_key: sent as `X-Api-Key`; without one, answers are reduced and some endpoints answer once a week.

        wait_up_to_seconds: how long one call may wait in all: after a short rate limit, and after a 503 that
        names a time. It never waits for the week or the month. 0 = raises at once.

        timeout_seconds: how long one request may wait for the service, besides the wait that it asks for (`asteapta`).

        Raises `ValueError` where one of them is wrong.
        """
        self._base_url = check_base_url(base_url)
        self._api_key = check_key(api_key)
        self._wait_up_to_seconds = check_seconds("wait_up_to_seconds", wait_up_to_seconds, least=0)
        self._timeout_seconds = check_seconds("timeout_seconds", timeout_seconds, least=0.001)
        self._opener = urllib.request.build_opener(_NoRedirects)
        self._quota: Optional[Quota] = None

    @property
    def quota(self) -> Optional[Quota]:
        """What is left of the month; None before the first answer to a request with a valid key."""
        return self._quota

    def call(self, operation: Operation, fields: Mapping[str, Any]) -> Any:
        """The answer to one operation. Raises a `PompaError`."""
        return self.exchange(operation, fields).answer

    def exchange(self, operation: Operation, fields: Mapping[str, Any]) -> Received:
        """As `call`, with the headers of the answer."""
        left = self._wait_up_to_seconds
        while True:
            try:
                return self._send(operation, fields)
            except PompaError as error:
                seconds = _seconds_to_wait(error, operation)
                if seconds is None or seconds > left:
                    raise
            left -= seconds
            time.sleep(seconds)

    def _send(self, operation: Operation, fields: Mapping[str, Any]) -> Received:
        timeout = self._timeout_seconds + _seconds_asked_for(fields)
        request = _build_request(self._base_url, operation, fields)
        if self._api_key is not None:
            request.add_header("X-Api-Key", self._api_key)
        try:
            status, headers, text = self._exchange_bytes(request, timeout)
        except (OSError, http.client.HTTPException) as error:
            raise NetworkError(f"no complete answer from {self._base_url}: {error}") from error
        self._quota = _read_quota(headers) or self._quota
        body = _parse_json(text)
        if status not in operation.answers:
            raise read_refusal(status, headers, body, datetime.now(timezone.utc))
        if body is None and text:
            raise UnexpectedAnswerError(f"status {status} came without JSON")
        return Received(body, headers)

    def _exchange_bytes(self, request: urllib.request.Request, timeout: float) -> Tuple[int, Message, bytes]:
        try:
            with self._opener.open(request, timeout=timeout) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, refusal.headers, refusal.read()


def _build_request(base_url: str, operation: Operation, fields: Mapping[str, Any]) -> urllib.request.Request:
    rest = {name: value for name, value in fields.items() if value is not None}
    path = re.sub(r"\{(\w+)\}", lambda match: _path_segment(match[1], rest.pop(match[1], "")), operation.path)
    headers = {"Accept": "application/json", "User-Agent": f"pompa-client-python/{__version__}"}
    if operation.has_body:
        headers["Content-Type"] = "application/json"
        data = json.dumps(rest).encode()
        return urllib.request.Request(base_url + path, data, headers, method=operation.method)
    query = urllib.parse.urlencode({name: _query_text(value) for name, value in rest.items()})
    return urllib.request.Request(f"{base_url}{path}{'?' if query else ''}{query}", None, headers, method=operation.method)


def _path_segment(name: str, value: Any) -> str:
    """`.` and `..` would climb to another path, and an empty one would name another."""
    text = str(value)
    if text in ("", ".", ".."):
        raise ValueError(f'{name} must name something, not "{text}"')
    return urllib.parse.quote(text, safe="")


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    return ",".join(map(str, value)) if hasattr(value, "__iter__") else str(value)


def _seconds_asked_for(fields: Mapping[str, Any]) -> float:
    """How long the service is asked to wait before it answers."""
    seconds = fields.get("asteapta")
    return seconds if isinstance(seconds, (int, float)) else 0


def _seconds_to_wait(error: PompaError, operation: Operation) -> Optional[float]:
    """How long until a request is worth another try; None = waiting does not help, or may do something twice."""
    # Short limits refuse a request before anything happens.
    if isinstance(error, (RateLimitError, KeyUnverifiedError)):
        return max(1.0, error.retry_after_seconds)
    if not isinstance(error, UnavailableError) or error.retry_after_seconds is None:
        return None
    is_safe = error.status == 503 and operation.method == "GET"
    return max(1.0, error.retry_after_seconds) if is_safe else None


def _read_quota(headers: Message) -> Optional[Quota]:
    try:
        limit, remaining, reset = (int(headers[f"X-RateLimit-{part}"]) for part in ("Limit", "Remaining", "Reset"))
    except (KeyError, TypeError, ValueError):
        return None
    return Quota(limit, remaining, datetime.fromtimestamp(reset, timezone.utc))


def _parse_json(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
