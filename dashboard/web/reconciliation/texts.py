"""Define the sentences of reconciliation: the kinds of discrepancy, their facts, and the statement."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from decimal import Decimal
from typing import cast

from flask import current_app

from dashboard.domain.discrepancies import DiscrepancyKind, Facts
from dashboard.web.shared.current import format_moment
from dashboard.web.shared.texts import name_first


@dataclass(frozen=True, slots=True)
class KindTexts:
    title: str
    meaning: str
    to_do: str
    empty: str


#: In the order of the page.
KINDS: Mapping[DiscrepancyKind, KindTexts] = {
    DiscrepancyKind.UNSETTLED: KindTexts(
        "Paid, and the fine is still listed",
        "The link is PAID, and a look at the source after it still lists a challan as PENDING or TO_BE_ASSIGNED.",
        "A source can take days. Look now, or ask the service's support with the link when the looks are over.",
        "No look at the source shows a paid challan still open.",
    ),
    DiscrepancyKind.DUPLICATE: KindTexts(
        "Challans on two links",
        "Another link holds the same challans, so that money may be paid twice.",
        "See to it that only one is paid, or have one payment given back. Then say here what was done.",
        "No links were found that hold the same challans at once.",
    ),
    DiscrepancyKind.LATE: KindTexts(
        "Late money",
        "Paid after the link had ended, or PAID first and something else afterwards.",
        "Check whether the money arrived, and whether another link was paid for the same challans.",
        "No payment was found that came late, and no link that was PAID and is not any more.",
    ),
    DiscrepancyKind.SUMS: KindTexts(
        "Sums that do not add up",
        "The parts of a link do not come to its total, or its challans do not come to the link.",
        "Compare the link with the payment before the amount is booked.",
        "All sums that can be checked add up.",
    ),
    DiscrepancyKind.CHALLANS: KindTexts(
        "Other challans than asked",
        "The link covers other challans than its request asked for.",
        "Open the link and compare. What is missing can be put on another link.",
        "Every link that could be read covers just what was asked for.",
    ),
    DiscrepancyKind.ELSEWHERE: KindTexts(
        "Made elsewhere",
        "A search showed the link on a vehicle's challans; nobody made it here.",
        "Find out who made it, and whether its driver has it. It is followed like the rest.",
        "No link was found that was made elsewhere.",
    ),
    DiscrepancyKind.UNCHECKED: KindTexts(
        "Sums that cannot be checked",
        "The service did not tell all the amounts of the link. An unknown amount is never counted as zero.",
        "Nothing is known to be wrong. The amounts are checked as soon as they are told.",
        "Every sum can be checked.",
    ),
}

# Above and below the rows


def empty(kind: DiscrepancyKind, acknowledged: int) -> str:
    """Say that no discrepancy of a kind is open; `acknowledged` are those that still hold."""
    if acknowledged:
        was = "was" if acknowledged == 1 else "were"
        return f"Nothing new. {acknowledged:,} {was} ticked off and {_is(acknowledged)} still so."
    return KINDS[kind].empty


def waiting(first: int, again: int) -> str:
    """Say how many paid links wait for their first settlement check, and how many for another after an unclear one."""
    sentences = []
    if first:
        sentences.append(f"{first:,} paid {_links(first)} {_wait(first)} for the first look at the source.")
    if again:
        shown = "the last one showed not all of their challans"
        sentences.append(f"{again:,} paid {_links(again)} {_wait(again)} for another look, as {shown}.")
    return " ".join(sentences)


def unverified(links: int) -> str:
    """Say how many paid links nobody verified; "" for none."""
    return f"{links:,} paid {_links(links)} not yet verified with the department" if links else ""


def being_verified(links: int) -> str:
    """Say how many paid links are being verified; "" for none."""
    return f"{links:,} paid {_links(links)} being verified now; this goes on by itself." if links else ""


def verification_asked(links: int) -> str:
    """Say what the button that verifies all has begun."""
    if not links:
        return "There is no paid link to verify."
    return f"{links:,} paid {_links(links)} will be verified with the department, one vehicle after the other."


def unchecked(links: int) -> str:
    return f"{links:,} {_links(links)} could not be checked, as an amount is unknown."


# Settlement

NO_LONGER_LISTED = "no longer listed"
NO_STATUS = "(no status)"
NO_VEHICLE = "The vehicle of this link is not known, so that the source cannot be asked."
CHECKED = "The source was asked just now. What it shows stands here."


def failed_check(at: datetime, why: str) -> str:
    return f"The try of {format_moment(at)} came to nothing. {why}"


def other_link(made_at: datetime) -> str:
    return f"the link of {format_moment(made_at)}"


# Acknowledging

CHANGED = "Nothing was ticked off: this has changed since, or a colleague was first. What is known of it stands here."


def note_refused(shortest: int, longest: int) -> str:
    return f"Write a note of {shortest} to {longest} characters: what you know, or what was done."


# Facts


def sentences(kind: DiscrepancyKind, facts: Facts) -> tuple[str, ...]:
    """Write the facts of a discrepancy in sentences."""
    return tuple(_SENTENCES[kind](facts))


def _unsettled(facts: Facts) -> Iterator[str]:
    if facts.get("given_up"):
        yield "The planned looks are over."


def _sums(facts: Facts) -> Iterator[str]:
    for each in facts.get("parts", ()):
        way = f" by {each['mode']}" if each["mode"] else ""
        yield f"The parts{way} come to {_amount(each['parts'])}, the total is {_amount(each['total'])}."
    if differ := facts.get("fines"):
        fines, link = _amount(differ["challans"]), _amount(differ["link"])
        yield f"The fines of its challans come to {fines}, the link says {link}."
    if differ := facts.get("totals"):
        totals, link = _amount(differ["challans"]), _amount(differ["link"])
        yield f"Its challans come to {totals}, the link to {link}, and neither GST nor fee makes the difference."


def _unchecked(facts: Facts) -> Iterator[str]:
    count = facts["sums"]
    yield f"{count} sum{'s' if count != 1 else ''} could not be checked, as an amount is unknown."


def _elsewhere(_facts: Facts) -> Iterator[str]:
    yield "A search showed it on the vehicle's challans."


def _challans(facts: Facts) -> Iterator[str]:
    yield f"It covers {facts['covered']} of the {facts['asked']} asked for."
    for name, label in (("missing", "Missing"), ("strays", "Not asked for")):
        if count := facts[f"{name}_count"]:
            yield f"{label}: {name_first(facts[name], count)}."


def _late(facts: Facts) -> Iterator[str]:
    if late := facts.get("after_end"):
        yield f"Paid {_moment(late['paid_at'])}, after its end at {_moment(late['ended_at'])}."
    if late := facts.get("was_ended"):
        yield f"It had been seen {late['state']}, and was seen PAID at {_moment(late['at'])}."
    if late := facts.get("unsaid"):
        yield f"It was PAID, and was seen {late['state']} at {_moment(late['at'])}."
        if late["now"] != "PAID":
            yield "Whether the money went back, the service does not tell."


def _duplicate(facts: Facts) -> Iterator[str]:
    count = facts["challans"]
    yield f"{count} of its challans {_is(count)} on another link as well."


_SENTENCES: Mapping[DiscrepancyKind, Callable[[Facts], Iterator[str]]] = {
    DiscrepancyKind.UNSETTLED: _unsettled,
    DiscrepancyKind.SUMS: _sums,
    DiscrepancyKind.UNCHECKED: _unchecked,
    DiscrepancyKind.CHALLANS: _challans,
    DiscrepancyKind.LATE: _late,
    DiscrepancyKind.DUPLICATE: _duplicate,
    DiscrepancyKind.ELSEWHERE: _elsewhere,
}


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _links(count: int) -> str:
    return "link" if count == 1 else "links"


def _wait(count: int) -> str:
    return "waits" if count == 1 else "wait"


def _amount(digits: str) -> str:
    return cast(str, current_app.jinja_env.filters["amount"](Decimal(digits)))


def _moment(text: str) -> str:
    return format_moment(datetime.fromisoformat(text))


# Statements

LAST_MONTH, THIS_MONTH, LAST_WEEK = "Last month", "This month", "Last week"
ENTER_BOTH_DAYS = "Enter both days, such as 2026-11-01 and 2026-11-30. Last month is shown."
LAST_BEFORE_FIRST = "The last day is before the first. Last month is shown."

OPENING, CLOSING = "Open at the start", "Open at the end"
MADE, PAID, LAPSED, LAPSED_UNPAID = "Made", "Paid", "Lapsed", "Lapsed without payment"
RECORDED_LATER = "Paid before they were first met"
RECORDED_LATER_MORE = "Paid here counts them too; they were first met afterwards."
PAID_UNTIMED = "PAID without a time"
PAID_UNTIMED_MORE = "The service has not told when; counted on the day they were first seen PAID."
PAID_BEFORE = "Paid before they were met"
PAID_BEFORE_MORE = "Met in the period, and paid before it was met: never open here."
BY_VEHICLE, VEHICLE, UNKNOWN_VEHICLE = "By vehicle", "Vehicle", "Not known"
BY_COST_CENTRE, COST_CENTRE, NO_COST_CENTRE = "By cost centre", "Cost centre", "None"

# Exports of statements

EXPORT_SHEET = "Statement"
EXPORT_DAYS, EXPORT_OF, EXPORT_NAME = "Days", "Of", "Vehicle or cost centre"
EXPORT_ALL, EXPORT_VEHICLE, EXPORT_COST_CENTRE = "all links", "vehicle", "cost centre"
EXPORT_NO_VEHICLE, EXPORT_NO_COST_CENTRE = "(not known)", "(none)"
#: The fields of a statement's movement, in the order of the columns.
EXPORT_PARTS = {
    "opening": OPENING,
    "made": MADE,
    "paid": PAID,
    "paid_untimed": PAID_UNTIMED,
    "lapsed": LAPSED,
    "recorded_later": "Met only after they were paid",
    "paid_before": PAID_BEFORE,
    "closing": CLOSING,
}


def export_made_at(zone: tzinfo) -> str:
    return f"By what was known at ({zone})"


def export_part(part: str, currency: str) -> list[str]:
    """Return the heads of the three columns of a part."""
    return [f"{part}: links", f"{part} ({currency})", f"{part}: amount not known yet"]
