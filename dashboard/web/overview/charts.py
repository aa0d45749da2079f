"""Lay out charts, so that the templates only draw: SVG without styles, and the same figures as a table.

All lengths are in the units of the picture's own view box. A bar leads to the list of what it counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: Narrow, so that text stays large enough on a phone.
WIDTH = 360
_BAR = 12
_COLUMNS_HEIGHT = 120
_FOOT = 20
#: A value above zero is drawn at least this long.
_SHORTEST = 2.0


@dataclass(frozen=True, slots=True)
class Figure:
    """A number to draw: its label, how people read it, and the address of the list of what it counts."""

    label: str
    value: float
    written: str
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar or column; `series` is the index of its series and `name` the series' name."""

    figure: Figure
    x: float
    y: float
    width: float
    height: float
    series: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart, and as `rows` the same as a table: a label, then a figure for each head.

    Each horizontal bar is a picture of its own, `width` by `height`; columns share one picture, with `ticks` (x and
    text) below them.
    """

    key: str
    title: str
    summary: str
    width: float
    height: float
    bars: tuple[Bar, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Figure, ...]], ...]
    ticks: tuple[tuple[float, str], ...] = ()
    series: tuple[str, ...] = ()
    horizontal: bool = True


def bar_chart(key: str, title: str, head: str, figures: Sequence[Figure], summary: str = "") -> Chart:
    """Lay out horizontal bars, one below the other; the page writes label and number above each."""
    most = max((figure.value for figure in figures), default=0) or 1
    bars = tuple(Bar(figure, 0, 0, _length(figure.value, most, WIDTH), _BAR) for figure in figures)
    rows = tuple((figure.label, (figure,)) for figure in figures)
    return Chart(key, title, summary, WIDTH, _BAR, bars, (head,), rows)


def column_chart(
    key: str, title: str, labels: Sequence[str], series: Mapping[str, Sequence[Figure]], summary: str = ""
) -> Chart:
    """Lay out columns, one of each series side by side for each label."""
    most = max((figure.value for figures in series.values() for figure in figures), default=0) or 1
    slot = WIDTH / max(1, len(labels))
    thick = min(22.0, slot * 0.8 / max(1, len(series)))
    bars = []
    for index, (name, figures) in enumerate(series.items()):
        for number, figure in enumerate(figures):
            height = _length(figure.value, most, _COLUMNS_HEIGHT)
            x = slot * number + (slot - thick * len(series)) / 2 + thick * index
            top = _COLUMNS_HEIGHT - height
            bars.append(Bar(figure, round(x, 1), round(top, 1), round(thick - 1, 1), height, index, name))
    step = max(1, -(-len(labels) // 5))
    ticks = tuple((round(slot * (number + 0.5), 1), label) for number, label in enumerate(labels) if number % step == 0)
    rows = tuple((label, tuple(figures[number] for figures in series.values())) for number, label in enumerate(labels))
    height = _COLUMNS_HEIGHT + _FOOT
    names = tuple(series)
    return Chart(key, title, summary, WIDTH, height, tuple(bars), names, rows, ticks, names, horizontal=False)


def _length(value: float, most: float, longest: float) -> float:
    return round(max(_SHORTEST, longest * value / most), 1) if value else 0.0
