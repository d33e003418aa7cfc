"""The feed of changes, page by page. Its cursors are opaque: keep and send them as they are."""

from __future__ import annotations

import time
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, TypedDict

from ._errors import UnexpectedAnswerError
from ._transport import Operation

CHANGES = Operation("GET", "/api/v1/modificari", has_body=False, answers=(200,))

_FOLLOW_SECONDS = 25
"""How long each request of a follower waits at the service."""
_FOLLOW_PAUSE_SECONDS = 1.0
"""Least time between two requests of a follower that is up to date, should the service not wait."""


class Change(TypedDict):
    """One change of what is served; the kind, `fel`, says which other fields it has."""

    cursor: str
    """The place of the change in the feed."""
    fel: str


class ChangePage(NamedTuple):
    changes: List[Change]
    next: str
    """Where the next page begins; it moves past changes that the filters left out, too."""
    up_to_date: bool
    """Whether nothing follows at present."""


def read_page(answer: Any) -> ChangePage:
    """Raises `UnexpectedAnswerError` where the answer is no page of the feed."""
    fields: Mapping[str, Any] = answer if isinstance(answer, dict) else {}
    changes, after, up_to_date = (fields.get(name) for name in ("modificari", "urmatorul", "la_zi"))
    if not isinstance(changes, list) or not isinstance(after, str) or not isinstance(up_to_date, bool):
        raise UnexpectedAnswerError("a page of changes must have modificari, urmatorul and la_zi")
    return ChangePage(changes, after, up_to_date)


def follow_pages(
    ask: Callable[[Dict[str, Any]], ChangePage], after: Optional[str], follow: bool, filters: Mapping[str, Any]
) -> Iterator[ChangePage]:
    """Asks for page after page; ends when one is up to date, or never with `follow`."""
    waiting = {"asteapta": _FOLLOW_SECONDS} if follow else {}
    while True:
        began = time.monotonic()
        page = ask({**waiting, **filters, "dupa": after})
        yield page
        if page.up_to_date and not follow:
            return
        if not page.up_to_date and page.next == after:
            raise UnexpectedAnswerError(f"the feed stays at the cursor {after}, though more is to follow")
        after = page.next
        if page.up_to_date and not page.changes:
            time.sleep(max(0.0, began + _FOLLOW_PAUSE_SECONDS - time.monotonic()))
