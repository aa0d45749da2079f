"""Word the alarms about duplicate links on the first page: what is known of them, and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext

DUPLICATE_LINKS = lazy("Two links have the same challans")
BOTH_PAYABLE = lazy("Two active links have the same challans")
PAID_AND_PAYABLE = lazy("One of two links with the same challans is paid, the other can still be paid")
PAID_ONCE = lazy("One of two links with the same challans is paid, and the other cannot be paid now")
PAID_TWICE = lazy("Two links with the same challans are both paid")
PAID_AND_REQUESTED = lazy("This link is paid, and a request with no known outcome yet has the same challans")
REQUESTED = lazy("A request with no known outcome yet has the same challans")

ASK_SUPPORT = lazy("Ask the service’s support.")
NOT_ITS_LINK = lazy("Do not send the link of that request.")
ONLY_ONE = lazy("Only one may be paid.")


def compare(count: int) -> str:
    """Lead to the links that have the same challans."""
    return ngettext("Compare %(num)s", "Compare %(num)s", count) if count > 2 else _("Compare the two")


def do_not_pay(have: Sequence[str | None], count: int) -> str:
    """Say what is done so that nobody pays links besides a paid one. `have` are the drivers of those somebody has."""
    if not have:
        return ngettext("Do not send it.", "Do not send the others.", count)
    if count == 1 and have[0]:
        return _("Tell %(driver)s not to pay it.", driver=have[0])
    return ngettext("Tell whoever has it not to pay it.", "Tell whoever has the others not to pay them.", count)


def only_one(have: int, count: int) -> str:
    """Say what is done so that one of several links that can be paid is. Somebody has so many of them."""
    if not have:
        return _("Only one may be paid: send only one.")
    if have < count:
        return ngettext(
            "Only one may be paid: do not send the other.", "Only one may be paid: do not send the others.", count - 1
        )
    return _("Only one may be paid: tell the driver not to pay the other.")
