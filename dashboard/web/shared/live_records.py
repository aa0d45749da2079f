"""What the templates of the live regions receive, like `views.py`: plain, frozen records, already decided."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from dashboard.web.shared.records import AttentionItem, StateWords


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """Something that happened to a link: when, what in words, who did it, and where to read on."""

    at: datetime
    words: str
    who: str | None = None
    meaning: str = "neutral"
    address: str | None = None
    action: str = ""  # the words of the address, e.g. "Open the new link"
    icon: str = ""  # of the sprite; without one the meaning's own


@dataclass(frozen=True, slots=True)
class Timeline:
    """The history of a link, oldest first; of a long one the newest part."""

    link_id: str
    entries: tuple[TimelineEntry, ...]
    from_the_start: bool  # False: earlier entries are left out
    mark: str  # changes when the history grows


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


@dataclass(frozen=True, slots=True)
class VehicleLink:
    """A payment link that covers challans of a vehicle, in the live region of its page."""

    id: str
    state: StateWords
    challans: int | None  # None: the service has not told yet
    expires_at: datetime | None
    since: datetime


@dataclass(frozen=True, slots=True)
class VehiclePanel:
    """The live region of a vehicle's page: its links, and whether the list of challans has become old."""

    rc: str
    listed: bool = True  # the page lists challans, so there is a selection to keep
    links: tuple[VehicleLink, ...] = ()
    news: tuple[str, ...] = field(default_factory=tuple)  # why the challans should be listed anew, in sentences
    poll_seconds: int = 15
    seen: str = ""
    drawn: str = ""  # what the list of challans was drawn from
