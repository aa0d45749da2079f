"""Conclude what became of an intent whose outcome is unclear (link-creation.md, step 7).

Pure rules over the evidence. Any outcome but NOTHING_YET needs the status answer of every link that holds a challan,
because a search shows neither a link's expiry nor its set of challans.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from dashboard.domain.challans import Challan, EligibilityReason, eligibility_of
from dashboard.domain.links import PaymentLink, is_ended

#: Two spans are compared, each measured by one clock alone; the service's Date header has whole seconds.
_CLOCK_TOLERANCE = timedelta(seconds=3)
#: A link with another lifetime differs from ours by an hour at least. Half of it is tolerance for a correction of our
#: clock: taking our link for another's denies ours, which is worse than the opposite mistake.
_LIFETIME_TOLERANCE = timedelta(minutes=30)


class Outcome(StrEnum):
    """Name the outcome that the evidence proves for an intent."""

    RECOVERED = "recovered"  #: The link was created by this intent.
    ATTACHED = "attached"  #: Other links hold some of its challans.
    REJECTED = "rejected"  #: After a 409: one of its challans is not payable.
    NEGATIVE = "negative"  #: All its challans are payable and free.
    NOTHING_YET = "nothing_yet"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Hold an outcome with its links. `held` maps challan ids of the intent to the id of the link that holds each."""

    outcome: Outcome
    link_id: str | None = None
    held: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Attempt:
    """Hold the stored facts about an intent that an attempt to resolve it needs besides the service's answers.

    `since_send`: time since the send, by our clock.
    `service_now`: the present by the service's clock.
    `conflict`: the service answered the send with 409.
    `known_links`: links that the ledger knew before the send, or that belong to other intents.
    `released`: a manager has released its claims, so others may hold its challans by now.
    `absence_counts`: free challans prove that no link was created; False once such a link could have ended unobserved.
    `may_commit_late`: the service may still be about to create its link (A4).
    `observed_since`: links of no known intent, first observed after the send, that may have been created for these
    challans although the search shows another link on them by now, or none.
    `known_for`: time since the ledger first observed a link, where it knows the link. A link created elsewhere for more
    hours than ours would otherwise seem to be created later than it was observed.
    """

    challan_ids: frozenset[str]
    hours: int
    since_send: timedelta
    service_now: datetime
    conflict: bool
    known_links: frozenset[str]
    released: bool = False
    absence_counts: bool = True
    may_commit_late: bool = False
    observed_since: frozenset[str] = frozenset()
    known_for: Mapping[str, timedelta] = field(default_factory=dict)


def conclude(attempt: Attempt, listing: Sequence[Challan], links: Mapping[str, PaymentLink]) -> Conclusion:
    """Compare an intent with a fresh search and the status answers of the links on its challans.

    `links` maps link ids to status answers; a link that could not be read is absent.
    """
    listed = {item.id: item for item in listing if item.id in attempt.challan_ids}
    on_links = {key: item.link_id for key, item in listed.items() if key and item.link_id}
    candidates = dict.fromkeys([*on_links.values(), *sorted(attempt.observed_since)])
    if any(link_id not in links for link_id in candidates):
        return Conclusion(Outcome.NOTHING_YET)
    for link_id in candidates:
        if _is_ours(attempt, links[link_id]):
            return Conclusion(Outcome.RECOVERED, link_id, on_links)
    held = {key: link_id for key, link_id in on_links.items() if not is_ended(links[link_id].status)}
    if held and attempt.released:
        # The other links may have been created after ours had ended: only our link, or its absence, is proof.
        return Conclusion(Outcome.NOTHING_YET)
    if held and attempt.may_commit_late:
        # The other links exclude ours while they are live (A2), but one may end before ours is committed.
        return Conclusion(Outcome.NOTHING_YET)
    if held:
        return Conclusion(Outcome.ATTACHED, next(iter(held.values())), held)
    reasons = [eligibility_of(_without_link(item)).reason for item in listed.values()]
    if attempt.conflict and EligibilityReason.STATUS in reasons and not attempt.released:
        return Conclusion(Outcome.REJECTED)
    free = len(listed) == len(attempt.challan_ids) and all(why is EligibilityReason.PAYABLE for why in reasons)
    if free and attempt.absence_counts:
        return Conclusion(Outcome.NEGATIVE)
    return Conclusion(Outcome.NOTHING_YET)


def created_at(link: PaymentLink, hours: int) -> datetime | None:
    """Return when a link was created, by the service's clock: its expiry minus the requested hours."""
    return None if link.expires_at is None else link.expires_at - timedelta(hours=hours)


def _is_ours(attempt: Attempt, link: PaymentLink) -> bool:
    if link.id in attempt.known_links or {item.id for item in link.challans} != attempt.challan_ids:
        return False
    created = created_at(link, attempt.hours)
    if created is None:
        return True
    age = attempt.service_now - created
    youngest = attempt.known_for.get(link.id, timedelta()) - _LIFETIME_TOLERANCE
    return max(youngest, -_CLOCK_TOLERANCE) <= age <= attempt.since_send + _CLOCK_TOLERANCE


def _without_link(item: Challan) -> Challan:
    """Return the challan without its ended link; the rest decides whether it is payable."""
    if item.link_id is None:
        return item
    return Challan(id=item.id, challan_no=item.challan_no, status=item.status, prepaid=False, gaps=item.gaps)
