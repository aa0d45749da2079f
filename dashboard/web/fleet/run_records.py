"""Define what the templates of search runs receive: plain, frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.money import Sum
from dashboard.web.fleet.records import Places
from dashboard.web.shared.records import StateWords


@dataclass(frozen=True, slots=True)
class Progress:
    """Show how far a job came: `done` of `total` parts, how many a minute, and the time left, where they are known."""

    done: int
    total: int
    pace: str = ""
    left: str = ""

    @property
    def percent(self) -> int:
        """Return the whole per cent that are done: 100 only when all are."""
        return 100 if self.done >= self.total else self.done * 100 // self.total


@dataclass(frozen=True, slots=True)
class JobActions:
    """Say what a person may do with a job now. `go_on` is the word for going on with it."""

    id: str
    can_pause: bool
    go_on: str
    can_cancel: bool
    retry: str
    review: str = ""  # the address where what was found is reviewed, once there is something
    plan: str = ""  # or of the newest plan made of it, where nothing is left to review
    send: str = ""  # where the links that are made and not sent yet are sent, which goes before all other
    send_words: str = ""
    review_is_next: bool = True  # and nothing else is to be done on the page as it is shown
    details: str = ""  # the address of the vehicles that need RC type and city, where the job does not run
    details_words: str = ""
    rest: str = ""  # the word for searching what a cancelled run has left
    has_links: bool = False  # a plan has links to send
    retry_is_next: bool = False  # what the page lists is what can be tried again
    place: tuple[tuple[str, Any], ...] = ()  # what the address of the page names: filter and page of its list

    @property
    def offered(self) -> tuple[str, ...]:
        """Return what a person may do, but for cancelling, by the names that the page gives it."""
        every = {
            "details": self.details,
            "send": self.send,
            "review": self.review,
            "plan": self.plan,
            "resume": self.go_on,
            "pause": self.can_pause,
            "retry": self.retry,
            "rest": self.rest,
        }
        return tuple(name for name, is_offered in every.items() if is_offered)

    @property
    def next_step(self) -> str:
        """Return which of it comes next; "" where nothing does.

        A job that waits goes on by itself, so to go on at once is not its next step.
        """
        offered = self.offered
        if found := next((each for each in ("send", "review", "plan") if each in offered), ""):
            return found if self.review_is_next else "resume" if self._is_stopped else ""
        if self._is_stopped:
            return "resume"
        if "details" in offered:
            return "details"
        if "rest" in offered:
            return "rest"
        retry_is_next = self.retry_is_next or not (self.can_cancel or self.has_links)
        return "retry" if "retry" in offered and retry_is_next else ""

    @property
    def lead(self) -> str:
        """Return what stands first: what comes next, or else to go on at once or to pause, or what else can be done."""
        at_any_time = "resume" if self.go_on else "pause" if self.can_pause else ""
        return self.next_step or at_any_time or next(iter(self.offered), "")

    @property
    def beside(self) -> tuple[str, ...]:
        """Return what stands beside what leads: the review of what was found so far, where to pause or resume leads."""
        return ("review",) if self.review and self.lead in ("pause", "resume") else ()

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(each for each in self.offered if each not in (self.lead, *self.beside))

    @property
    def _is_stopped(self) -> bool:
        return bool(self.go_on) and not self.can_pause

    @property
    def fingerprint(self) -> str:
        shown = [self.can_pause, str(self.go_on), self.can_cancel, self.retry, self.next_step]
        shown += [self.rest, self.review, self.plan, self.review_is_next, self.details_words]
        shown += [self.send, self.send_words]
        return fingerprint(shown)


@dataclass(frozen=True, slots=True)
class Tally:
    """Count the parts of one outcome, with the address that lists them."""

    key: str
    words: str
    count: int
    meaning: str
    address: str
    chosen: bool = False
    more: str = ""  # what is to be known of some of them

    @property
    def symbol(self) -> str:
        """Return the icon of the outcome: vehicles that are still to search, or on links, are in no state of a link."""
        return {"left": "search", "on_links": "link", "on_unpaid": "link"}.get(self.key, f"state-{self.meaning}")


@dataclass(frozen=True, slots=True)
class RunRow:
    """Show what came of a vehicle. `state` is None while it waits for its turn."""

    position: int
    rc: str
    plate: str
    state: StateWords | None
    payable: int | None
    new: int | None
    ended_at: datetime | None
    searched_at: datetime | None  # where the service has said something about it
    why: str
    leads_to: str | None
    to_pay: Sum | None = None  # what is not on a link, nor said in `planned`
    left: int = 0  # and of how many challans
    has_left: bool = False  # or in a plan
    words: str = ""  # of these, in place of the state
    driver: str = ""
    plan: str = ""  # where all of it stands in a plan that is not finished
    planned: str = ""  # what of it stands in such plans, where others do not
    links: str = ""  # where the active links are seen that hold all that is left of it
    on_links: str = ""  # and what is to pay on them
    request: str = ""  # the address of the request of which it is not known whether its link exists


@dataclass(frozen=True, slots=True)
class OnLinks:
    """Show what the links of a run's plans hold, with the words that follow the sum, and the way to the newest plan."""

    links: int
    total: Sum
    words: str
    address: str


@dataclass(frozen=True, slots=True)
class RunPanel:
    """Show the live part of a search run."""

    id: str
    title: str
    state: StateWords
    why: str
    progress: Progress
    tallies: tuple[Tally, ...]
    payable: int
    new_challans: int
    far: tuple[int, str]  # how many of the vehicles are searched or asked for, and the words that follow
    to_pay: Sum | None  # what is not on a link; None while vehicles are searched and there is too much to add up
    is_moving: bool  # and more may be found
    challans_left: int | None  # those of it
    latest: tuple[RunRow, ...]
    actions: JobActions
    poll_seconds: int | None
    seen: str
    shown: str  # the outcome that the results are narrowed to
    on_links: OnLinks | None = None  # once there are some, and nothing is searched
    in_plans: str = ""  # the sum in plans that are not finished, beside `to_pay`

    @property
    def words(self) -> str:
        """Return what is announced: the state, and each quarter of the way."""
        quarter = "" if self.progress.percent in (0, 100) else f"{self.progress.percent // 25 * 25} %"
        return " ".join(part for part in (self.state.shown, quarter, self.why) if part and part != "0 %")


@dataclass(frozen=True, slots=True)
class RunResults:
    """Show a page of the vehicles of a run, or of those with one outcome."""

    run_id: str
    outcome: str
    after: int
    title: str
    left_words: str  # of a vehicle that was not searched
    rows: tuple[RunRow, ...]
    first: str | None  # the address of the first page, when this is another
    following: str | None
    needs_details: bool
    waiting: int  # the vehicles that need them, on all pages
    by_amount: str = ""  # the address of those with something left, the largest first; "" where nothing is
    places: Places | None = None  # what to choose for them, where RC types and cities are known


@dataclass(frozen=True, slots=True)
class RunPage:
    """Show a search run with its results."""

    panel: RunPanel
    results: RunResults
    started_by: str
    started_at: datetime
    ended_at: datetime | None
    at_source: bool
    plans: tuple[tuple[str, str], ...]  # the address and the title of each plan made of it
