"""Say why none of a vehicle's challans can be paid."""

from __future__ import annotations

from collections.abc import Collection

from dashboard.domain.challans import EligibilityReason
from dashboard.web.shared.languages import gettext as _
from dashboard.web.vehicles.texts import HELD, MAY_HAVE_A_LINK


def none_payable(listed: int, paid: int, held: Collection[EligibilityReason], *, has_open_link: bool) -> str:
    """Say in a few words why none of a vehicle's challans can be paid, of which none is on an active link.

    `held` says by what others are held: a request for a link that is being checked, or a link in another state.
    """
    if not listed:
        return _("No challans")
    if EligibilityReason.RESERVED in held:
        return MAY_HAVE_A_LINK.shown
    return str(HELD) if held else nothing_to_pay(are_paid=paid == listed, has_open_link=has_open_link)


def nothing_to_pay(*, are_paid: bool, has_open_link: bool) -> str:
    """Say that no challan is to be paid, but for a link that is still open and may take money for them again."""
    if has_open_link:
        return _("Paid, link still open") if are_paid else _("Link still open")
    return _("All paid") if are_paid else _("Nothing to pay")
