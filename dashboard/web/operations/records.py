"""What the template of the service page receives."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from dashboard.web.shared.records import StateWords


@dataclass(frozen=True, slots=True)
class CallRow:
    """One kind of calls: whether they are made, and their use of the day's allowance."""

    words: str
    state: StateWords
    calls: int
    learned: int | None  # the learned allowance
    reserved: int  # of it, for calls that resolve unclear outcomes


@dataclass(frozen=True, slots=True)
class ServicePage:
    address: str
    rows: tuple[CallRow, ...]
    unclear: int  # requests whose outcome is unknown
    unclear_since: datetime | None
    overdue_since: datetime | None  # when the most overdue link was due
    unrecorded: int  # created links on this machine's disk that the database has not recorded yet
