"""Word what is known of the money of a link whose payment failed."""

from __future__ import annotations

from dashboard.domain.payment_references import MAX_LENGTH, MIN_LENGTH
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy

REFERENCE = lazy("Payment reference (UTR)")
REFERENCE_SAVED = lazy("Payment reference saved. It is in the details for support.")
REFERENCE_REMOVED = lazy("Payment reference removed.")


def not_a_reference() -> str:
    """Say what is typed where it is no payment reference."""
    return _(
        "Type the %(shortest)s to %(longest)s letters and digits of the reference; a UPI payment has 12 digits.",
        shortest=MIN_LENGTH,
        longest=MAX_LENGTH,
    )


def payer_not_known(sender: str) -> str:
    """Say that nobody is named who tried to pay. `sender`: who sent the link or prepared its message, if known."""
    if sender:
        return _("No driver with a number is named here: ask %(sender)s, who sent or prepared it.", sender=sender)
    return _("No driver with a number is named here.")
