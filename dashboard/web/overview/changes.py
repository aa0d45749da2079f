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


def of_share(now: float, then: float, written: str) -> Change:
    """Compare shares, of which the earlier one is `written`."""
    return _change(now, then, texts.HIGHER, texts.LOWER, Better.YES, written)


def of_duration(now: float, then: float) -> Change:
    """Compare hours that something took; as they are written, because a second more is no change."""
    written, before = texts.duration(now), texts.duration(then)
    return _change(now if written != before else then, then, texts.SLOWER, texts.FASTER, Better.NO, before)


def _change(now: Decimal | float, then: Decimal | float, more: str, less: str, more_is: Better, before: str) -> Change:
    if now == then:
        return Change(texts.SAME)
    words, sign, better = (more, "↑", more_is) if now > then else (less, "↓", _OPPOSITE[more_is])
    return Change(words, sign, better, texts.before_it_was(before))
