"""What the service shows of a vehicle at one moment: a search at the source, and each link on it by its status."""

from __future__ import annotations

import logging
from collections.abc import Container, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from dashboard.domain.challans import SearchResult
from dashboard.domain.links import PaymentLink, is_ended
from dashboard.errors import Operation, ServiceError
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.schedule import Clock
from dashboard.upstream import ServiceClient

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look saw. `answers` has the links that could be read, each with the moment it was asked for; `unread`
    why the others could not; `also` are those asked for though the search need not show them.
    """

    started: datetime
    searched: datetime
    result: SearchResult
    answers: dict[str, tuple[datetime, PaymentLink]]
    unread: dict[str, ServiceError]
    also: frozenset[str] = frozenset()

    @property
    def links(self) -> dict[str, PaymentLink]:
        return {link_id: answer for link_id, (_, answer) in self.answers.items()}

    def on_links(self, challan_ids: Container[str]) -> dict[str, str]:
        """Those challans that the search shows on a link not seen ended, even if its status was not read."""
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
        """Why a link that may be on one of these challans could not be read, if there is one."""
        shown = [item.link_id for item in self.result.challans if item.id in challan_ids]
        return next((self.unread[link_id] for link_id in [*shown, *self.also] if link_id in self.unread), None)


@dataclass(frozen=True)
class EvidenceGatherer:
    client: ServiceClient
    call_policy: CallPolicy
    clock: Clock

    def ask(self, rc: str, also: Iterable[str] = ()) -> Seen:
        """Search at the source, and read every link on the vehicle and `also` these; an unreadable one is left out.

        Raises ServiceError when the search itself fails.
        """
        started = self.clock()
        search = partial(self.client.search_challans, rc, bypass_cache=True, on_retry=self._spend_more)
        result = self.call_policy.call(Operation.SEARCH_CHALLANS, search, resolving=True)
        searched = self.clock()
        answers: dict[str, tuple[datetime, PaymentLink]] = {}
        unread: dict[str, ServiceError] = {}
        shown = [item.link_id for item in result.challans if item.link_id]
        for link_id in dict.fromkeys([*shown, *also]):
            asked = self.clock()
            try:
                ask = partial(self.client.get_payment_link, link_id)
                answers[link_id] = asked, self.call_policy.call(Operation.GET_PAYMENT_LINK, ask, resolving=True)
            except ServiceError as error:
                log.info("a link found by a look could not be read: %s", error, extra={"link_id": link_id})
                unread[link_id] = error
        return Seen(started, searched, result, answers, unread, frozenset(also))

    def _spend_more(self, *_: object) -> None:
        self.call_policy.allowances.spend_more(Operation.SEARCH_CHALLANS)
