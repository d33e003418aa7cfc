"""Checks the options of the client before the first request; no error shows the key."""

from __future__ import annotations

import math
import re
import urllib.parse
from typing import Optional


def check_base_url(base_url: str) -> str:
    """The address without a slash at its end."""
    address = base_url.rstrip("/")
    parts = urllib.parse.urlsplit(address)
    is_plain = not parts.query and not parts.fragment and parts.username is None
    if parts.scheme not in ("http", "https") or not parts.hostname or not is_plain:
        raise ValueError("base_url must be the address of the service, such as https://pompa.example")
    if address.endswith("/api/v1"):
        raise ValueError(f"base_url must end before /api/v1: {address[:-7]}")
    return address


def check_key(api_key: Optional[str]) -> Optional[str]:
    if api_key is not None and not re.fullmatch(r"[\x21-\x7e]+", api_key):
        raise ValueError("api_key must be a key, without spaces; leave it out for none")
    return api_key


def check_seconds(name: str, seconds: float, *, least: float) -> float:
    if not (math.isfinite(seconds) and seconds >= least):
        raise ValueError(f"{name} must be a number of seconds from {least}")
    return seconds
