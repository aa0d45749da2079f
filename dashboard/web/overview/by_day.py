"""Draw what was collected on each day of a period, before what was collected in the days before."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TypeVar

from dashboard.store.overview.overview import Payment, Received
from dashboard.web.overview import texts
from dashboard.web.overview.charts import MOST_LABELS, MOST_WEEKS, Chart, Figure, column_chart
from dashboard.web.overview.figures import Figures
from dashboard.web.overview.lists import list_address, money_figure, paid_in
from dashboard.web.overview.periods import Column, Period
from dashboard.web.shared.current import zone

#: Stand for the days of a column in an address, before they are written into it.
_FROM, _TO = date.min, date.max

_TITLES = {Column.DAY: texts.BY_DAY, Column.WEEK: texts.BY_WEEK, Column.MONTH: texts.BY_MONTH}

Paid = TypeVar("Paid", Payment, Received)


def by_day(figures: Figures) -> Chart:
    """Show what was collected on each day; in each week or month where days are many, the last ending with them."""
    spans, column = figures.period.spans, figures.period.column
    grouped = _grouped(figures.paid, figures.period)
    # Written once, because writing an address takes longer than all else that is done for a day.
    of_any = list_address(replace(paid_in(figures.period), first_day=_FROM, last_day=_TO))
    of_last = list_address(replace(paid_in(figures.period), first_day=spans[-1][0]))
    nothing = money_figure("", (), None)
    begins = texts.month if column is Column.MONTH else texts.short_day
    first = figures.first_day
    known_from = [max(span[0], first) if first <= span[-1] else span[0] for span in spans]
    labels = [begins(day) for day in known_from]
    drawn = []
    for number, (span, label) in enumerate(zip(spans, labels, strict=True)):
        if paid := grouped.get(number):
            of_span = of_any.replace(str(_FROM), str(span[0])).replace(str(_TO), str(span[-1]))
            drawn.append(money_figure(label, paid, of_last if span is spans[-1] else of_span))
        else:
            drawn.append(replace(nothing, label=label))
    unknown = sum(span[-1] < first for span in spans)
    return column_chart(
        "days",
        _TITLES[column],
        labels,
        {texts.COLLECTED: drawn},
        written=texts.short_amount,
        # Few columns alone would be slabs.
        first=max(0, min(unknown, len(spans) - MOST_LABELS)),
        read=[texts.days(day, span[-1]) for day, span in zip(known_from, spans, strict=True)]
        if column is Column.WEEK
        else labels,
        most_labels=MOST_WEEKS if column is Column.WEEK else MOST_LABELS,
        unknown=(unknown, texts.begins(first)),
        before=(texts.BEFORE, _before(figures)),
    )


def _before(figures: Figures) -> Sequence[Figure]:
    """Return what was collected in each span of the days before; nothing where they cannot be compared."""
    if not figures.can_compare or not figures.received_before:
        return ()
    before = figures.period.before
    spans = before.spans
    if len(spans) != len(figures.period.spans):  # Months, which are of unequal length.
        return ()
    grouped = _grouped(figures.received_before, before)
    return [
        money_figure(texts.before_on(_days(span)), grouped.get(number, ()), None) for number, span in enumerate(spans)
    ]


def _days(span: Sequence[date]) -> str:
    return texts.days(span[0], span[-1]) if len(span) > 1 else texts.short_day(span[0])


def _grouped(payments: Iterable[Paid], period: Period) -> Mapping[int, Sequence[Paid]]:
    """Group payments by the number of their span.

    A payment of tomorrow, by a clock that is ahead, counts for the last day, as in the list that its column leads to.
    """
    begins = [span[0] for span in period.spans]
    grouped: dict[int, list[Paid]] = defaultdict(list)
    for payment in payments:
        grouped[bisect_right(begins, payment.paid_on.astimezone(zone()).date()) - 1].append(payment)
    return grouped
