"""The feed of changes, page by page. Its cursors are opaque: keep and send them as they are."""

from __future__ import annotations

import time
from typing import Any, Callable, Iterator, Mapping, Optional

from ._errors import UnexpectedAnswerError
from ._models import Modificari

_FOLLOW_SECONDS = 25
"""How long each request of a follower waits at the service."""
_FOLLOW_PAUSE_SECONDS = 1.0
"""Least time between two requests of a follower that is up to date, should the service not wait."""


def follow_pages(
    ask: Callable[..., Modificari], after: Optional[str], follow: bool, filters: Mapping[str, Any]
) -> Iterator[Modificari]:
    """Asks for page after page; ends when one is up to date, or never with `follow`."""
    waiting: Mapping[str, Any] = {"asteapta": _FOLLOW_SECONDS} if follow else {}
    while True:
        began = time.monotonic()
        page = ask(**{**waiting, **filters, "dupa": after})
        _check_progress(page, after)
        yield page
        if page["la_zi"] and not follow:
            return
        after = page["urmatorul"]
        if page["la_zi"] and not page["modificari"]:
            time.sleep(max(0.0, began + _FOLLOW_PAUSE_SECONDS - time.monotonic()))


def _check_progress(page: Modificari, after: Optional[str]) -> None:
    """Raises for what would be asked for again and again."""
    if not isinstance(page, dict) or not {"modificari", "urmatorul", "la_zi"} <= page.keys():
        raise UnexpectedAnswerError("a page of changes must have modificari, urmatorul and la_zi")
    if not page["la_zi"] and page["urmatorul"] == after:
        raise UnexpectedAnswerError(f"the feed stays at the cursor {after}, though more is to follow")
