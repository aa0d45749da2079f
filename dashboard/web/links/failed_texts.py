"""Word what is known of the money of a link whose payment failed."""

from __future__ import annotations

from dashboard.web.shared.languages import gettext as _


def payer_not_known(sender: str) -> str:
    """Say that nobody is named who tried to pay. `sender`: who sent the link or prepared its message, if known."""
    if sender:
        return _("No driver with a number is named here: ask %(sender)s, who sent or prepared it.", sender=sender)
    return _("No driver with a number is named here.")
