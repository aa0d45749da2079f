"""Define what the templates of creation plans receive: plain, frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dashboard.domain.money import NO_SUM, Sum
from dashboard.web.fleet import plan_texts as texts
from dashboard.web.fleet.run_records import JobActions, Progress
from dashboard.web.links.records import PaymentAddress
from dashboard.web.shared.records import StateWords


@dataclass(frozen=True, slots=True)
class PlanTally:
    """Count and add up the links that came to the same."""

    key: str
    words: str
    count: int
    to_pay: Sum
    meaning: str
    address: str
    chosen: bool

    is_said: bool = False  # by the line above the counts

    @property
    def symbol(self) -> str:
        """Return the icon of the outcome: what waits for its turn, or is on another link, has no state."""
        return {"left": "state-waiting", "attached": "link"}.get(self.key, f"state-{self.meaning}")


@dataclass(frozen=True, slots=True)
class PlanRow:
    """Show a link of a plan: its own state and amount once it exists, and before what came of it and was reviewed.

    `link_id` is empty where it does not exist; `request` is the address of the request whose link is not known.
    `driver` was given it, or else usually drives the vehicle; `no_driver` says why it is nobody's. It is to be sent
    where it `waits` to be given to somebody.
    """

    position: int
    rc: str
    plate: str
    part: str
    challans: int
    amounts: int
    to_pay: Sum
    state: StateWords
    why: str
    link_id: str
    request: str
    driver: str
    no_driver: str
    sent_at: datetime | None
    waits: bool
    to_check: bool = False  # on its page, before anybody gets it
    payment: PaymentAddress | None = None  # while it may be given away
    driver_id: int | None = None  # whom WhatsApp reaches
    lacks_driver: bool = False  # who can be chosen before it exists
    sends: int = 1  # how many links the message to them has; 0 where the button stands with a row above
    to_come: int = 0  # how many more links of theirs are still to be created

    @property
    def sends_part(self) -> str:
        """Name the button while more links of the driver are to come, which one message could carry; "" otherwise."""
        return texts.send_part(self.sends, self.sends + self.to_come) if self.to_come else ""


@dataclass(frozen=True, slots=True)
class PlanMade:
    """Say whether a plan has links to print and to export by now, and whether what is done with them `is_next`: drivers
    are sent them (`sends`) or chosen first (`chooses`), as `next_words` name it.
    """

    id: str
    has_links: bool
    may_export: bool
    is_next: bool
    sends: bool = False
    chooses: bool = False
    next_words: str = ""
    place: tuple[tuple[str, Any], ...] = ()  # what the address of the page names: filter and page of its list

    @property
    def fingerprint(self) -> str:
        made = "links" if self.has_links else "none"
        return f"{made} {self.next_words}{' next' if self.is_next else ''}"


@dataclass(frozen=True, slots=True)
class PlanPanel:
    """Show the live part of a plan, with a page of its links."""

    id: str
    title: str
    state: StateWords
    why: str
    progress: Progress
    tallies: tuple[PlanTally, ...]
    rows: tuple[PlanRow, ...]
    listed: str
    first: str | None
    following: str | None
    actions: JobActions
    made: PlanMade
    poll_seconds: int | None
    seen: str
    shown: str
    after: int
    created: int  # the links that exist
    far: str  # how many that are, as far as it is known
    created_sum: Sum  # and what is to pay on them
    changed: str  # how that differs from what was reviewed
    sent: int  # of them
    unsent: str  # what the others wait for
    paid: int
    paid_sum: Sum
    left_sum: Sum  # what may still be paid
    ends: tuple[datetime, ...]  # when these links end, the first one first
    checked_at: datetime | None  # since when all of them were checked

    @property
    def planned(self) -> Sum:
        """Return what all its links come to, whatever became of them."""
        return sum((each.to_pay for each in self.tallies), NO_SUM)

    @property
    def leads_with_paid(self) -> bool:
        """Return whether what is paid and still to pay comes first: all links exist, and some were sent or paid."""
        return self.created == self.progress.total and bool(self.sent or self.paid)

    @property
    def words(self) -> str:
        """Return what is announced: the state, and each quarter of the way."""
        quarter = "" if self.progress.percent in (0, 100) else f"{self.progress.percent // 25 * 25} %"
        return " ".join(part for part in (self.state.shown, quarter, self.why) if part and part != "0 %")


@dataclass(frozen=True, slots=True)
class PlanPage:
    """Show a plan: who made it, of which run, and its panel."""

    panel: PlanPanel
    made_by: str
    made_at: datetime
    hours: int
    run: str  # the address of the search, and its name
    run_title: str
    vehicle: str
