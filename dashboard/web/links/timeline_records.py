"""Define what the templates receive of a link's history: frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """Show an event of a link: when, what, by whom, and the address of its details."""

    at: datetime
    words: str
    who: str | None = None
    meaning: str = "neutral"
    address: str | None = None
    action: str = ""  # the words of the address, e.g. "Open the new link"
    icon: str = ""  # of the sprite; that of the meaning, if empty


@dataclass(frozen=True, slots=True)
class Timeline:
    """Show the history of a link, oldest first; only the newest part of a long one."""

    link_id: str
    entries: tuple[TimelineEntry, ...]
    upcoming: tuple[TimelineEntry, ...]  # what comes by itself
    from_the_start: bool  # False: earlier entries are left out
    fingerprint: str
