"""Why a call failed: one class for each kind. Their text is for people and not part of the contract."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, Optional


class PompaError(Exception):
    """Every error that a call raises, but `ValueError` and `TypeError` for wrong arguments."""


class RefusedError(PompaError):
    """The service refused the request."""

    def __init__(self, message: str, status: int, body: Any) -> None:
        super().__init__(f"{status}: {message}")
        self.status = status
        """The HTTP status."""
        self.body = body
        """The JSON body; None where it had none."""


class WeeklyCapError(RefusedError):
    """429 without a key: this endpoint answers an address once a week."""

    def __init__(
        self, message: str, status: int, body: Any, next_allowed: datetime, plans_url: Optional[str]
    ) -> None:
        super().__init__(message, status, body)
        self.next_allowed = next_allowed
        """Retry then, or use a key."""
        self.plans_url = plans_url


class MonthlyQuotaError(RefusedError):
    """429 with a key: its requests of this month are used up."""

    def __init__(
        self, message: str, status: int, body: Any, limit: int, resets_at: datetime, plans_url: Optional[str]
    ) -> None:
        super().__init__(message, status, body)
        self.limit = limit
        """Requests a month."""
        self.resets_at = resets_at
        self.plans_url = plans_url


class RateLimitError(RefusedError):
    """429: too many requests in a short time; nothing was counted. The client waits by itself up to its bound."""

    def __init__(
        self,
        message: str,
        status: int,
        body: Any,
        retry_after_seconds: float,
        limit_of: Literal["key", "endpoint"],
    ) -> None:
        super().__init__(message, status, body)
        self.retry_after_seconds = retry_after_seconds
        self.limit_of = limit_of
        """Whose limit: that of the key over all endpoints, or one of this endpoint."""


class KeyRefusedError(RefusedError):
    """401: the key is wrong, was revoked, or is missing where one is needed. Do not retry with it."""


class KeyUnverifiedError(RefusedError):
    """503: the service could not check the key at the moment. The key was not refused: keep it."""

    def __init__(self, message: str, status: int, body: Any, retry_after_seconds: float) -> None:
        super().__init__(message, status, body)
        self.retry_after_seconds = retry_after_seconds


class BadRequestError(RefusedError):
    """400 and its like: the request is wrong; the text names the parameter and what would be right."""


class ForbiddenError(RefusedError):
    """403: for example, a review with text without a valid captcha token."""


class NotFoundError(RefusedError):
    """404: an unknown county or station, or an address that the service does not have."""


class CursorGoneError(RefusedError):
    """410: the feed no longer has what follows this cursor.

    Load the prices again, with `get_stations_with_cursor` or from the dumps, and continue from there.
    """

    def __init__(self, message: str, status: int, body: Any, resume_from: str) -> None:
        super().__init__(message, status, body)
        self.resume_from = resume_from
        """The oldest cursor that the feed accepts."""


class UnavailableError(RefusedError):
    """502 to 504: the service, or a source that it asks, is unavailable at the moment."""

    def __init__(self, message: str, status: int, body: Any, retry_after_seconds: Optional[float]) -> None:
        super().__init__(message, status, body)
        self.retry_after_seconds = retry_after_seconds
        """None = the service does not say."""


class ServerError(RefusedError):
    """Another 5xx: a fault of the service; the text has a code to report."""


class UnexpectedAnswerError(PompaError):
    """The answer is not one of the API: a redirect, a page of a proxy, or JSON of another shape."""


class NetworkError(PompaError):
    """No answer came: no connection, or not within the time limit. `__cause__` says more."""
