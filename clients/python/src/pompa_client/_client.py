from __future__ import annotations

from typing import Iterator, NamedTuple, Optional, Sequence, Union, cast

from ._changes import follow_pages
from ._endpoints import Endpoints
from ._errors import UnexpectedAnswerError
from ._models import Modificare, Modificari, RaspunsStatii
from ._transport import Operation

Filter = Union[str, int, float, Sequence[str], None]

_STATIONS = Operation("GET", "/api/v1/statii", has_body=False, answers=(200,))


class StationsWithCursor(NamedTuple):
    """Prices together with the place in the feed of changes from which to keep them current."""

    answer: RaspunsStatii
    cursor: str


class PompaClient(Endpoints):
    """A client of one Pompa service: a method for each operation, and the feed of changes."""

    def change_pages(
        self, dupa: Optional[str] = None, *, follow: bool = False, **filters: Filter
    ) -> Iterator[Modificari]:
        """Pages of changes after the cursor `dupa`, until nothing is left, or for ever with `follow`.

        Store `page["urmatorul"]` together with what you made of the page: continuing there, you miss nothing and
        apply nothing twice. The filters are those of `get_changes`. Raises `CursorGoneError` after a cursor that is
        too old.
        """
        return follow_pages(self.get_changes, dupa, follow, filters)

    def iterate_changes(
        self, dupa: Optional[str] = None, *, follow: bool = False, **filters: Filter
    ) -> Iterator[Modificare]:
        """As `change_pages`, change by change.

        To continue later, use `change_pages` and store `urmatorul`: after the field `cursor` of a change you might not
        get the `CursorGoneError` that you need.
        """
        for page in self.change_pages(dupa, follow=follow, **filters):
            yield from page["modificari"]

    def get_stations_with_cursor(self, **filters: Filter) -> StationsWithCursor:
        """The stations, and the cursor after which the feed continues from them. Needs a key.

        The filters are those of `get_stations`.
        """
        answer, headers = self.exchange(_STATIONS, filters)
        cursor = headers.get("Pompa-Cursor")
        if cursor is None:
            raise UnexpectedAnswerError("the answer has no Pompa-Cursor: it needs a key, and a service with the feed")
        return StationsWithCursor(cast(RaspunsStatii, answer), cursor)
