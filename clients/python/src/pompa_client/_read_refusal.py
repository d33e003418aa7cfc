"""Tells refusals apart by status and structured fields, never by the text of their message."""

from __future__ import annotations

import math
from datetime import datetime, timedelta, timezone
from email.message import Message
from typing import Any, Mapping, Optional

from . import _errors as errors

_DEFAULT_RETRY_SECONDS = 30.0
"""Where a refusal has no `Retry-After`, which the contract promises."""


def read_refusal(status: int, headers: Message, body: Any, now: datetime) -> errors.PompaError:
    """The error for an answer that is none of the documented ones."""
    if status < 400:
        return errors.UnexpectedAnswerError(_unexpected(status, headers.get("Location")))
    fields: Mapping[str, Any] = body if isinstance(body, dict) else {}
    message = _message(fields)
    if status == 429:
        return _read_limit(message, headers, body, fields, now)
    seconds = _retry_after(headers, fields)
    if status == 503 and "retry_after_seconds" in fields:
        return errors.KeyUnverifiedError(message, status, body, _or_default(seconds))
    if 502 <= status <= 504:
        return errors.UnavailableError(message, status, body, seconds)
    if status >= 500:
        return errors.ServerError(message, status, body)
    if status == 410 and isinstance(fields.get("reia_de_la"), str):
        return errors.CursorGoneError(message, status, body, fields["reia_de_la"])
    kinds = {401: errors.KeyRefusedError, 403: errors.ForbiddenError, 404: errors.NotFoundError, 410: errors.NotFoundError}
    return kinds.get(status, errors.BadRequestError)(message, status, body)


def _read_limit(
    message: str, headers: Message, body: Any, fields: Mapping[str, Any], now: datetime
) -> errors.PompaError:
    seconds = _or_default(_retry_after(headers, fields))
    after = now + timedelta(seconds=seconds)
    plans = fields.get("upgrade_url")
    plans_url = plans if isinstance(plans, str) else None
    if "next_allowed" in fields:
        return errors.WeeklyCapError(message, 429, body, _instant(fields["next_allowed"]) or after, plans_url)
    if "limit" in fields:
        resets = _epoch(headers.get("X-RateLimit-Reset")) or after
        limit = fields["limit"]
        return errors.MonthlyQuotaError(message, 429, body, limit if isinstance(limit, int) else 0, resets, plans_url)
    return errors.RateLimitError(message, 429, body, seconds, "key" if "retry_after_seconds" in fields else "endpoint")


def _unexpected(status: int, target: Optional[str]) -> str:
    if target is None:
        return f"the service answered with status {status}, which this client does not expect"
    return f"the service answered with a redirect to {target}: set base_url to the address that answers by itself"


def _message(fields: Mapping[str, Any]) -> str:
    texts = (fields.get(name) for name in ("message_en", "message", "msg"))
    return next((text for text in texts if isinstance(text, str)), "no explanation")


def _or_default(seconds: Optional[float]) -> float:
    """Zero is a time, too."""
    return _DEFAULT_RETRY_SECONDS if seconds is None else seconds


def _retry_after(headers: Message, fields: Mapping[str, Any]) -> Optional[float]:
    """In seconds; None where neither header nor body say."""
    try:
        seconds = float(headers.get("Retry-After") or fields["retry_after_seconds"])
    except (KeyError, TypeError, ValueError):
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _instant(text: Any) -> Optional[datetime]:
    try:
        # Before Python 3.11, `fromisoformat` does not know the letter.
        instant = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return None
    return instant if instant.tzinfo is not None else instant.replace(tzinfo=timezone.utc)


def _epoch(text: Optional[str]) -> Optional[datetime]:
    try:
        return datetime.fromtimestamp(int(text or ""), timezone.utc)
    except (ValueError, OverflowError, OSError):
        return None
