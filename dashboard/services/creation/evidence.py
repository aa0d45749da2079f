"""Gather the evidence about an unclear outcome, and conclude from it (link-creation.md, step 7)."""

from __future__ import annotations

import logging
from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from dashboard.domain import outcomes
from dashboard.domain.challans import Challan, SearchResult
from dashboard.domain.intents import UNCLEAR
from dashboard.domain.links import PaymentLink, is_ended
from dashboard.domain.outcomes import Attempt, Conclusion
from dashboard.errors import NotFound, Operation, ServiceError
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.schedule import Clock, Schedule
from dashboard.services.steady_clock import certainly_passed, elapsed
from dashboard.store.creation import intents, releases
from dashboard.store.creation.intents import Intent
from dashboard.store.engine import Store
from dashboard.store.links import due_links, links
from dashboard.store.links.records import Asked
from dashboard.upstream import ServiceClient

log = logging.getLogger(__name__)

#: How many unknown links on other challans an attempt reads; each takes up to a status call's deadline of its lease.
_MOST_NEW = 3


@dataclass(frozen=True, slots=True)
class Evidence:
    """Hold a search with `bypassCache` and the status of each link on it. Moments are aware UTC, by our clock.

    `started` and `searched` are when the search began and ended. `answers` holds the links that could be read, each
    with the moment at which it was asked for; `unread` the errors of the others. `also` are links that were polled
    whether or not the search shows them.
    """

    started: datetime
    searched: datetime
    result: SearchResult
    answers: dict[str, tuple[Asked, PaymentLink]]
    unread: dict[str, ServiceError]
    also: frozenset[str] = frozenset()

    @property
    def links(self) -> dict[str, PaymentLink]:
        return {link_id: answer for link_id, (_, answer) in self.answers.items()}

    def on_links(self, challan_ids: Container[str]) -> dict[str, str]:
        """Map those challans that are on a link to its id, unless the link has ended; its status may be unread."""
        held = {}
        for item in self.result.challans:
            if item.id is None or item.link_id is None or item.id not in challan_ids:
                continue
            answer = self.links.get(item.link_id)
            status = answer.status if answer else item.payment_link.status if item.payment_link else None
            if not is_ended(status):
                held[item.id] = item.link_id
        return held

    def why_unread(self, challan_ids: Container[str]) -> ServiceError | None:
        """Return why a link that may be on one of these challans could not be read; None when all were read."""
        shown = [item.link_id for item in self.result.challans if item.id in challan_ids]
        return next((self.unread[link_id] for link_id in [*shown, *self.also] if link_id in self.unread), None)


def would_have_ended(intent: Intent, at: datetime) -> bool:
    """Return whether the link of an intent, if it was created, may have ended by a moment: absence is no proof then."""
    return intent.send_started is not None and at - intent.send_started >= timedelta(hours=intent.hours)


@dataclass(frozen=True)
class EvidenceGatherer:
    """Gather evidence from the service, and conclude from it and from the ledger."""

    store: Store
    client: ServiceClient
    call_policy: CallPolicy
    clock: Clock
    schedule: Schedule

    def gather(self, rc: str, challan_ids: Container[str], also: Iterable[str] = ()) -> Evidence:
        """Search at the source, and read the links on these challans and those in `also`; leave out unreadable ones.

        Of the vehicle's other links it reads a few that the ledger does not know; the watcher polls the rest.

        Raises ServiceError when the search itself fails.
        """
        started = self.clock()
        search = partial(self.client.search_challans, rc, bypass_cache=True, on_retry=self._spend_more)
        result = self.call_policy.call(Operation.SEARCH_CHALLANS, search, resolving=True)
        searched = self.clock()
        answers: dict[str, tuple[Asked, PaymentLink]] = {}
        unread: dict[str, ServiceError] = {}
        shown = [item.link_id for item in result.challans if item.link_id and item.id in challan_ids]
        others = [item.link_id for item in result.challans if item.link_id and item.id not in challan_ids]
        with self.store.read() as connection:
            known = links.find_all(connection, others)
        new = [link_id for link_id in dict.fromkeys(others) if link_id not in known]
        for link_id in dict.fromkeys([*shown, *also, *new[:_MOST_NEW]]):
            with self.store.write() as connection:
                asked = due_links.begin_poll(connection, link_id, self.clock())
            try:
                ask = partial(self.client.get_payment_link, link_id)
                answers[link_id] = asked, self.call_policy.call(Operation.GET_PAYMENT_LINK, ask, resolving=True)
            except ServiceError as error:
                log.info("a link in the evidence could not be read: %s", error, extra={"link_id": link_id})
                unread[link_id] = error
        return Evidence(started, searched, result, answers, unread, frozenset(also))

    def conclude(self, intent: Intent, evidence: Evidence) -> Conclusion:
        """Conclude what the evidence proves about an intent that was sent, or is about to be."""
        attempt = self._attempt(intent, evidence)
        return outcomes.conclude(attempt, self._listing(evidence), evidence.links)

    def _listing(self, evidence: Evidence) -> list[Challan]:
        """Return the challans of the search, without the ended links whose claims a manager has released.

        The service answers 404 for such a link, so that it cannot be read, although a search may still show it.
        """
        not_found = [link_id for link_id, error in evidence.unread.items() if isinstance(error, NotFound)]
        with self.store.read() as connection:
            released = {row.id for row in links.find_all(connection, not_found).values() if row.released_at}
        listing = []
        for item in evidence.result.challans:
            is_over = item.payment_link is not None and is_ended(item.payment_link.status)
            if item.link_id in released and is_over:
                listing.append(replace(item, payment_link_id=None, payment_link=None, prepaid=False))
            else:
                listing.append(item)
        return listing

    def _attempt(self, intent: Intent, evidence: Evidence) -> Attempt:
        sent = intent.send_started or evidence.started
        with self.store.read() as connection:
            known = links.not_created_by(connection, intent.rc, sent, intent.id)
            first_observed = links.first_observed(connection, intent.rc, sent)
            # Read after the search: the claims may have been released while this attempt was under way, and what the
            # search shows may belong to another intent.
            now = intents.find(connection, intent.id)
            released_at = now.released_at if now else None
            later = released_at is not None and releases.sent_since(
                connection, intent.challan_ids, released_at, intent.id
            )
        return Attempt(
            challan_ids=frozenset(intent.challan_ids),
            hours=intent.hours,
            since_send=elapsed(self.clock, sent, evidence.searched),
            service_now=evidence.result.service_time or evidence.searched,
            conflict=intent.http_status == 409,
            known_links=known,
            released=released_at is not None,
            # Its own link may have ended by now, or, after a release, before another intent was sent; then it may be
            # shown no more.
            absence_counts=not later and not would_have_ended(intent, evidence.searched),
            may_commit_late=self._may_commit_late(intent, evidence),
            observed_since=evidence.also,
            known_for={link_id: elapsed(self.clock, at, evidence.searched) for link_id, at in first_observed.items()},
        )

    def _may_commit_late(self, intent: Intent, evidence: Evidence) -> bool:
        # A 409 is an answer; without one the service may commit the link for as long as A4 allows.
        if intent.state not in UNCLEAR or intent.http_status == 409:
            return False
        assert intent.send_ended is not None
        return certainly_passed(self.clock, intent.send_ended, evidence.started) < self.schedule.commit_window

    def _spend_more(self, *_: object) -> None:
        self.call_policy.allowances.spend_more(Operation.SEARCH_CHALLANS)
