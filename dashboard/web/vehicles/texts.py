"""Hold every sentence of the pages about vehicles, by what it is about."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.domain.challans import Challan, EligibilityGroup, EligibilityReason
from dashboard.store.vehicles.search_attempts import SearchAttempt
from dashboard.web.shared.error_texts import ERROR, NO_ANSWER
from dashboard.web.shared.texts import join_words

# The search form

CHOOSE_TYPE = "Choose a type"
CHOOSE_CITY = "Choose a city"
TYPE_MISSING = "Choose an RC type."
CITY_MISSING = "Choose a city."

#: Why a search needs another try, by the failure name of the one before; NO_ANSWER for any other.
_RETRY_REASONS = {"ServiceFailed": "The challan source did not answer", "UnreadableAnswer": ERROR}


def retrying(tried: SearchAttempt) -> str:
    """Say to the person who waits which try their search has come to."""
    reason = _RETRY_REASONS.get(tried.failure, NO_ANSWER)
    return f"{reason}; trying again ({tried.attempt} of {tried.total})"


# The page of a vehicle

NOTHING_TICKED = "Tick at least one challan to review."
REFRESH_UNDER_WAY = "A colleague is refreshing this vehicle from the source just now. The result will stand here."
REFRESH_AGAIN = "Refresh from source asks again."

# Why the list on an open page is out of date

LIST_MAY_BE_OLD = "This list may be old."
LINK_STATE_CHANGED = "The state of a payment link has changed, so other challans may be payable now."
REQUEST_CHANGED = "A request for a payment link has begun or ended."


def searched_again(at: str, by: str | None) -> str:
    return f"The vehicle was searched again at {at}{f' by {by}' if by else ''}."


# Challans

NO_NUMBER = "(no number)"
NO_STATUS = "(no status)"
NO_LONGER_LISTED = "No longer listed. It may have been paid."
OPEN_LINK = "open link"

GROUP_TITLES = {
    EligibilityGroup.PAYABLE: "Can be paid",
    EligibilityGroup.ON_LINK: "On an active link",
    EligibilityGroup.NOT_PAYABLE: "Not payable",
}

#: Fields of `Challan` whose changes the list shows.
_FIELD_LABELS = {
    "status": "Status",
    "challan_amount": "Amount",
    "total_amount": "Total",
    "challan_date": "Date",
    "state": "State",
    "challan_type": "Type",
    "challan_place": "Place",
}

#: Fields of `Challan` that its record may lack, as the sentence about such a record names them.
_GAP_LABELS = {
    "id": "a readable id",
    "challan_no": "a number",
    "status": "a status",
    "prepaid": "saying whether it is prepaid",
    "payment_link_id": "a readable link id",
    "payment_link": "a readable link",
}


def change(field: str, before: str | None) -> str:
    return f"{_FIELD_LABELS[field]} was {before or 'unknown'}"


def not_selectable(challan: Challan, reason: EligibilityReason) -> str | None:
    """Say why a challan cannot be selected; None where the link that it is on says it."""
    match reason:
        case EligibilityReason.STATUS:
            return challan.status
        case EligibilityReason.GAPS:
            return f"The service sent it without {_gaps(challan.gaps)}."
        case EligibilityReason.PAID_LINK:
            return f"{challan.status}: paid with a link"
        case EligibilityReason.PREPAID_WITHOUT_LINK:
            return f"{challan.status}: prepaid, but no link is shown. Refresh from source to look again."
        case EligibilityReason.RESERVED:
            return "Reserved by a request"
        case _:
            return None


def _gaps(gaps: Sequence[str]) -> str:
    return join_words([_GAP_LABELS.get(gap, gap) for gap in gaps])


def reserving_request(asked: str, by: str | None, *, own: bool) -> str:
    """Name the request that holds a challan; `by` is None for an unknown person."""
    who = "your request" if own else f"a request by {by or 'a colleague'}"
    return f"{who} of {asked}"


# What the find box found

NO_VEHICLE = "Link without a vehicle"


def on_link_of(plate: str) -> str:
    return f"on a link of {plate}"


def of_vehicle(plate: str) -> str:
    return f"of {plate}"
