"""What the types must refuse: mypy complains about an ignored error that is none. Never runs."""

from __future__ import annotations

from typing import List

from pompa_client import PompaClient, RateLimitError, UnavailableError


def rules(pompa: PompaClient) -> None:
    records = pompa.get_stations()["statii"]
    doubled: float = records[0]["pret"] * 2  # type: ignore[operator]
    summed: float = sum(record["pret"] for record in records)  # type: ignore[misc]
    known: List[float] = [record["pret"] for record in records if record["pret"] is not None]
    pompa.get_stations(tip="kerosen")  # type: ignore[arg-type]
    pompa.get_stations(radius=5)  # type: ignore[call-arg]
    pompa.get_county_prices()  # type: ignore[call-arg]
    pompa.get_prices(zeros="1")  # type: ignore[call-arg]
    pompa.get_national_prices()["preturi"]["motorina"]  # type: ignore[typeddict-item]
    change = pompa.get_changes(limita=1)["modificari"][0]
    rise: float = change["pret_nou"] - change["pret_vechi"]  # type: ignore[operator]
    pompa.get_changes(after="x")  # type: ignore[call-arg]
    print(doubled, summed, known, rise)


def advice(limit: RateLimitError, away: UnavailableError) -> float:
    return limit.retry_after_seconds + away.retry_after_seconds  # type: ignore[operator]
