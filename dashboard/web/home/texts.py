"""Define the sentences of the first page."""

from __future__ import annotations

from dashboard.web.shared.languages import lazy, ngettext

TITLE = lazy("Search · Challan Dashboard")
PAID_TITLE = lazy("({count} paid) Challan Dashboard")

LINK_WITHOUT_VEHICLE = lazy("A link")

# The figures of the day
OPEN = lazy("Open")
ENDS_TODAY = lazy("Ends today")
NOT_SENT = lazy("Not sent")
COLLECTED = lazy("Collected since yesterday")

OPEN_LIST = lazy("Open the list")
OPEN_LINK = lazy("Open the link")
OPEN_REQUEST = lazy("Open the request")
OPEN_SEARCH = lazy("Open the search")

OUTCOME_UNCLEAR = lazy("{plate}: the outcome of a request for a link is not known yet.")
DUPLICATE_LINKS = lazy("{plate}: two links have the same challans; money may be paid twice.")
ENDS_SOON = lazy("{plate}: unpaid, and its link ends at {moment}.")
MORE_END_SOON = lazy("More unpaid links end within 6 hours.")
CLAIMS_RELEASED = lazy(
    "{plate}: {manager} released the challans of a request; its link may or may not exist, and we go on looking."
)


def new_challans(count: int) -> str:
    """Say how many challans searches of the fleet have found for the first time."""
    return ngettext("%(num)s new challan since yesterday", "%(num)s new challans since yesterday", count)
