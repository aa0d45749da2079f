"""Hold what the review says of challans that were on a link which has ended."""

from __future__ import annotations

from dashboard.domain.links import EXPIRED, may_have_taken_money
from dashboard.domain.sharing import Answer
from dashboard.web.shared.languages import lazy, ngettext

MONEY_MAY_HAVE_LEFT = lazy("Money may have left the driver’s account. Ask first.")
#: What its driver says, where that is noted.
DRIVER_SAYS = {
    Answer.NOT_TAKEN: lazy("The driver says that no money was taken."),
    Answer.TAKEN: lazy("The driver says that money was taken. It may be paid twice."),
}
MAY_BE_PAID_LATE = lazy("A late payment may still arrive: money may be paid twice.")


def were_on(status: str, count: int, when: str, *, links: int) -> str:
    """Say that so many challans were on a link that has ended, or on several; `when` is when the newest did.

    It is empty of an expired link that only a search has shown.
    """
    if links > 1 and may_have_taken_money(status):
        return ngettext(
            "%(num)s challan was on links that failed, the last at %(when)s.",
            "%(num)s challans were on links that failed, the last at %(when)s.",
            count,
            when=when,
        )
    if not when:
        return _on_expired(count, links)
    if links > 1:
        return ngettext(
            "%(num)s challan was on links that have ended, the last at %(when)s.",
            "%(num)s challans were on links that have ended, the last at %(when)s.",
            count,
            when=when,
        )
    if may_have_taken_money(status):
        return ngettext(
            "%(num)s challan was on a link that failed at %(when)s.",
            "%(num)s challans were on a link that failed at %(when)s.",
            count,
            when=when,
        )
    if status == EXPIRED:
        return ngettext(
            "%(num)s challan was on a link that expired at %(when)s.",
            "%(num)s challans were on a link that expired at %(when)s.",
            count,
            when=when,
        )
    return ngettext(
        "%(num)s challan was on a link that was cancelled at %(when)s.",
        "%(num)s challans were on a link that was cancelled at %(when)s.",
        count,
        when=when,
    )


def _on_expired(count: int, links: int) -> str:
    if links > 1:
        return ngettext(
            "%(num)s challan was on links that have ended.", "%(num)s challans were on links that have ended.", count
        )
    return ngettext(
        "%(num)s challan was on a link that expired.", "%(num)s challans were on a link that expired.", count
    )
