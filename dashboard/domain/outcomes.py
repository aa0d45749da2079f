"""What a search may conclude about a request whose outcome is not known (link-creation.md, step 7).

Pure rules over what was seen. A verdict other than "nothing yet" needs every link that holds a challan to have been
read by its status, since a search shows neither a link's expiry nor its set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from dashboard.domain.challans import Challan, EligibilityReason, eligibility_of
from dashboard.domain.links import PaymentLink, is_ended

#: Spans are compared, each measured by one clock alone; the service's Date header tells whole seconds.
_CLOCK_TOLERANCE = timedelta(seconds=3)
#: Another lifetime is at least an hour longer than ours. Half of it is left to a clock of ours that was put right: to
#: take a link for another's may deny ours, which is worse than the opposite.
_LIFETIME_TOLERANCE = timedelta(minutes=30)


class Finding(StrEnum):
    RECOVERED = "recovered"
    ATTACHED = "attached"
    REJECTED = "rejected"
    NEGATIVE = "negative"
    NOTHING_YET = "nothing_yet"


@dataclass(frozen=True, slots=True)
class Verdict:
    """`held` maps the challans of the request that a link holds to that link's id."""

    finding: Finding
    link_id: str | None = None
    held: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """A request whose outcome is to be found out. `conflict`: the service answered it with 409.

    `since_send` is how long ago it was sent, by our clock; `service_now` the present by the service's. `let_go`: a
    manager has set it aside, so that others may hold its challans by now. `absence_shows`: free challans tell that it
    made no link; they do not once such a link could have ended unseen. `may_come_late`: the service may still be about
    to make its link. `met` are links of no known request, met since the send, that may have been made for these
    challans although the search shows another one there by now, or none. `known_for` is how long ago our ledger first
    met a link, for those it knows: one made elsewhere for more hours than ours counts as made later than it was met.
    """

    challan_ids: frozenset[str]
    hours: int
    since_send: timedelta
    service_now: datetime
    conflict: bool
    known_links: frozenset[str]  # those the ledger knew before the send, or knows to be another request's
    let_go: bool = False
    absence_shows: bool = True
    may_come_late: bool = False
    met: frozenset[str] = frozenset()
    known_for: Mapping[str, timedelta] = field(default_factory=dict)


def judge(question: Question, listing: Sequence[Challan], links: Mapping[str, PaymentLink]) -> Verdict:
    """Compare what was asked with what a fresh search and the status of every link on it showed.

    `links` holds the answers by link id; a link that could not be read is absent.
    """
    listed = {item.id: item for item in listing if item.id in question.challan_ids}
    on_links = {key: item.link_id for key, item in listed.items() if key and item.link_id}
    candidates = dict.fromkeys([*on_links.values(), *sorted(question.met)])
    if any(link_id not in links for link_id in candidates):
        return Verdict(Finding.NOTHING_YET)
    for link_id in candidates:
        if _is_ours(question, links[link_id]):
            return Verdict(Finding.RECOVERED, link_id, on_links)
    held = {key: link_id for key, link_id in on_links.items() if not is_ended(links[link_id].status)}
    if held and question.let_go:
        # Theirs may have come after ours had ended: only finding ours, or its absence, tells what became of it.
        return Verdict(Finding.NOTHING_YET)
    if held and question.may_come_late:
        # They rule ours out while they live; one that ends before ours is committed does not.
        return Verdict(Finding.NOTHING_YET)
    if held:
        return Verdict(Finding.ATTACHED, next(iter(held.values())), held)
    reasons = [eligibility_of(_freed(item)).reason for item in listed.values()]
    if question.conflict and EligibilityReason.STATUS in reasons and not question.let_go:
        return Verdict(Finding.REJECTED)
    free = len(listed) == len(question.challan_ids) and all(why is EligibilityReason.PAYABLE for why in reasons)
    if free and question.absence_shows:
        return Verdict(Finding.NEGATIVE)
    return Verdict(Finding.NOTHING_YET)


def made_at(link: PaymentLink, hours: int) -> datetime | None:
    """When a link was created, by the service's clock: its expiry minus the hours that were asked for."""
    return None if link.expires_at is None else link.expires_at - timedelta(hours=hours)


def _is_ours(question: Question, link: PaymentLink) -> bool:
    if link.id in question.known_links or {item.id for item in link.challans} != question.challan_ids:
        return False
    made = made_at(link, question.hours)
    if made is None:
        return True
    age = question.service_now - made
    youngest = question.known_for.get(link.id, timedelta()) - _LIFETIME_TOLERANCE
    return max(youngest, -_CLOCK_TOLERANCE) <= age <= question.since_send + _CLOCK_TOLERANCE


def _freed(item: Challan) -> Challan:
    """The challan without its ended link: what is left decides whether it is payable."""
    if item.link_id is None:
        return item
    return Challan(id=item.id, challan_no=item.challan_no, status=item.status, prepaid=False, gaps=item.gaps)
