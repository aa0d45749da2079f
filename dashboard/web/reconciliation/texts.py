"""The words for what was found of links: what each kind means, what to do about it, and what the facts of one say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, cast

from flask import current_app

from dashboard.domain.discrepancies import DiscrepancyKind, Facts
from dashboard.web.shared.current import format_moment


@dataclass(frozen=True, slots=True)
class KindWords:
    title: str
    meaning: str
    to_do: str
    empty: str


#: In the order of the page.
KINDS: Mapping[DiscrepancyKind, KindWords] = {
    DiscrepancyKind.UNSETTLED: KindWords(
        "Paid, and the fine is still listed",
        "The link is PAID, and a look at the source after it still lists a challan as PENDING or TO_BE_ASSIGNED.",
        "A source can take days. Look now, or ask the service's support with the link when the looks are over.",
        "No look at the source shows a paid challan still open.",
    ),
    DiscrepancyKind.DOUBLE: KindWords(
        "Challans on two links",
        "Another link holds the same challans, so that money may be paid twice.",
        "See to it that only one is paid, or have one payment given back. Then say here what was done.",
        "No links were found that hold the same challans at once.",
    ),
    DiscrepancyKind.LATE: KindWords(
        "Late money",
        "Paid after the link had ended, or PAID first and something else afterwards.",
        "Check whether the money arrived, and whether another link was paid for the same challans.",
        "No payment was found that came late, and no link that was PAID and is not any more.",
    ),
    DiscrepancyKind.SUMS: KindWords(
        "Sums that do not add up",
        "The parts of a link do not come to its total, or its challans do not come to the link.",
        "Compare the link with the payment before the amount is booked.",
        "All sums that can be checked add up.",
    ),
    DiscrepancyKind.CHALLANS: KindWords(
        "Other challans than asked",
        "The link covers other challans than its request asked for.",
        "Open the link and compare. What is missing can be put on another link.",
        "Every link that could be read covers just what was asked for.",
    ),
    DiscrepancyKind.ELSEWHERE: KindWords(
        "Made elsewhere",
        "A search showed the link on a vehicle's challans; nobody made it here.",
        "Find out who made it, and whether its driver has it. It is followed like the rest.",
        "No link was found that was made elsewhere.",
    ),
    DiscrepancyKind.UNCHECKED: KindWords(
        "Sums that cannot be checked",
        "The service did not tell all the amounts of the link. An unknown amount is never counted as zero.",
        "Nothing is known to be wrong. The amounts are checked as soon as they are told.",
        "Every sum can be checked.",
    ),
}


def empty(kind: DiscrepancyKind, ticked: int) -> str:
    """What is said when nobody has to look at anything of a kind; what was ticked off may still be so."""
    if ticked:
        return f"Nothing new. {ticked:,} {'was' if ticked == 1 else 'were'} ticked off and {_is(ticked)} still so."
    return KINDS[kind].empty


def waiting(first: int, again: int) -> str:
    """How many paid links wait for the first look at the source, and how many for another as the last was unclear."""
    said = []
    if first:
        said.append(f"{first:,} paid {_links(first)} {_wait(first)} for the first look at the source.")
    if again:
        shown = "the last one showed not all of their challans"
        said.append(f"{again:,} paid {_links(again)} {_wait(again)} for another look, as {shown}.")
    return " ".join(said)


def said(kind: DiscrepancyKind, facts: Facts) -> tuple[str, ...]:
    """What was found of a link, in sentences."""
    return tuple(_SAID[kind](facts))


def _unsettled(facts: Facts) -> Iterator[str]:
    if facts.get("given_up"):
        yield "The planned looks are over."


def _sums(facts: Facts) -> Iterator[str]:
    for each in facts.get("parts", ()):
        way = f" by {each['mode']}" if each["mode"] else ""
        yield f"The parts{way} come to {_amount(each['parts'])}, the total is {_amount(each['total'])}."
    if found := facts.get("fines"):
        fines, link = _amount(found["challans"]), _amount(found["link"])
        yield f"The fines of its challans come to {fines}, the link says {link}."
    if found := facts.get("totals"):
        totals, link = _amount(found["challans"]), _amount(found["link"])
        yield f"Its challans come to {totals}, the link to {link}, and neither GST nor fee makes the difference."


def _unchecked(facts: Facts) -> Iterator[str]:
    count = facts["sums"]
    yield f"{count} sum{'s' if count != 1 else ''} could not be checked, as an amount is unknown."


def _elsewhere(_facts: Facts) -> Iterator[str]:
    yield "A search showed it on the vehicle's challans."


def _challans(facts: Facts) -> Iterator[str]:
    yield f"It covers {facts['covered']} of the {facts['asked']} asked for."
    for name, words in (("missing", "Missing"), ("strays", "Not asked for")):
        if count := facts[f"{name}_count"]:
            yield f"{words}: {_listed(facts[name], count)}."


def _late(facts: Facts) -> Iterator[str]:
    if found := facts.get("after_end"):
        yield f"Paid {_moment(found['paid_at'])}, after its end at {_moment(found['ended_at'])}."
    if found := facts.get("was_ended"):
        yield f"It had been seen {found['state']}, and was seen PAID at {_moment(found['at'])}."
    if found := facts.get("unsaid"):
        yield f"It was PAID, and was seen {found['state']} at {_moment(found['at'])}."
        if found["now"] != "PAID":
            yield "Whether the money went back, the service does not tell."


def _double(facts: Facts) -> Iterator[str]:
    count = facts["challans"]
    yield f"{count} of its challans {_is(count)} on another link as well."


_SAID: Mapping[DiscrepancyKind, Callable[[Facts], Iterator[str]]] = {
    DiscrepancyKind.UNSETTLED: _unsettled,
    DiscrepancyKind.SUMS: _sums,
    DiscrepancyKind.UNCHECKED: _unchecked,
    DiscrepancyKind.CHALLANS: _challans,
    DiscrepancyKind.LATE: _late,
    DiscrepancyKind.DOUBLE: _double,
    DiscrepancyKind.ELSEWHERE: _elsewhere,
}


def _listed(names: Sequence[str], count: int) -> str:
    more = count - len(names)
    return ", ".join(names) + (f" and {more} more" if more > 0 else "")


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _links(count: int) -> str:
    return "link" if count == 1 else "links"


def _wait(count: int) -> str:
    return "waits" if count == 1 else "wait"


def _amount(digits: Any) -> str:
    return cast(str, current_app.jinja_env.filters["amount"](Decimal(digits)))


def _moment(text: str) -> str:
    return format_moment(datetime.fromisoformat(text))
