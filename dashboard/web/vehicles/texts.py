"""Hold every sentence of the pages about vehicles, by what it is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dashboard.domain.challans import Challan, EligibilityGroup, EligibilityReason
from dashboard.domain.links import EXPIRED, may_have_taken_money
from dashboard.store.vehicles.known import Only
from dashboard.store.vehicles.search_attempts import SearchAttempt
from dashboard.web.shared.error_texts import ERROR, NO_ANSWER
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext
from dashboard.web.shared.records import StateWords
from dashboard.web.shared.service_words import challan_status, challan_type, state_of_india
from dashboard.web.shared.texts import join_words

# The search form

CHOOSE_TYPE = lazy("Choose a type")
CHOOSE_CITY = lazy("Choose a city")
TYPE_MISSING = lazy("Choose an RC type.")
CITY_MISSING = lazy("Choose a city.")
NEW_HERE = lazy("This vehicle is new here. Choose its RC type and city, only this once.")
#: Of a vehicle that was searched here before.
ASKED_AGAIN = lazy(
    "The service did not accept this number alone. It may need the RC type and city of this "
    "vehicle again. The last results are kept."
)
TYPE_GONE = lazy(
    "The service rejected the search, and no longer offers the RC type that was chosen. Choose another one."
)


def not_searched(plate: str) -> str:
    return _("%(plate)s could not be searched.", plate=plate)


def not_yours(plate: str) -> str:
    return _("%(plate)s is not among your vehicles.", plate=plate)


def unlikely(plate: str, digits: int) -> str:
    """Say why a number may be mistyped; `digits` is how many it ends with, where these are too many."""
    if digits:
        return _("%(plate)s has %(digits)s digits at the end; four are usual.", plate=plate, digits=digits)
    return _("%(plate)s does not look like a registration number, for example MH12 AB 1001.", plate=plate)


CITY_GONE = lazy("The service rejected the search, and no longer offers the city that was chosen. Choose another one.")
CHECK_ALL_THREE = lazy("The RC number, the RC type or the city may be wrong; the lists are renewed.")
NO_CITIES = lazy(
    "The service has no city for your organization, so a vehicle that is new here cannot be "
    "searched. Tell an administrator: the service’s support has to add one."
)


def other_vehicle(asked: str, answered: str) -> str:
    """Say that the service answered a search of one vehicle with another one; both as on the plate."""
    return _(
        "You searched %(asked)s, and the service answered for %(answered)s. What is shown is "
        "%(answered)s. Check the number before you create a link.",
        asked=asked,
        answered=answered,
    )


#: Why a search needs another try, by the failure name of the one before; NO_ANSWER for any other.
_RETRY_REASONS = {"ServiceFailed": lazy("The challan source did not answer"), "UnreadableAnswer": ERROR}


def retrying(tried: SearchAttempt) -> str:
    """Say to the person who waits which try their search has come to."""
    reason = _RETRY_REASONS.get(tried.failure, NO_ANSWER)
    return _(
        "%(reason)s; trying again (%(attempt)s of %(total)s)", reason=reason, attempt=tried.attempt, total=tried.total
    )


def known_vehicles(count: int, most: int) -> str:
    """Say how many known vehicles have the number that is being typed."""
    if not count:
        return _("No known vehicle. Enter searches it.")
    if count >= most:
        return _("%(count)s or more known vehicles. Arrow keys choose, Enter opens.", count=count)
    return ngettext(
        "%(num)s known vehicle. Arrow keys choose, Enter opens.",
        "%(num)s known vehicles. Arrow keys choose, Enter opens.",
        count,
    )


# The page of a vehicle

NOTHING_TICKED = lazy("Tick a challan first.")
REFRESH_UNDER_WAY = lazy("A colleague is refreshing this vehicle from the source just now. The result will show here.")


def refreshed_just_now(seconds: int) -> str:
    return _(
        "You refreshed this vehicle from the source less than a minute ago. You can do so again in %(seconds)s s.",
        seconds=seconds,
    )


SELECTED = lazy("{count} of {payable} selected")
#: The same in short, and what else a narrow screen says in one line.
BRIEF = lazy("{count} of {payable}")
LINKS = lazy("{links} links")
PLAN = lazy("{count} challans make {links} links: {sizes}")


def below_the_sum(count: int, payable: int, links: int) -> str:
    """Say in one line of what a selection's sum is, and the links that it makes."""
    said = [BRIEF.format(count=count, payable=payable)]
    said += [LINKS.format(links=links)] if links > 1 else []
    return " · ".join(said)


#: Above so many challans their number is said instead of theirs.
_MOST_NAMED = 3


def announcement(plate: str, payable: int, on_link: int, earlier: str, trouble: str) -> str:
    """Say to a screen reader what a vehicle's page shows, after why it could not be refreshed, if it could not."""
    shown = _(
        "%(plate)s: %(payable)s can be paid, %(on_link)s on a link", plate=plate, payable=payable, on_link=on_link
    )
    return " ".join(filter(None, (trouble, f"{shown}." if earlier else shown, earlier)))


def selection_kept(count: int, failed: int) -> str:
    """Say that challans were ticked before this visit, and how many of them a failed link held; "" where none were."""
    if failed:
        return _("%(count)s left out: check the failed payment first", count=failed)
    return _("Selection kept") if count else ""


def no_longer_payable(numbers: Sequence[str]) -> str:
    """Say which ticked challans a link cannot take any more."""
    if not numbers:
        return ""
    if len(numbers) > _MOST_NAMED:
        return _("%(count)s of the ticked challans can no longer be paid, and are not counted.", count=len(numbers))
    return ngettext(
        "%(numbers)s can no longer be paid, and is not counted.",
        "%(numbers)s can no longer be paid, and are not counted.",
        len(numbers),
        numbers=join_words(numbers),
    )


# Why the list on an open page is out of date

LIST_MAY_BE_OLD = lazy("This list may be old.")
LINK_STATE_CHANGED = lazy("The state of a payment link has changed, so the payable challans may have changed.")
REQUEST_CHANGED = lazy("A request for a payment link was made or has ended.")
#: The same in short, beside the button that shows the list anew.
LINK_CHANGED = lazy("A payment link has changed")
REQUESTS_CHANGED = lazy("A request has changed")


def new_list(at: str) -> str:
    return _("New list at %(time)s", time=at)


def searched_again(at: str, by: str | None) -> str:
    if by:
        return _("The vehicle was searched again at %(time)s by %(name)s.", time=at, name=by)
    return _("The vehicle was searched again at %(time)s.", time=at)


# Challans

NO_NUMBER = lazy("(no number)")
NO_STATUS = lazy("(no status)")
MAY_BE_PAID = lazy("No longer listed. It may have been paid.")
OPEN_LINK = lazy("open link")
CHECK_PAYMENT = lazy("Check payment")

GROUP_TITLES = {
    EligibilityGroup.PAYABLE: lazy("Can be paid"),
    EligibilityGroup.ON_LINK: lazy("On an active link"),
    EligibilityGroup.NOT_PAYABLE: lazy("Not payable"),
}

#: The title of challans that a request reserves: whether its link exists is not known yet.
REQUESTED = lazy("May be on a link")
#: The title of challans whose link is not known to be active.
HELD = lazy("Held")
PAID = lazy("Paid with a link")

#: Fields of `Challan` whose changes the list shows.
_FIELD_LABELS = {
    "status": lazy("Status"),
    "challan_amount": lazy("Fine"),
    "total_amount": lazy("To pay"),
    "challan_date": lazy("Date"),
    "state": lazy("State or territory"),
    "challan_type": lazy("Type"),
    "challan_place": lazy("Place"),
}

#: Fields of `Challan` that its record may lack, as the sentence about such a record names them.
_GAP_LABELS = {
    "id": lazy("a readable id"),
    "challan_no": lazy("a number"),
    "status": lazy("a status"),
    "prepaid": lazy("saying whether it is prepaid"),
    "payment_link_id": lazy("a readable link id"),
    "payment_link": lazy("a readable link"),
}


def change(field: str, before: str | None) -> str:
    words = {"status": challan_status, "challan_type": challan_type, "state": state_of_india}.get(field)
    known = words(before) if before and words else before
    return _("%(field)s was %(before)s", field=_FIELD_LABELS[field], before=known or _("unknown"))


def not_selectable(challan: Challan, reason: EligibilityReason) -> str | None:
    """Say why a challan cannot be selected; None where its link or its status says it."""
    match reason:
        case EligibilityReason.STATUS:
            return None
        case EligibilityReason.GAPS:
            return _("The service sent it without %(gaps)s.", gaps=_gaps(challan.gaps))
        case EligibilityReason.PAID_LINK:
            return _("%(status)s: paid with a link", status=challan_status(challan.status or NO_STATUS))
        case EligibilityReason.PREPAID_WITHOUT_LINK:
            status = challan_status(challan.status or NO_STATUS)
            return _(
                "%(status)s: prepaid, but its link is not shown. Refresh from source to check again.", status=status
            )
        case EligibilityReason.RESERVED:
            return _("Reserved by a request")
        case _:
            return None


def _gaps(gaps: Sequence[str]) -> str:
    return join_words([_GAP_LABELS.get(gap, gap) for gap in gaps])


def reserving_request(asked: str, by: str | None, *, own: bool) -> str:
    """Name the request that holds a challan; `by` is None for an unknown person."""
    if own:
        return _("your request of %(time)s", time=asked)
    return _("%(name)s’s request of %(time)s", name=by or _("a colleague"), time=asked)


def was_on(status: str, when: str, day: str) -> str:
    """Say that a payable challan was on a link that has ended; `when` and `day` are empty where that is not known."""
    if may_have_taken_money(status):
        return _("Was on a failed link, %(when)s", when=when)
    if status == EXPIRED:
        return _("Was on a link that expired %(day)s", day=day) if day else _("Was on an expired link")
    return _("Was on a cancelled link, %(when)s", when=when)


#: The same of a failed link whose driver has not said that no money was taken.
CHECK_FIRST = lazy("Check first: was on a failed link")


def and_on_others(states: Sequence[str]) -> str:
    """Say after such words, and the way to that link, that the challan was on others besides; "" for none."""
    if list(states) == [EXPIRED]:
        return _("and on one that expired")
    return ngettext("and on another link", "and on %(num)s other links", len(states)) if states else ""


# What the find box found

NO_VEHICLE = lazy("Link without a vehicle")
#: What is found, by the name of its kind in an address.
KINDS = {
    "vehicles": lazy("Vehicles"),
    "challans": lazy("Challans"),
    "links": lazy("Payment links"),
    "drivers": lazy("Drivers"),
    "jobs": lazy("Fleet"),
    "fields": lazy("Cost centres, trips and notes"),
}


def find_examples() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Say what can be found, each with examples of what to type."""
    return (
        (_("A vehicle, by any part of its number"), ("MH12 AB", "1001")),
        (_("A challan, by any part of its number, its offence or its place"), (_("helmet"), _("parking"))),
        (_("Payment links, by their state"), (_("not sent"), _("ends today"), _("paid"), _("failed"))),
        (_("A payment link, by its amount"), ("2500", "1,677.00")),
        (_("A driver, by name or phone"), (_("Ramesh"), "98765")),
    )


#: Why a link is found by its payment URL, which is not shown.
URL_FITS = lazy("payment URL fits")
#: And by the reference of the payment that failed.
REFERENCE_FITS = lazy("payment reference fits")


def none_in_state(text: str, state: str) -> str:
    """Say that no link of what is typed is in the state that is typed beside it."""
    return _("No link of “%(text)s” is “%(state)s”", text=text, state=state)


def without_state(state: str, found: str) -> str:
    """Say what is found without the state that was typed."""
    return _("Without “%(state)s”: %(found)s", state=state, found=found)


def counted(kinds: Iterable[tuple[str, str]]) -> str:
    """Say how many there are of each kind."""
    return " · ".join(f"{title} {count}" for title, count in kinds)


SAVED_CUSTOM_FIELDS = lazy("Cost centre, trip or note of a vehicle")
HAS_LEFT = lazy("has left")
ON_A_LINK = lazy("On a link")
#: What a challan is that a request holds.
MAY_HAVE_A_LINK = StateWords("unclear", "", "waiting", name=lazy("Link may exist"))


#: The heading of what the palette offers before anything is typed.
RECENT_VEHICLES = lazy("Recent vehicles")
#: The headings of the pages that a person may go to, and of what can be begun there.
GO_TO = lazy("Go to")
ACTIONS = lazy("Actions")
#: What a sum is, where one list has several kinds of it.
TO_PAY = lazy("to pay")
ON_LINKS = lazy("on links")

#: Whether a link that can be paid was given to somebody.
NOT_SENT_YET = lazy("not sent yet")
NOT_SENT_FROM_HERE = lazy("not sent from here")
SENT = lazy("sent")
COPIED = lazy("copied")


def sent_to(driver: str | None) -> str:
    return _("sent to %(driver)s", driver=driver) if driver else str(SENT)


def open_links(count: int) -> str:
    return ngettext("%(num)s open link", "%(num)s open links", count)


def open_challans(payable: int, on_link: int) -> str:
    """Say how many challans of a vehicle can be paid, and how many are on open links."""
    said = [_("%(count)s can be paid", count=payable)] if payable else []
    said += [_("%(count)s on a link", count=on_link)] if on_link else []
    return " · ".join(said) or _("Nothing to pay")


# Known vehicles


def vehicles_listed(count: int) -> str:
    """Say how many known vehicles fit what is typed."""
    return ngettext("%(num)s vehicle", "%(num)s vehicles", count)


#: The orders of the list, by their value in the address.
ORDERS = {
    "updated": lazy("last updated first"),
    "sum": lazy("highest sum first"),
    "payable": lazy("most challans to pay first"),
    "on-link": lazy("most challans on a link first"),
    "plate": lazy("by number"),
}
#: The orders of the challans that the find box found, by their value in the address.
FOUND_ORDERS = {
    "date": lazy("newest first"),
    "sum": lazy("highest sum first"),
    "number": lazy("by number"),
}
#: The filters of the list, by their value in the address.
ONLY = {Only.OPEN: lazy("With open challans"), Only.UNDRIVEN: lazy("No driver")}


def planned(links: int, made: str, by: str, *, own: bool) -> str:
    """Say that a plan has links of this vehicle to create yet."""
    if own:
        return ngettext(
            "Your plan of %(when)s has %(num)s link of this vehicle to create yet.",
            "Your plan of %(when)s has %(num)s links of this vehicle to create yet.",
            links,
            when=made,
        )
    return ngettext(
        "The plan that %(name)s made %(when)s has %(num)s link of this vehicle to create yet.",
        "The plan that %(name)s made %(when)s has %(num)s links of this vehicle to create yet.",
        links,
        name=by,
        when=made,
    )


MANAGERS_OPEN_IT = lazy("Managers can open the plan.")
