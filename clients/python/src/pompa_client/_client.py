from __future__ import annotations

from typing import Any, Dict, Iterator, NamedTuple, Optional, Sequence, Union, cast

from ._changes import CHANGES, Change, ChangePage, follow_pages, read_page
from ._endpoints import Endpoints
from ._errors import UnexpectedAnswerError
from ._models import RaspunsStatii
from ._transport import Operation

Filter = Union[str, int, float, Sequence[str], None]

_STATIONS = Operation("GET", "/api/v1/statii", has_body=False, answers=(200,))
_ANSWER_SECONDS = 30
"""How long an answer of the feed may take after the wait that was asked for."""


class StationsWithCursor(NamedTuple):
    """Prices together with the place in the feed of changes from which to keep them current."""

    answer: RaspunsStatii
    cursor: str


class PompaClient(Endpoints):
    """A client of one Pompa service: a method for each operation, and the feed of changes."""

    def get_change_page(self, after: Optional[str] = None, **filters: Filter) -> ChangePage:
        """One page of changes: those after a cursor; without one, from the oldest that the feed has.

        Filters are sent as they are: `limita`, `asteapta`, `judet` … Raises `CursorGoneError` after a cursor that is
        too old.
        """
        return self._change_page({**filters, "dupa": after})

    def change_pages(
        self, after: Optional[str] = None, *, follow: bool = False, **filters: Filter
    ) -> Iterator[ChangePage]:
        """Pages of changes after a cursor, until nothing is left, or for ever with `follow`.

        Store `page.next` together with what you made of the page: continuing there, you miss nothing and apply
        nothing twice.
        """
        return follow_pages(self._change_page, after, follow, filters)

    def iterate_changes(
        self, after: Optional[str] = None, *, follow: bool = False, **filters: Filter
    ) -> Iterator[Change]:
        """As `change_pages`, change by change; `change["cursor"]` is where to continue."""
        for page in self.change_pages(after, follow=follow, **filters):
            yield from page.changes

    def get_stations_with_cursor(self, **filters: Filter) -> StationsWithCursor:
        """The stations, and the cursor after which the feed continues from them. Needs a key.

        The filters are those of `get_stations`.
        """
        answer, headers = self.exchange(_STATIONS, filters)
        cursor = headers.get("Pompa-Cursor")
        if cursor is None:
            raise UnexpectedAnswerError("the answer has no Pompa-Cursor: it needs a key, and a service with the feed")
        return StationsWithCursor(cast(RaspunsStatii, answer), cursor)

    def _change_page(self, fields: Dict[str, Any]) -> ChangePage:
        waits = fields.get("asteapta")
        seconds = waits + _ANSWER_SECONDS if isinstance(waits, (int, float)) else None
        return read_page(self.exchange(CHANGES, fields, seconds).answer)
