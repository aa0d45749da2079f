"""Define what the templates of home receive: plain, frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class AttentionItem:
    """Something that waits for a person: a sentence, when it began, and the address and words of a link to it."""

    words: str
    address: str
    action: str
    since: datetime
    meaning: str = "waiting"  # as in StateWords


@dataclass(frozen=True, slots=True)
class PaidCard:
    """A link that was paid and that the person who made it has not seen since."""

    id: str
    plate: str | None
    total: Decimal | None
    paid_since: datetime  # when it was first observed PAID
    paid_at: datetime | None  # when the service says it was paid


@dataclass(frozen=True, slots=True)
class PaidSince:
    """What was paid since a person left. `count` includes links that have no card."""

    cards: tuple[PaidCard, ...] = ()
    count: int = 0
    until: str = ""  # sent by "Mark as seen", so that links paid after this list was drawn stay unseen


@dataclass(frozen=True, slots=True)
class HomePanel:
    """The live region of the first page: what was paid since its reader left, and what waits for a person."""

    paid: PaidSince
    attention: tuple[AttentionItem, ...]
    poll_seconds: int
    seen: str  # fingerprint and change token of what is shown, sent back by the next poll
    title: str
    links_mark: str  # fingerprint of the list of recent links beside the panel


@dataclass(frozen=True, slots=True)
class PaidNotifications:
    """What the browser notifies of while a tab is open: links paid since its last poll."""

    cards: tuple[PaidCard, ...]
    count: int  # all that the reader has not seen, for the page title
    after: str  # sent back by the next poll
    poll_seconds: int
