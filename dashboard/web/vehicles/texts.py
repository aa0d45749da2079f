"""Hold every sentence of the pages about vehicles, by what it is about."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.domain.challans import Challan, EligibilityGroup, EligibilityReason
from dashboard.store.vehicles.search_attempts import SearchAttempt
from dashboard.web.shared.error_texts import ERROR, NO_ANSWER
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.texts import challan_status, join_words

# The search form

CHOOSE_TYPE = "Choose a type"
CHOOSE_CITY = "Choose a city"
TYPE_MISSING = "Choose an RC type."
CITY_MISSING = "Choose a city."
NEW_HERE = "This vehicle is new here. Its first search also needs the RC type and the city. You enter them only once."
#: Of a vehicle that was searched here before.
ASKED_AGAIN = (
    "The service did not accept this number alone. It may need the RC type and city of this vehicle again. The last "
    "results are kept."
)


def unlikely(plate: str, digits: int) -> str:
    """Say why a number may be mistyped; `digits` is how many it ends with, where these are too many."""
    if digits:
        return _("%(plate)s has %(digits)s digits at the end; four are usual.", plate=plate, digits=digits)
    return _("%(plate)s does not look like a registration number, for example MH12 AB 1001.", plate=plate)


TYPE_GONE = "The service rejected the search, and no longer offers the RC type that was chosen. Choose another one."
CITY_GONE = "The service rejected the search, and no longer offers the city that was chosen. Choose another one."
CHECK_ALL_THREE = "The RC number, the RC type or the city may be wrong; the lists are renewed."
NO_CITIES = (
    "The service has no city for your organization, so a vehicle that is new here cannot be searched. Tell an "
    "administrator: the service's support has to add one."
)


def other_vehicle(asked: str, answered: str) -> str:
    """Say that the service answered a search of one vehicle with another one; both as on the plate."""
    return (
        f"You searched {asked}, and the service answered for {answered}. What is shown is {answered}. Check the number "
        "before you create a link."
    )


#: Why a search needs another try, by the failure name of the one before; NO_ANSWER for any other.
_RETRY_REASONS = {"ServiceFailed": "The challan source did not answer", "UnreadableAnswer": ERROR}


def retrying(tried: SearchAttempt) -> str:
    """Say to the person who waits which try their search has come to."""
    reason = _RETRY_REASONS.get(tried.failure, NO_ANSWER)
    return f"{reason}; trying again ({tried.attempt} of {tried.total})"


def known_vehicles(count: int, most: int) -> str:
    """Say how many known vehicles have the number that is being typed."""
    if not count:
        return "No known vehicle. Enter searches it."
    some = f"{count} or more" if count >= most else str(count)
    return f"{some} known vehicle{'s' if count != 1 else ''}. Arrow keys choose, Enter opens."


# The page of a vehicle

NOTHING_TICKED = "Tick at least one challan to review."
REFRESH_UNDER_WAY = "A colleague is refreshing this vehicle from the source just now. The result will show here."
REFRESH_AGAIN = "Refresh from source asks again."


def refreshed_just_now(seconds: int) -> str:
    return f"You refreshed this vehicle from the source less than a minute ago. You can do so again in {seconds} s."


SELECTED = "{count} of {payable} selected · {sum}"
WITHOUT_AMOUNT = " · {unknown} with amount not known yet"
PLAN = "{count} challans make {links} links: {sizes}"

#: Above so many challans their number is said instead of theirs.
_MOST_NAMED = 3


def announcement(plate: str, payable: int, on_link: int, earlier: str) -> str:
    """Say to a screen reader what a vehicle's page shows."""
    return f"{plate}: {payable} can be paid, {on_link} on a link{f'. {earlier}' if earlier else ''}"


def ticked_earlier(count: int) -> str:
    return f"{count} ticked earlier" if count else ""


def no_longer_payable(numbers: Sequence[str]) -> str:
    """Say which ticked challans a link cannot take any more."""
    if not numbers:
        return ""
    if len(numbers) > _MOST_NAMED:
        return f"{len(numbers)} of the ticked challans can no longer be paid, and are not counted."
    is_not = "is not" if len(numbers) == 1 else "are not"
    return f"{join_words(numbers)} can no longer be paid, and {is_not} counted."


# Why the list on an open page is out of date

LIST_MAY_BE_OLD = "This list may be old."
LINK_STATE_CHANGED = "The state of a payment link has changed, so the payable challans may have changed."
REQUEST_CHANGED = "A request for a payment link was made or has ended."


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

#: The title of challans that a request reserves, or whose link is not known to be active.
HELD = "Held"

#: Fields of `Challan` whose changes the list shows.
_FIELD_LABELS = {
    "status": "Status",
    "challan_amount": "Fine",
    "total_amount": "To pay",
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
    known = challan_status(before) if before and field == "status" else before
    return f"{_FIELD_LABELS[field]} was {known or 'unknown'}"


def not_selectable(challan: Challan, reason: EligibilityReason) -> str | None:
    """Say why a challan cannot be selected; None where its link or its status says it."""
    match reason:
        case EligibilityReason.STATUS:
            return None
        case EligibilityReason.GAPS:
            return f"The service sent it without {_gaps(challan.gaps)}."
        case EligibilityReason.PAID_LINK:
            return f"{challan_status(challan.status or NO_STATUS)}: paid with a link"
        case EligibilityReason.PREPAID_WITHOUT_LINK:
            status = challan_status(challan.status or NO_STATUS)
            return f"{status}: prepaid, but no link is shown. Refresh from source to check again."
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
