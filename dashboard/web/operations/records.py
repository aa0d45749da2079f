"""What the template of the service page receives."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from dashboard.domain.allowance_forecast import Forecast
from dashboard.web.operations import texts
from dashboard.web.overview.charts import Chart
from dashboard.web.shared.current import format_moment
from dashboard.web.shared.records import StateWords


def _how(failed: int, refused: int, asked: int) -> str:
    if failed and 2 * failed >= asked:
        return "failed"
    return "partly" if failed or refused else "called"


@dataclass(frozen=True, slots=True)
class CallRow:
    """One kind of calls: whether they are made, how many count today, and what came of those of 24 hours."""

    words: str
    service: str  # The service that they belong to, as the document spells it.
    state: StateWords
    calls: int  # towards the daily limit
    asked: int  # within these hours, whatever came of them
    answered_at: datetime | None  # when the service last granted one
    since: datetime | None  # when they were blocked, or last failed before they went on
    failed_by_hour: tuple[int | None, ...]  # how many the service failed in each hour, the oldest first; None: no call
    refused_by_hour: tuple[int, ...]  # how many it did not grant for what was asked, in each of the same hours
    asked_by_hour: tuple[int, ...]  # how many were made in each of them
    is_overdue: bool  # whether links wait too long for such a call
    failed: bool  # whether the last one failed, by the circuit breaker
    key_refusals: int  # how many of the failures refused the key, or the part of the service
    creates: bool  # whether such a call creates a link, which may exist although the call got no proper answer

    @property
    def failures(self) -> int:
        """Return how many got no proper answer in these hours."""
        return sum(each for each in self.failed_by_hour if each is not None) - self.key_refusals

    @property
    def refused(self) -> int:
        """Return how many the service refused in these hours, for what was asked or because of the key."""
        return sum(self.refused_by_hour) + self.key_refusals

    @property
    def hours(self) -> tuple[str, ...]:
        """Return how the calls of each hour went: "" without a call, "failed" where half of them failed or more, and
        "partly" where some did or were refused.
        """
        counts = zip(self.failed_by_hour, self.refused_by_hour, self.asked_by_hour, strict=True)
        return tuple("" if failed is None else _how(failed, refused, asked) for failed, refused, asked in counts)

    @property
    def history(self) -> str:
        """Say what came of the calls of these hours."""
        if not self.asked and not self.calls:
            return str(texts.NO_CALLS)
        blocked_since = self.since if self.state.meaning != "good" else None
        since = format_moment(blocked_since) if blocked_since else ""
        return texts.history(self.asked, self.failures, self.refused, since)

    @property
    def has_failed_last(self) -> bool:
        """Return whether nothing blocks these calls, but the last one failed."""
        return self.failed and self.state.meaning == "good"

    @property
    def shown(self) -> StateWords:
        """Return the state; calls that nothing blocks work once the last one was answered, unless they are late."""
        if self.has_failed_last:
            return StateWords(texts.NO_PROPER_ANSWER, "", "waiting")
        if self.state.meaning == "good" and self.is_overdue:
            return StateWords(texts.LATE, "", "waiting")
        if self.state.meaning == "good" and not self.calls and self.answered_at is None:
            return StateWords(texts.NOT_TRIED, "", "neutral")
        return self.state


@dataclass(frozen=True, slots=True)
class LimitRow:
    """A daily allowance: what is learned of it, and what bulk work may still use of it."""

    words: str
    left_words: str  # the same, where it is said how many are left
    forecast: Forecast
    for_resolving: int
    for_people: int
    days: int  # on how many days it was seen to come back


@dataclass(frozen=True, slots=True)
class Key:
    """The API secret by its fingerprint; `since` is when the service first granted it a call, as far as is known, and
    `state` is None before it was tried.
    """

    fingerprint: str
    since: datetime | None
    state: StateWords | None


@dataclass(frozen=True, slots=True)
class Failure:
    """A class of failures within a day."""

    words: str
    meaning: str
    name: str
    calls: int
    latest_at: datetime


@dataclass(frozen=True, slots=True)
class LimitDay:
    """Hold the size of an allowance as learned on one day: the calls after which the service refused."""

    day: str
    words: str
    refused_after: int


@dataclass(frozen=True, slots=True)
class DayRow:
    """The calls of one day, by the groups of `texts.BY_DAY`."""

    day: str
    calls: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClockRow:
    """The latest comparison of a host's clock; `database` and `service` say how far those differ from it."""

    host: str
    state: StateWords
    database: str
    service: str
    step: str
    at: datetime


@dataclass(frozen=True, slots=True)
class CheckRow:
    """What somebody saw when they checked an assumption; `note` is "" where they wrote nothing."""

    state: StateWords
    at: datetime
    by: str
    note: str


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something that creations rely on: why, how it is checked at staging, and what shows that it holds."""

    code: str
    claim: str
    matters: str
    steps: tuple[str, ...]
    holds: str
    known: str = ""  # What this installation shows of it by itself.
    command: str = ""  # It sends by hand what the dashboard never does.
    see: str = ""  # The address of the table of clocks, where it is read.
    checks: tuple[CheckRow, ...] = ()  # The newest first.


@dataclass(frozen=True, slots=True)
class CheckedAssumptions:
    """Show how far the checks have come. `tally` counts them by what came of the newest, as `ServicePage` does, and
    `progress` has the meaning of each, "" where it is not checked.
    """

    groups: tuple[tuple[str, tuple[Assumption, ...]], ...]
    words: str  # how many work
    tally: tuple[tuple[str, str], ...]
    progress: tuple[str, ...]
    next: str  # the code of the one to check next, which the page opens; "" when all work


@dataclass(frozen=True, slots=True)
class Verdict:
    """Say whether the service works; `now` what staff can do, and `to_do` what happens next and what to do. Both are ""
    where the title says all.
    """

    words: str
    now: str
    to_do: str
    is_limit_alone: bool  # nothing but daily limits stops calls, so that another try is of little use
    warning: str = ""  # what must not be done meanwhile
    first_step: str = ""  # of mending the key, where that stops all calls; the page has the others
    is_of_requests: bool = False  # it speaks of requests whose outcome is not known, which come first


@dataclass(frozen=True, slots=True)
class ServicePage:
    """Show how the service and the dashboard's own work stand; `state` is the gravest of the calls, `verdict` says it.

    `checks_tally` counts what creations rely on by what came of the newest check, in words, each with its meaning.
    """

    address: str
    state: StateWords
    verdict: Verdict
    is_tried: bool  # whether any call was made
    answered_at: datetime | None  # when the service last granted any call
    rows: tuple[CallRow, ...]
    allowances: tuple[LimitRow, ...]
    key: Key
    unclear: int  # requests whose outcome is unknown
    unclear_since: datetime | None
    requests: str  # where they are
    overdue: int  # links that wait too long for a check
    overdue_words: str  # how many, of which kinds
    overdue_since: datetime | None  # when the most overdue link was due
    late_words: str  # and how long ago that is
    unrecorded: int  # created links on this machine's disk that the database has not recorded yet
    failed: str  # how many of the calls of a day failed or were refused, and how
    failures: tuple[Failure, ...]
    failures_by_hour: Chart | None
    charts_by_day: tuple[Chart, ...]
    days: tuple[DayRow, ...]  # instead of charts, which need more days
    day_heads: tuple[str, ...]
    limits: tuple[LimitDay, ...]
    clocks: tuple[ClockRow, ...]
    versions: tuple[tuple[str, str], ...]
    checks_tally: tuple[tuple[str, str], ...]

    @property
    def meaning(self) -> str:
        """Return what the verdict means: waiting where nothing is blocked, but a last call failed or checks wait."""
        if self.is_late or (self.state.meaning == "good" and any(row.has_failed_last for row in self.rows)):
            return "waiting"
        return self.state.meaning if self.is_tried or self.state.meaning != "good" else "neutral"

    @property
    def is_late(self) -> bool:
        """Return whether links are overdue for a check although the service works."""
        works = self.is_tried and self.state.meaning == "good" and not any(row.has_failed_last for row in self.rows)
        return works and self.overdue > 0

    @property
    def knows_limits(self) -> bool:
        """Return whether anything was learned of a daily limit, or one holds."""
        known = ((row.forecast.learned, row.forecast.left, row.forecast.seen_at) for row in self.allowances)
        return any(value is not None for values in known for value in values)

    @property
    def is_one_state(self) -> bool:
        """Return whether all calls are blocked by the same: the banner says it, so no row needs to."""
        return len({(str(row.state.shown), row.state.words) for row in self.rows}) == 1

    @property
    def limits_left(self) -> tuple[LimitRow, ...]:
        """Return the daily limits of which it is known what they leave for bulk work."""
        return tuple(row for row in self.allowances if row.forecast.left is not None)

    @property
    def clocks_state(self) -> StateWords | None:
        """Return the state of all clocks together; None before any host compared its own."""
        if any(clock.state.meaning == "wrong" for clock in self.clocks):
            return StateWords(texts.CLOCKS_DIFFER, "", "wrong")
        return StateWords(texts.CLOCKS_AGREE, "", "good") if self.clocks else None

    @property
    def has_open_checks(self) -> bool:
        """Return whether something that creations rely on is not known to hold."""
        return any(meaning != "good" for _words, meaning in self.checks_tally)

    @property
    def needing_attention(self) -> int:
        """Count what somebody has to look at."""
        clock = self.clocks_state
        differs = clock is not None and clock.meaning == "wrong"
        overdue = self.overdue and not self.is_late  # Else the verdict says it, as of the requests.
        open_ones = (
            self.unclear and not self.verdict.is_of_requests,
            overdue,
            self.unrecorded,
            differs,
            self.has_open_checks,
        )
        return sum(map(bool, open_ones))
