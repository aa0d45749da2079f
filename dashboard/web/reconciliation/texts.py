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
from dashboard.web.shared.texts import link_state, name_first


@dataclass(frozen=True, slots=True)
class KindTexts:
    """`meaning` is how a state of this kind is coloured; `matters` says why it matters, `empty` that there is none."""

    title: str
    meaning: str
    matters: str
    to_do: str
    empty: str


#: In the order of the page.
KINDS: Mapping[DiscrepancyKind, KindTexts] = {
    DiscrepancyKind.UNSETTLED: KindTexts(
        "Paid, but still pending",
        "waiting",
        "The link is paid, but the department still shows a challan as pending or to be assigned.",
        "The department can take days. Check now. If it stays pending, send the link to the service's support.",
        "No paid challan is showing as pending.",
    ),
    DiscrepancyKind.DUPLICATE: KindTexts(
        "Challans on two links",
        "wrong",
        "Another link has the same challans, so money may be paid twice.",
        "Make sure that only one is paid, or get one payment refunded. Then note here what was done.",
        "No two links have the same challans.",
    ),
    DiscrepancyKind.LATE: KindTexts(
        "Paid after expiry",
        "wrong",
        "Paid after the link had ended, or shown as paid first and as something else later. The fine may be paid "
        "twice, or not at all.",
        "Check whether the money arrived, and whether another link was paid for the same challans.",
        "No payment came after expiry, and no paid link changed its state.",
    ),
    DiscrepancyKind.SUMS: KindTexts(
        "Amount mismatch",
        "wrong",
        "The fees and fines of a link do not add up to its total.",
        "Compare the link with the payment before the amount is booked.",
        "All amounts match.",
    ),
    DiscrepancyKind.CHALLANS: KindTexts(
        "Challans do not match",
        "wrong",
        "The link pays for other challans than the ones requested.",
        "Open the link and compare. Create another link for the missing challans.",
        "Every link has exactly the challans requested.",
    ),
    DiscrepancyKind.ELSEWHERE: KindTexts(
        "Created outside this dashboard",
        "waiting",
        "Nobody here made the link, so nobody here may know that it can be paid.",
        "Find out who made it, and whether the driver has it. It is checked like other links.",
        "No link was created outside this dashboard.",
    ),
    DiscrepancyKind.UNCHECKED: KindTexts(
        "Amounts not known",
        "neutral",
        "The service did not send all the amounts of the link. An unknown amount is never counted as zero.",
        "Nothing is wrong so far. The amounts are checked as soon as the service sends them.",
        "All amounts are known.",
    ),
}

# Above and below the rows

NOTHING_TO_CHECK = "Nothing to check."


def to_check(count: int) -> str:
    """Say how many discrepancies wait for a manager."""
    return f"{count:,} {'thing' if count == 1 else 'things'} to check" if count else NOTHING_TO_CHECK


def clean(checks: int, of: int) -> str:
    """Say how many of the checks found nothing."""
    if checks == of:
        return f"All {of} checks are clean"
    return f"{checks} {'check is' if checks == 1 else 'checks are'} clean"


def links_of(count: int) -> str:
    return f"{count:,} {_links(count)}"


def empty(kind: DiscrepancyKind, acknowledged: int) -> str:
    """Say that no discrepancy of a kind is open; `acknowledged` are those that still hold."""
    if acknowledged:
        return f"Nothing new. {acknowledged:,} marked as checked still {_apply(acknowledged)}."
    return KINDS[kind].empty


def waiting(first: int, again: int) -> str:
    """Say how many paid links wait for their first settlement check, and how many for another after an unclear one."""
    sentences = []
    if first:
        sentences.append(f"{first:,} paid {_links(first)} not yet verified with the department.")
    if again:
        sentences.append(f"{again:,} paid {_links(again)} to verify again: the last check did not show all challans.")
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
    return f"{links:,} {_links(links)} could not be checked: an amount is not known."


# Settlement

NO_LONGER_LISTED = "no longer listed"
NO_STATUS = "(no status)"
NO_VEHICLE = "The vehicle of this link is not known, so its challans cannot be checked."
CHECKED = "Checked with the department just now. The result is shown here."


def failed_check(at: datetime, why: str) -> str:
    return f"The check at {format_moment(at)} did not succeed. {why}"


def other_link(made_at: datetime) -> str:
    return f"the link of {format_moment(made_at)}"


# Acknowledging

CHANGED = "Not marked: this changed meanwhile, or a colleague was first. The latest is shown here."


def note_refused(shortest: int, longest: int) -> str:
    return f"Write a note of {shortest} to {longest} characters: what you found, or what was done."


# Facts


def sentences(kind: DiscrepancyKind, facts: Facts) -> tuple[str, ...]:
    """Write the facts of a discrepancy in sentences."""
    return tuple(_SENTENCES[kind](facts))


def _unsettled(facts: Facts) -> Iterator[str]:
    if facts.get("given_up"):
        yield "The planned checks are over."


def _sums(facts: Facts) -> Iterator[str]:
    for each in facts.get("parts", ()):
        way = f" by {each['mode']}" if each["mode"] else ""
        yield f"The parts{way} add up to {_amount(each['parts'])}, the total is {_amount(each['total'])}."
    if differ := facts.get("fines"):
        fines, link = _amount(differ["challans"]), _amount(differ["link"])
        yield f"The fines of its challans add up to {fines}, the link says {link}."
    if differ := facts.get("totals"):
        totals, link = _amount(differ["challans"]), _amount(differ["link"])
        yield f"Its challans add up to {totals}, the link to {link}. GST and fees do not explain the difference."


def _unchecked(facts: Facts) -> Iterator[str]:
    count = facts["sums"]
    yield f"{count} sum{'s' if count != 1 else ''} could not be checked: an amount is not known."


def _elsewhere(_facts: Facts) -> Iterator[str]:
    yield "A search showed it on the vehicle's challans."


def _challans(facts: Facts) -> Iterator[str]:
    yield f"It has {facts['covered']} of the {facts['asked']} challans requested."
    for name, label in (("missing", "Missing"), ("strays", "Not requested")):
        if count := facts[f"{name}_count"]:
            yield f"{label}: {name_first(facts[name], count)}."


def _late(facts: Facts) -> Iterator[str]:
    if late := facts.get("after_end"):
        yield f"Paid {_moment(late['paid_at'])}, after its end at {_moment(late['ended_at'])}."
    if late := facts.get("was_ended"):
        yield f"Shown as {_shown(late['state'])} first, then as Paid at {_moment(late['at'])}."
    if late := facts.get("unsaid"):
        yield f"Shown as Paid first, then as {_shown(late['state'])} at {_moment(late['at'])}."
        if late["now"] != "PAID":
            yield "The service does not say whether the money was refunded."


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


def _apply(count: int) -> str:
    return "applies" if count == 1 else "apply"


def _amount(digits: str) -> str:
    return cast(str, current_app.jinja_env.filters["amount"](Decimal(digits)))


def _shown(status: str) -> str:
    return link_state(status).shown


def _moment(text: str) -> str:
    return format_moment(datetime.fromisoformat(text))


# Statements

LAST_MONTH, THIS_MONTH, LAST_WEEK = "Last month", "This month", "Last week"
ENTER_BOTH_DAYS = "Enter both days, such as 2026-11-01 and 2026-11-30. Last month is shown."
LAST_BEFORE_FIRST = "The last day is before the first. Last month is shown."

OPENING, CLOSING = "Open at the start", "Open at the end"
MADE, PAID, LAPSED, LAPSED_UNPAID = "Made", "Paid", "Lapsed", "Lapsed without payment"
RECORDED_LATER = "Paid before we found them"
RECORDED_LATER_MORE = "Counted under Paid too; we found these links after the period."
PAID_UNTIMED = "Paid, time not known"
PAID_UNTIMED_MORE = "The service has not said when; counted on the day the payment was first shown."
PAID_BEFORE = "Found already paid"
PAID_BEFORE_MORE = "Found in the period and paid before that, so never open here."
BY_VEHICLE, VEHICLE, UNKNOWN_VEHICLE = "By vehicle", "Vehicle", "Not known"
ALL_VEHICLES, ALL_COST_CENTRES = "All vehicles", "All cost centres"
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
    "recorded_later": "Found only after they were paid",
    "paid_before": PAID_BEFORE,
    "closing": CLOSING,
}


def export_made_at(zone: tzinfo) -> str:
    return f"By what was known at ({zone})"


def export_part(part: str, currency: str) -> list[str]:
    """Return the heads of the three columns of a part."""
    return [f"{part}: links", f"{part} ({currency})", f"{part}: amount not known yet"]
