"""Lay out charts, so that the templates only draw: SVG without styles, and the same figures as a table.

All lengths are in the units of the picture's own view box, which is stretched to the room that there is; words stand
beside it, so that they keep their size. A bar leads to the list of what it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

#: The view box of a horizontal bar, and the height of a picture of columns.
WIDTH = 360
_BAR = 12
_HEIGHT = 100
#: The width of a column's place, and of what is drawn in it: less of it where there are few, which would be slabs.
_SLOT, _DRAWN, _DRAWN_OF_FEW = 10.0, 8.0, 5.0
#: A value above zero is drawn at least this long.
_SHORTEST = 2.0
#: How far an axis goes beyond the largest value, which would look cut off at its end.
_HEADROOM = 1.05
#: The most steps on an axis, and the round numbers that a step may begin with.
_MOST_STEPS, _ROUND = 4, (1, 2, 5)
#: The most labels below columns, and the fewest columns: fewer would stand alone in an empty picture.
MOST_LABELS = _FEWEST = 7
#: The most labels below weeks, each of which is named by its first day.
MOST_WEEKS = 13


@dataclass(frozen=True, slots=True)
class Figure:
    """A number to draw: its label, how people read it, and the address of the list of what it counts."""

    label: str
    value: float
    written: str
    address: str | None = None
    is_plate: bool = False  # The label is a registration number.
    is_rest: bool = False  # What belongs to none of the others, which are drawn apart from it.


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar or column; `series` is the index of its series, None of what it is compared with."""

    figure: Figure
    x: float
    y: float
    width: float
    height: float
    series: int | None = 0


@dataclass(frozen=True, slots=True)
class Column:
    """The place of the columns of one label: what is read when somebody points at it, as pairs of the name of a series,
    if there are several, and its figure; `before` is what the figure is compared with. Without a value there is nothing
    to read.
    """

    label: str
    figures: tuple[tuple[str, Figure], ...] = ()
    before: Figure | None = None

    @property
    def address(self) -> str | None:
        return self.figures[0][1].address if len(self.figures) == 1 else None


@dataclass(frozen=True, slots=True)
class Axis:
    """The values on an axis from the top down, the height of each line, and the labels below: one for each column, or
    for the last of several.
    """

    values: tuple[str, ...]
    lines: tuple[float, ...]
    labels: tuple[str, ...]
    labels_each: bool


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart, and as `rows` the same as a table: a label, then a figure for each head.

    `summary` leads to `more`, where what the chart leaves out is listed. Of its first columns nothing may be known, as
    `unknown` says; they are so wide in its picture.

    Each horizontal bar is a picture of its own, `width` by `height`; columns share one picture, beside an axis.
    """

    key: str
    title: str
    summary: str
    width: float
    height: float
    bars: tuple[Bar, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Figure, ...]], ...]
    axis: Axis | None = None
    series: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    before: str = ""
    more: str = ""
    unknown: str = ""
    unknown_width: float = 0


def bar_chart(key: str, title: str, head: str, figures: Sequence[Figure], summary: str = "") -> Chart:
    """Lay out horizontal bars, one below the other; the page writes label and number above each."""
    most = max((figure.value for figure in figures), default=0) or 1
    bars = tuple(
        Bar(figure, 0, 0, _length(figure.value, most, WIDTH), _BAR, None if figure.is_rest else 0) for figure in figures
    )
    rows = tuple((figure.label, (figure,)) for figure in figures)
    return Chart(key, title, summary, WIDTH, _BAR, bars, (head,), rows)


def column_chart(
    key: str,
    title: str,
    labels: Sequence[str],
    series: Mapping[str, Sequence[Figure]],
    summary: str = "",
    *,
    written: Callable[[float], str],
    first: int | None = None,
    read: Sequence[str] = (),
    most_labels: int = MOST_LABELS,
    before: tuple[str, Sequence[Figure]] = ("", ()),
    unknown: tuple[int, str] = (0, ""),
) -> Chart:
    """Lay out columns, one of each series side by side for each label, from the one of number `first` on, or from the
    first that is above zero; bars instead while they would be few. `written` writes a value of the axis. A column is
    read by its label, or by that of `read`; the axis has `most_labels`. Before each column of a single series stands,
    as wide, what it is compared with: `before` has its name and a figure for each label, whose own label names its
    days. Of the first columns, as many as `unknown` says with its words, nothing is known.
    """
    if first is None:
        first = min((at for figures in series.values() for at, each in enumerate(figures) if each.value), default=0)
    if len(labels) - first < _FEWEST:
        return _few(key, title, labels, series, unknown[1] if unknown[0] else summary)
    shown, every = _labelled(len(labels) - first, len(labels), most_labels)
    read, left_out = (read or labels)[-shown:], len(labels) - shown
    labels, series = labels[-shown:], {name: figures[-shown:] for name, figures in series.items()}
    compared = before[1][-shown:]
    most = max((figure.value for figures in (*series.values(), compared) for figure in figures), default=0)
    step, steps = _steps(most * _HEADROOM)
    drawn = _DRAWN if len(labels) > _FEWEST else _DRAWN_OF_FEW
    beside = ([(None, compared)] if any(figure.value for figure in compared) else []) + [*enumerate(series.values())]
    top, thick = step * steps, drawn / max(1, len(beside))
    bars = []
    for place, (index, figures) in enumerate(beside):
        for number, figure in enumerate(figures):
            if figure.value:
                height = _length(figure.value, top, _HEIGHT)
                x = _SLOT * number + (_SLOT - drawn) / 2 + thick * place
                y = round(_HEIGHT - height, 1)
                bars.append(Bar(figure, round(x, 2), y, round(thick, 2), height, index))
    every_row = (*series.values(), compared) if compared else tuple(series.values())
    rows = tuple((label, tuple(figures[number] for figures in every_row)) for number, label in enumerate(read))
    axis = Axis(
        values=tuple(written(step * number) for number in range(steps, -1, -1)),
        lines=tuple(round(_HEIGHT * number / steps, 1) for number in range(steps + 1)),
        labels=tuple(labels[every - 1 :: every]),
        labels_each=every == 1,
    )
    # A row of zeros tells nothing.
    rows = tuple(row for row in rows if any(figure.value for figure in row[1]))
    names = tuple(series)
    columns = tuple(
        _column(label, {name: figures[number] for name, figures in series.items()}, *compared[number : number + 1])
        for number, label in enumerate(read)
    )
    width = _SLOT * len(labels)
    heads = (*names, before[0]) if compared else names
    return Chart(
        key,
        title,
        summary,
        width,
        _HEIGHT,
        tuple(bars),
        heads,
        rows,
        axis,
        names,
        columns,
        before[0] if compared else "",
        unknown=unknown[1] if unknown[0] else "",
        unknown_width=_SLOT * max(0, unknown[0] - left_out),
    )


def _column(label: str, figures: Mapping[str, Figure], before: Figure | None = None) -> Column:
    was_any = before is not None and before.value
    if not was_any and not any(figure.value or figure.address for figure in figures.values()):
        return Column(label)
    named = tuple((name if len(figures) > 1 else "", figure) for name, figure in figures.items())
    return Column(label, named, before if was_any else None)


def _few(key: str, title: str, labels: Sequence[str], series: Mapping[str, Sequence[Figure]], summary: str) -> Chart:
    """Lay out the figures of a few columns as bars, with the name of the series where there are several."""
    figures = [
        replace(figures[at], label=f"{figures[at].label} · {name}") if len(series) > 1 else figures[at]
        for at in range(len(labels))
        for name, figures in series.items()
        if figures[at].value or figures[at].address
    ]
    return bar_chart(key, title, "", figures, summary)


def _labelled(shown: int, most: int, most_labels: int) -> tuple[int, int]:
    """Return how many columns to show, at least `shown` of `most`, and how many of them share a label."""
    for every in range(1, most):
        labels = ceil(shown / every)
        if labels <= most_labels and labels * every <= most:
            return labels * every, every
    return most, most


def _steps(most: float) -> tuple[float, int]:
    """Return a round step of an axis and how many there are, so that the last one reaches `most`."""
    size = 1
    while True:
        for begins in _ROUND:
            if begins * size * _MOST_STEPS >= most:
                return float(begins * size), max(1, ceil(most / (begins * size)))
        size *= 10


def _length(value: float, most: float, longest: float) -> float:
    return round(max(_SHORTEST, longest * value / most), 1) if value else 0.0
