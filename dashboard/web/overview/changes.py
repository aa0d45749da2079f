"""Compare the numbers of a period with those of the days before: in words, by an arrow, and for better or worse."""

from __future__ import annotations

from decimal import Decimal

from dashboard.web.overview import texts
from dashboard.web.overview.records import Better, Change

_OPPOSITE = {Better.YES: Better.NO, Better.NO: Better.YES, Better.NEITHER: Better.NEITHER}


def of_amount(now: Decimal, then: Decimal, more_is: Better) -> Change:
    if not then and now:
        return Change(texts.NONE_BEFORE)
    difference = texts.with_percent(texts.amount(abs(now - then)), now, then) if then else ""
    return _change(now, then, texts.more(difference), texts.less(difference), more_is, texts.amount(then))


def of_count(now: int, then: int, more_is: Better) -> Change:
    if not then and now:
        return Change(texts.NONE_BEFORE)
    difference = texts.number(abs(now - then))
    return _change(now, then, texts.more(difference), texts.less(difference), more_is, texts.number(then))


def of_share(now: int, then: int) -> Change:
    """Compare shares in percent, as they are written."""
    points = abs(now - then)
    return _change(now, then, texts.higher(points), texts.lower(points), Better.YES, texts.percent(then))


def of_duration(now: float, then: float) -> Change:
    """Compare hours that something took; as they are written, because a second more is no change."""
    written, before, difference = texts.duration(now), texts.duration(then), texts.duration(abs(now - then))
    slower, faster = texts.slower(difference), texts.faster(difference)
    return _change(now if written != before else then, then, slower, faster, Better.NO, before)


def _change(now: Decimal | float, then: Decimal | float, more: str, less: str, more_is: Better, before: str) -> Change:
    if now == then:
        return Change(texts.SAME)
    words, sign, better = (more, "↑", more_is) if now > then else (less, "↓", _OPPOSITE[more_is])
    return Change(words, sign, better, texts.before_it_was(before))
