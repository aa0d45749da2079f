"""Word the verification of paid links with the department: what waits for it, what goes on, what came of it."""

from __future__ import annotations

from dashboard.store.reconciliation.settlements import Verified
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext

_SEVERAL = 2
NOTHING_TO_VERIFY = lazy("There is no paid link to verify.")


def unverified(links: int) -> str:
    """Say how many paid links nobody verified; "" for none."""
    if not links:
        return ""
    return ngettext(
        "%(count)s paid link not yet verified with the department",
        "%(count)s paid links not yet verified with the department",
        links,
        count=f"{links:,}",
    )


def being_verified(links: int, done: int) -> str:
    """Say how far a verification of paid links has come: `links` are left; "" for none."""
    if not links:
        return ""
    if not done:
        return ngettext(
            "Verifying %(count)s paid link with the department. You can leave this page.",
            "Verifying %(count)s paid links with the department, one vehicle after the other. You can leave this page.",
            links,
            count=f"{links:,}",
        )
    return _(
        "Verifying paid links with the department: %(done)s of %(total)s verified. You can leave this page.",
        done=f"{done:,}",
        total=f"{links + done:,}",
    )


def verify(links: int, vehicles: int) -> str:
    """Name the button that verifies all by what it does and costs."""
    searches = ngettext("%(num)s search", "%(num)s searches", vehicles)
    return ngettext(
        "Verify %(num)s link (%(searches)s)", "Verify %(num)s links (%(searches)s)", links, searches=searches
    )


def check_all(vehicles: int) -> str:
    """Name the button that verifies all pending links by what it costs; "" where a row's own button does as much."""
    if vehicles < _SEVERAL:
        return ""
    return ngettext("Verify all (%(num)s search)", "Verify all (%(num)s searches)", vehicles)


def came_of_it(verified: Verified) -> str:
    """Say what a verification found; "" while it found nothing."""
    parts = []
    if verified.settled:
        parts.append(_("%(count)s settled", count=f"{verified.settled:,}"))
    if verified.pending:
        parts.append(_("%(count)s still pending", count=f"{verified.pending:,}"))
    if verified.failed:
        parts.append(_("%(count)s could not be verified", count=f"{verified.failed:,}"))
    return _("Verified: %(parts)s", parts=" · ".join(parts)) if parts else ""
