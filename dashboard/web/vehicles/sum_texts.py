"""Say how much of what a vehicle has to pay may have been paid with a link whose payment failed."""

from __future__ import annotations

from dashboard.domain.money import Sum
from dashboard.web.shared.current import format_sum
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import ngettext


def check_first(count: int, total: Sum, *, of: int) -> str:
    """Say beside the sum of `of` challans what of it is checked before it is paid; "" for nothing."""
    if not count:
        return ""
    if count == of:
        return _("all of it to check first")
    if total.unknown == count:
        return ngettext("%(num)s challan to check first", "%(num)s challans to check first", count)
    return _("%(sum)s of it to check first", sum=format_sum(total))


def check_briefly(count: int, total: Sum, *, of: int) -> str:
    """Say the same in a row of a list."""
    if not count:
        return ""
    if count == of:
        return _("Payment to check")
    if total.unknown == count:
        return ngettext("%(num)s challan to check", "%(num)s challans to check", count)
    return _("%(sum)s to check", sum=format_sum(total))
