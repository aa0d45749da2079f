"""Define what the template of the overview receives: plain, frozen records."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dashboard.web.overview.charts import Chart


class Better(StrEnum):
    """Name the colour of a change: whether it is for the better, the worse, or neither."""

    YES = "good"
    NO = "wrong"
    NEITHER = "neutral"


@dataclass(frozen=True, slots=True)
class Change:
    """Say in `words` how a number compares with the same one in the days before, and that one as `before`.

    `sign` is an arrow up or down, "" where nothing changed.
    """

    words: str
    sign: str = ""
    better: Better = Better.NEITHER
    before: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """One of the few numbers at the top; `address` lists what it counts, `change` compares it with the days before,
    and `besides` says what no chart shows.
    """

    label: str
    written: str
    more: str
    address: str | None
    change: Change | None = None
    besides: str = ""


@dataclass(frozen=True, slots=True)
class OverviewPage:
    """Show the figures of a period: what was `collected`, `by_day`, more `facts`, and the `parts` of them.

    Of what is open now, `waiting` links are to be followed up. `compared` says with which days the period is compared.
    `nothing_paid` says so, "" where something was.
    """

    compared: str
    open_now: Fact
    open_by_age: Chart | None  # None where all that is open is of one age, or nothing is
    waiting: int
    collected: Fact
    by_day: Chart | None  # None where nothing was collected, or all figures are of today
    facts: tuple[Fact, ...]
    parts: tuple[Chart, ...]
    is_empty: bool
    nothing_paid: str
