"""Define what the templates of home receive: plain, frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class AttentionItem:
    """Something that waits for a person: a sentence and where to go."""

    words: str
    address: str
    action: str  # the link's words, e.g. "Look at the request"
    since: datetime
    meaning: str = "waiting"


@dataclass(frozen=True, slots=True)
class PaidCard:
    """A link that was paid while its maker was away."""

    id: str
    plate: str | None
    total: Decimal | None
    seen_at: datetime  # when it was first seen PAID
    paid_at: datetime | None


@dataclass(frozen=True, slots=True)
class PaidSince:
    cards: tuple[PaidCard, ...] = ()
    count: int = 0  # those that are not shown count too
    until: str = ""  # sent with "Mark as seen": what is newer than this list stays news


@dataclass(frozen=True, slots=True)
class HomePanel:
    """The live region of the first page: what was paid since its reader left, and what waits for a person."""

    paid: PaidSince
    attention: tuple[AttentionItem, ...]
    poll_seconds: int
    seen: str
    title: str
    links_mark: str  # changes with the list of recent links


@dataclass(frozen=True, slots=True)
class PaidNotices:
    """What the browser tells of while a tab is open: the links paid since it was told last."""

    cards: tuple[PaidCard, ...]
    count: int  # all that its reader has not seen, for the title
    after: str  # sent back by the next poll
    poll_seconds: int
