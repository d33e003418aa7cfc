"""Follows the feed of changes, page by page. Its cursors are opaque: keep and send them as they are."""

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
    asked = {"asteapta": _FOLLOW_SECONDS, **filters} if follow else filters
    while True:
        began = time.monotonic()
        page = ask(dupa=after, **asked)
        # Something between may answer in place of the service.
        if not isinstance(page.get("modificari"), list) or not isinstance(page.get("urmatorul"), str):
            raise UnexpectedAnswerError("a page of changes must have modificari and urmatorul")
        yield page
        up_to_date = page["la_zi"]
        if up_to_date and not follow:
            return
        if not up_to_date and page["urmatorul"] == after:
            raise UnexpectedAnswerError(f"the feed stays at the cursor {after}, though more is to follow")
        after = page["urmatorul"]
        if up_to_date and not page["modificari"]:
            time.sleep(max(0.0, began + _FOLLOW_PAUSE_SECONDS - time.monotonic()))
