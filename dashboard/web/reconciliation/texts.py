"""Define the sentences of reconciliation: the kinds of discrepancy, their facts, and the statement."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import cast

from flask import current_app

from dashboard.domain.discrepancies import DiscrepancyKind, Facts
from dashboard.web.shared.current import format_moment, format_near_day
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext
from dashboard.web.shared.texts import link_state, name_first


@dataclass(frozen=True, slots=True)
class KindTexts:
    """`meaning` is how a state of this kind is coloured; `matters` says why it matters.

    `empty` says that there is none. `notes` are those with which most are marked as checked, ready to be taken or
    changed.
    """

    title: str
    meaning: str
    matters: str
    to_do: str
    empty: str
    notes: tuple[str, ...]
    to_do_with_several: str = ""  # where `to_do` speaks of the one link


@dataclass(frozen=True, slots=True)
class ComparedSum:
    """Compare what amounts of a link add up to with what the link says of them."""

    label: str
    added: Decimal
    stated: Decimal

    @property
    def difference(self) -> Decimal:
        return self.stated - self.added


#: In the order of the page: what may cost money first.
KINDS: Mapping[DiscrepancyKind, KindTexts] = {
    DiscrepancyKind.DUPLICATE: KindTexts(
        lazy("Challans on two links"),
        "wrong",
        lazy("Another link has the same challans, so money may be paid twice."),
        lazy("Only one may be paid: tell the driver not to pay the other. Both paid? Ask the service’s support."),
        lazy("No two links have the same challans."),
        (lazy("Only one of them is being paid."), lazy("A refund of one was asked for.")),
    ),
    DiscrepancyKind.LATE: KindTexts(
        lazy("Paid after expiry"),
        "wrong",
        lazy(
            "Paid after the link had ended, or shown as paid first and as something else later. The "
            "fine may be paid twice, or not at all."
        ),
        lazy("Check whether the money arrived, and whether another link was paid for the same challans."),
        lazy("No payment came after expiry, and no paid link changed its state."),
        (lazy("The money has arrived."), lazy("A refund was asked for.")),
    ),
    DiscrepancyKind.SUMS: KindTexts(
        lazy("Amount mismatch"),
        "wrong",
        lazy("The fees and fines of a link do not add up to its total."),
        lazy("Find out which amount is right before it is booked."),
        lazy("All amounts match."),
        (lazy("Compared with the payment."), lazy("Asked the service’s support.")),
    ),
    DiscrepancyKind.CHALLANS: KindTexts(
        lazy("Challans do not match"),
        "wrong",
        lazy("The link pays for other challans than the ones requested."),
        lazy("Do not send the link yet: ask the service’s support why its challans differ."),
        lazy("Every link has exactly the challans requested."),
        (lazy("Another link was created for the missing challans."), lazy("Asked the service’s support.")),
    ),
    DiscrepancyKind.UNSETTLED: KindTexts(
        lazy("Paid, but still pending"),
        "waiting",
        lazy(
            "The link is paid, but the department still shows a challan as pending or to be assigned. It can take days."
        ),
        lazy("Verify again in a few days. Still pending? Ask the service’s support."),
        lazy("No paid challan is showing as pending."),
        (lazy("Asked the service’s support."), lazy("The department shows it as paid now.")),
    ),
    DiscrepancyKind.ELSEWHERE: KindTexts(
        lazy("Created outside this dashboard"),
        "waiting",
        lazy("A search found it. Who created it is not known here, nor whether a driver has it."),
        lazy("Find out who created it and for whom."),
        lazy("No link was created outside this dashboard."),
        (lazy("Known: the driver has it."), lazy("Known who created it."), lazy("Not ours.")),
        lazy("Find out who created them and for whom."),
    ),
    DiscrepancyKind.UNCHECKED: KindTexts(
        lazy("Amounts not known"),
        "neutral",
        lazy("The service did not send all the amounts of the link. An unknown amount is never counted as zero."),
        lazy("The amounts are checked as soon as the service sends them."),
        lazy("All amounts are known."),
        (lazy("Asked the service’s support."),),
    ),
}

#: Several of these kinds may be marked as checked with one note; challans on two links need one each.
WITH_ONE_NOTE = frozenset(KINDS) - {DiscrepancyKind.DUPLICATE}

# Above and below the rows

NOTHING_TO_CHECK = lazy("Nothing to check.")


def to_check(count: int, links: int) -> str:
    """Say how many discrepancies wait for a manager, and on how many links where one has several."""
    if not count:
        return str(NOTHING_TO_CHECK)
    things = ngettext("%(count)s thing to check", "%(count)s things to check", count, count=f"{count:,}")
    return things if links == count else _("%(things)s on %(links)s", things=things, links=links_of(links))


def clean(checks: int, of: int) -> str:
    """Say how many of the checks found nothing."""
    if checks == of:
        return _("All %(of)s checks are clean", of=of)
    return ngettext("%(num)s of %(of)s checks found nothing", "%(num)s of %(of)s checks found nothing", checks, of=of)


def waits(kind: KindTexts) -> str:
    return _("%(title)s: not verified yet.", title=kind.title)


def links_of(count: int) -> str:
    return ngettext("%(count)s link", "%(count)s links", count, count=f"{count:,}")


def empty(kind: DiscrepancyKind, acknowledged: int) -> str:
    """Say that no discrepancy of a kind is open; `acknowledged` are those that still hold."""
    if acknowledged:
        return ngettext(
            "Nothing new. %(count)s marked as checked still applies.",
            "Nothing new. %(count)s marked as checked still apply.",
            acknowledged,
            count=f"{acknowledged:,}",
        )
    return str(KINDS[kind].empty)


def waiting(first: int, again: int) -> str:
    """Say how many paid links wait for their first settlement check, and how many for another after an unclear one."""
    sentences = []
    if first:
        sentences.append(
            ngettext(
                "%(count)s paid link not yet verified with the department.",
                "%(count)s paid links not yet verified with the department.",
                first,
                count=f"{first:,}",
            )
        )
    if again:
        sentences.append(
            ngettext(
                "%(count)s paid link to verify again: the last search did not show all challans.",
                "%(count)s paid links to verify again: the last search did not show all challans.",
                again,
                count=f"{again:,}",
            )
        )
    return " ".join(sentences)


def unchecked(links: int) -> str:
    return ngettext(
        "%(count)s link could not be checked: an amount is not known.",
        "%(count)s links could not be checked: an amount is not known.",
        links,
        count=f"{links:,}",
    )


# Settlement


def pending_after(until: datetime, now: datetime) -> str:
    """Say from when on support is asked about what is still pending, here and on the page of the link."""
    if now >= until:
        return _("Verify again. Still pending? Ask the service’s support.")
    when = format_near_day(until).replace(" ", "\N{NO-BREAK SPACE}")
    return _(
        "The department can take days. Still pending after %(when)s? Verify again, and ask the service’s support.",
        when=when,
    )


NO_LONGER_LISTED = lazy("no longer listed")
NO_STATUS = lazy("(no status)")
NO_VEHICLE = lazy("The vehicle of this link is not known, so its challans cannot be verified.")
CHECKED = lazy("Verified with the department just now. The result is shown here.")


def failed_check(at: datetime, why: str) -> str:
    return _("Not verified at %(moment)s. %(why)s", moment=format_moment(at), why=why)


def other_link(made_at: datetime) -> str:
    return _("Link of %(moment)s", moment=format_moment(made_at))


# Facts


def sentences(kind: DiscrepancyKind, facts: Facts) -> tuple[str, ...]:
    """Write the facts of a discrepancy in sentences."""
    return tuple(_SENTENCES[kind](facts))


def in_words(kind: DiscrepancyKind, facts: Facts) -> tuple[str, ...]:
    """Write the facts of a discrepancy in sentences; of amounts, which stand beside them, what matters most."""
    return (_difference(facts),) if kind is DiscrepancyKind.SUMS else sentences(kind, facts)


def _difference(facts: Facts) -> str:
    """Say the amounts of a link that differ in what matters most: in what is paid, then in what that is for."""
    if differ := facts.get("totals"):
        amounts = _apart(differ["challans"], differ["link"])
        if Decimal(differ["link"]) < Decimal(differ["challans"]):
            return _(
                "The link asks %(difference)s too little: %(stated)s for challans of %(added)s, fees included.",
                **amounts,
            )
        return _(
            "The link asks %(difference)s too much: %(stated)s for challans of %(added)s, fees included.", **amounts
        )
    if differ := facts.get("fines"):
        return _(
            "Fines do not match: link %(stated)s, challans %(added)s (%(difference)s apart).",
            **_apart(differ["challans"], differ["link"]),
        )
    first = facts["parts"][0]
    return _(
        "The total does not match: link %(stated)s, its fine and fees %(added)s (%(difference)s apart).",
        **_apart(first["parts"], first["total"]),
    )


def differs(of_links: Sequence[Facts]) -> str:
    """Say how much less or more links ask for than their challans come to; "" where that is not the matter of each."""
    totals = [facts.get("totals") for facts in of_links]
    apart = [Decimal(each["link"]) - Decimal(each["challans"]) for each in totals if each]
    if not apart or len(apart) < len(totals) or min(apart) < 0 < max(apart):
        return ""
    amount = _amount(str(abs(sum(apart))))
    return (
        _("%(amount)s less than the challans", amount=amount)
        if apart[0] < 0
        else _("%(amount)s more than the challans", amount=amount)
    )


def _apart(added: str, stated: str) -> dict[str, str]:
    """Write two amounts and the difference between them."""
    difference = abs(Decimal(stated) - Decimal(added))
    return {"added": _amount(added), "stated": _amount(stated), "difference": _amount(str(difference))}


def compared_sums(facts: Facts) -> tuple[ComparedSum, ...]:
    """Compare the amounts of a link that do not add up."""
    return tuple(_compared(facts))


def _compared(facts: Facts) -> Iterator[ComparedSum]:
    for each in facts.get("parts", ()):
        mode = each["mode"]
        label = _("Fine and fees by %(mode)s", mode=mode) if mode else _("Fine and fees")
        yield ComparedSum(label, Decimal(each["parts"]), Decimal(each["total"]))
    for name, label in (("fines", _("Fines of the challans")), ("totals", _("Totals of the challans"))):
        if differ := facts.get(name):
            yield ComparedSum(label, Decimal(differ["challans"]), Decimal(differ["link"]))


def _unsettled(facts: Facts) -> Iterator[str]:
    if facts.get("given_up"):
        yield _("It is no longer verified by itself.")


def _sums(facts: Facts) -> Iterator[str]:
    for each in facts.get("parts", ()):
        parts, total, mode = _amount(each["parts"]), _amount(each["total"]), each["mode"]
        if mode:
            yield _(
                "The parts by %(mode)s add up to %(parts)s, the total is %(total)s.",
                mode=mode,
                parts=parts,
                total=total,
            )
        else:
            yield _("The parts add up to %(parts)s, the total is %(total)s.", parts=parts, total=total)
    if differ := facts.get("fines"):
        fines, link = _amount(differ["challans"]), _amount(differ["link"])
        yield _("The fines of its challans add up to %(fines)s, the link says %(link)s.", fines=fines, link=link)
    if differ := facts.get("totals"):
        totals, link = _amount(differ["challans"]), _amount(differ["link"])
        yield _(
            "Its challans add up to %(totals)s, the link to %(link)s. GST and fees do not explain the difference.",
            totals=totals,
            link=link,
        )


def _unchecked(facts: Facts) -> Iterator[str]:
    count = facts["sums"]
    yield ngettext(
        "%(num)s sum could not be checked: an amount is not known.",
        "%(num)s sums could not be checked: an amount is not known.",
        count,
    )


def _elsewhere(_facts: Facts) -> Iterator[str]:
    yield _("A search showed it on the vehicle’s challans.")


def _challans(facts: Facts) -> Iterator[str]:
    yield _("It has %(covered)s of the %(asked)s challans requested.", covered=facts["covered"], asked=facts["asked"])
    if count := facts["missing_count"]:
        yield _("Missing: %(names)s.", names=name_first(facts["missing"], count))
    if count := facts["strays_count"]:
        yield _("Not requested: %(names)s.", names=name_first(facts["strays"], count))


def _late(facts: Facts) -> Iterator[str]:
    if late := facts.get("after_end"):
        yield _(
            "Paid %(moment)s, after its end at %(end)s.",
            moment=_moment(late["paid_at"]),
            end=_moment(late["ended_at"]),
        )
    if late := facts.get("was_ended"):
        yield _("It showed %(shown)s before.", shown=_shown(late["state"]))
    if late := facts.get("unsaid"):
        yield _(
            "It showed Paid until %(moment)s, then %(shown)s.",
            shown=_shown(late["state"]),
            moment=_moment(late["at"]),
        )
        if late["now"] != "PAID":
            yield _("The service does not say whether the money was refunded.")


def _duplicate(facts: Facts) -> Iterator[str]:
    count = facts["challans"]
    yield ngettext(
        "%(num)s of its challans is on another link as well.",
        "%(num)s of its challans are on another link as well.",
        count,
    )


_SENTENCES: Mapping[DiscrepancyKind, Callable[[Facts], Iterator[str]]] = {
    DiscrepancyKind.UNSETTLED: _unsettled,
    DiscrepancyKind.SUMS: _sums,
    DiscrepancyKind.UNCHECKED: _unchecked,
    DiscrepancyKind.CHALLANS: _challans,
    DiscrepancyKind.LATE: _late,
    DiscrepancyKind.DUPLICATE: _duplicate,
    DiscrepancyKind.ELSEWHERE: _elsewhere,
}


def _amount(digits: str) -> str:
    return cast(str, current_app.jinja_env.filters["amount"](Decimal(digits)))


def _shown(status: str) -> str:
    return link_state(status).shown


def _moment(text: str) -> str:
    return format_moment(datetime.fromisoformat(text))
