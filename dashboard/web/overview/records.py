"""Define what the template of the overview receives: plain, frozen records."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.web.overview.charts import Chart


@dataclass(frozen=True, slots=True)
class Fact:
    """One of the few numbers at the top; `address` lists what it counts, `change` compares it with the days before."""

    label: str
    written: str
    more: str
    address: str | None
    change: str = ""


@dataclass(frozen=True, slots=True)
class PeriodChoice:
    label: str
    address: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class OverviewPage:
    """Show the figures of a period: `by_day`, then `parts` of it, then what is `open` now.

    `days` names the period, and the one before it; `untimed` the payments without a time where no chart does.
    """

    choices: tuple[PeriodChoice, ...]
    days: str
    facts: tuple[Fact, ...]
    by_day: Chart | None
    parts: tuple[Chart, ...]
    open: tuple[Chart, ...]
    untimed: str
    is_empty: bool
    was_paid: bool
