"""Ask the service what costs no allowance, to find out about the API secret itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from dashboard.domain.links import PaymentLink
from dashboard.errors import AllowanceSpent, NotFound, SecretRejected, ServiceError
from dashboard.store.creation import organization
from dashboard.store.engine import Store
from dashboard.store.links import links
from dashboard.store.operations import call_blocks
from dashboard.store.operations.call_blocks import CallBlock
from dashboard.upstream import ServiceClient

#: The row of the secret that the service last granted a call; it blocks nothing.
GRANTED = "granted"
#: How many links have to be unknown to a secret before it is taken for another organization's.
_LINKS = 3


@dataclass(frozen=True)
class KeyProbe:
    store: Store
    client: ServiceClient

    def record_granted(self, blocks: Mapping[str, CallBlock], fingerprint: str, at: datetime) -> None:
        """Store the secret of a granted call, once. One that has changed is stored where no link could try it."""
        granted = blocks.get(GRANTED)
        if granted is None or (granted.fingerprint != fingerprint and not self._known_links()):
            self.save_granted(fingerprint, at)

    def save_granted(self, fingerprint: str, at: datetime) -> None:
        """Store the secret that is in use since a moment."""
        with self.store.write() as connection:
            call_blocks.find_locked(connection, GRANTED)
            call_blocks.save(connection, CallBlock(GRANTED, since=at, fingerprint=fingerprint))

    def granted_since(self, fingerprint: str) -> datetime | None:
        """Return since when a secret has been granted calls; None when that was not recorded, or it never was."""
        granted = self.store.cached_read("call blocks", call_blocks.read_all).get(GRANTED)
        return granted.since if granted is not None and granted.fingerprint == fingerprint else None

    def knows_our_links(self, ask: Callable[[Callable[[], PaymentLink]], PaymentLink]) -> bool | None:
        """Return whether the service shows one of our links; None when there is none to ask for.

        `ask` makes a status call. Raises ServiceError when there is no answer.
        """
        known = self._known_links()
        for link_id in known:
            try:
                answer = ask(lambda link_id=link_id: self.client.get_payment_link(link_id))  # type: ignore[misc]  # mypy infers no type of a lambda with a default.
            except NotFound:
                continue
            with self.store.read() as connection:
                ours = organization.find(connection)
            return answer.organization is None or ours is None or answer.organization.id == ours.id
        return False if known else None

    def is_refused(self) -> bool:
        """Return whether the service refuses or throttles the secret, by the list of cities (section 4.1)."""
        try:
            self.client.list_locations()
        except ServiceError as error:
            return isinstance(error, (AllowanceSpent, SecretRejected))
        return False

    def _known_links(self) -> list[str]:
        with self.store.read() as connection:
            return links.answered(connection, _LINKS)
