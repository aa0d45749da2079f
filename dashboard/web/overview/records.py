"""Define what the template of the overview receives: plain, frozen records."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.web.overview.charts import Chart


@dataclass(frozen=True, slots=True)
class Fact:
    """One of the few numbers at the top; `address` lists what it counts."""

    label: str
    written: str
    more: str
    address: str | None


@dataclass(frozen=True, slots=True)
class OverviewPage:
    facts: tuple[Fact, ...]
    charts: tuple[Chart, ...]
    is_empty: bool
