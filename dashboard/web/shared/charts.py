"""Pictures of figures, laid out here so that the templates only draw: SVG without styles, a table behind each.

All lengths are in the units of the picture's own view box, and every bar leads to the list of what it counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: Narrow, so that words stay large enough on a phone.
WIDTH = 360
_BAR = 12
_COLUMNS_HEIGHT = 120
_FOOT = 20


@dataclass(frozen=True, slots=True)
class Figure:
    """One number: what it is of, how it is written, and where what it counts is listed."""

    label: str
    value: float
    written: str
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    figure: Figure
    x: float
    y: float
    width: float
    height: float
    series: int = 0
    name: str = ""  # of its series


@dataclass(frozen=True, slots=True)
class Chart:
    """`rows` is the same as a table: a label, then a figure for each head. Each lying bar is a picture by itself, of
    the width and height given; the columns share one picture.
    """

    key: str
    title: str
    summary: str
    width: float
    height: float
    bars: tuple[Bar, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Figure, ...]], ...]
    ticks: tuple[tuple[float, str], ...] = ()  # x and words under the columns
    series: tuple[str, ...] = ()
    lying: bool = True


def lying_bars(key: str, title: str, head: str, figures: Sequence[Figure], summary: str = "") -> Chart:
    """A bar for each figure, one below the other; the page writes label and number above it, however long they are."""
    most = max((figure.value for figure in figures), default=0) or 1
    bars = tuple(
        Bar(figure, 0, 0, round(max(2.0, WIDTH * figure.value / most) if figure.value else 0.0, 1), _BAR)
        for figure in figures
    )
    rows = tuple((figure.label, (figure,)) for figure in figures)
    return Chart(key, title, summary, WIDTH, _BAR, bars, (head,), rows)


def columns(
    key: str, title: str, labels: Sequence[str], series: Mapping[str, Sequence[Figure]], summary: str = ""
) -> Chart:
    """Columns side by side for each label, one of each series."""
    most = max((figure.value for figures in series.values() for figure in figures), default=0) or 1
    slot = WIDTH / max(1, len(labels))
    thick = min(22.0, slot * 0.8 / max(1, len(series)))
    bars = []
    for index, (name, figures) in enumerate(series.items()):
        for number, figure in enumerate(figures):
            height = round(max(2.0, _COLUMNS_HEIGHT * figure.value / most) if figure.value else 0.0, 1)
            x = slot * number + (slot - thick * len(series)) / 2 + thick * index
            top = _COLUMNS_HEIGHT - height
            bars.append(Bar(figure, round(x, 1), round(top, 1), round(thick - 1, 1), height, index, name))
    step = max(1, -(-len(labels) // 5))
    ticks = tuple((round(slot * (number + 0.5), 1), label) for number, label in enumerate(labels) if number % step == 0)
    rows = tuple((label, tuple(figures[number] for figures in series.values())) for number, label in enumerate(labels))
    height = _COLUMNS_HEIGHT + _FOOT
    names = tuple(series)
    return Chart(key, title, summary, WIDTH, height, tuple(bars), names, rows, ticks, names, lying=False)
