"""Define what the template of the overview receives: plain, frozen records."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.web.overview.charts import Chart


@dataclass(frozen=True, slots=True)
class Fact:
    """One of the few numbers at the top; `address` lists what it counts, `change` compares it with the days before,
    and `besides` says what no chart shows.
    """

    label: str
    written: str
    more: str
    address: str | None
    change: str = ""
    besides: str = ""


@dataclass(frozen=True, slots=True)
class PeriodChoice:
    label: str
    address: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class OverviewPage:
    """Show the figures of a period: what was `collected`, `by_day`, more `facts`, and the `parts` of them.

    Of what is open now, `waiting` links are to be followed up. `days` names the period, and the one before it.
    `nothing_paid` says so, "" where something was.
    """

    choices: tuple[PeriodChoice, ...]
    days: str
    open_now: Fact
    open_by_age: Chart | None  # None where all that is open is of one age, or nothing is
    waiting: int
    collected: Fact
    by_day: Chart | None  # None where nothing was collected, or all figures are of today
    facts: tuple[Fact, ...]
    parts: tuple[Chart, ...]
    is_empty: bool
    nothing_paid: str
