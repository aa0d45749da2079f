"""Share payment links: refuse those that must not be shared, and record each share.

A link that can no longer be paid, or whose payment URL is not trusted, is never offered for sharing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto

from dashboard.domain.links import has_run_out, is_live
from dashboard.domain.payment_urls import UrlProblem, problem_of
from dashboard.domain.sharing import Channel
from dashboard.services.accounts import audit
from dashboard.services.accounts.audit import Origin
from dashboard.services.links.duplicates import has_paid_duplicate
from dashboard.services.links.polling import LinkPoller
from dashboard.services.schedule import Clock
from dashboard.store.engine import NotStored, Store
from dashboard.store.links import history, links
from dashboard.store.links.records import Link
from dashboard.store.links.tables import COPIED
from dashboard.store.sharing import drivers, shares

#: Before a link is shared, a check that is older than this is repeated.
MAX_CHECK_AGE = timedelta(seconds=5)
#: The message and the QR code may be used this long after a check. The live panel of the page repeats the check.
PREPARED_FOR = timedelta(minutes=1)
#: The same person copying the same link again within this time is recorded once.
_SAME_COPY = timedelta(minutes=1)


class ShareProblem(Enum):
    """List the reasons why a link must not be shared."""

    NOT_LIVE = auto()
    RUN_OUT = auto()  # its end has passed, and the service has not reported a new status since
    NO_PAYMENT_URL = auto()
    PAID_BY_DUPLICATE = auto()


class NotShareable(Exception):
    """Report that a link must not be shared."""

    def __init__(self, problem: ShareProblem | UrlProblem, link: Link) -> None:
        super().__init__(f"{link.id}: {problem.name}")
        self.problem = problem
        self.link = link


@dataclass(frozen=True)
class Sharing:
    """`payment_page_base` is the address under which payment pages must be, where that is configured."""

    store: Store
    link_poller: LinkPoller
    clock: Clock
    payment_page_base: str | None

    def prepare(self, link_id: str) -> None:
        """Check a link with the service, unless that was done just now, and require that it may be shared.

        Raises NotStored when the ledger does not know the link, NotShareable, and ServiceError.
        """
        link = self._find(link_id)
        if link.checked_at is None or self.clock() - link.checked_at > MAX_CHECK_AGE:
            self.link_poller.require_fresh(link_id)
            link = self._find(link_id)
        self.require_shareable(link)

    def require_shareable(self, link: Link) -> None:
        """Raise NotShareable unless the stored link may be shared."""
        if not is_live(link.status):
            raise NotShareable(ShareProblem.NOT_LIVE, link)
        if has_run_out(link.expires_at, link.service_clock_offset, self.clock()):
            raise NotShareable(ShareProblem.RUN_OUT, link)
        if not link.payment_url:
            raise NotShareable(ShareProblem.NO_PAYMENT_URL, link)
        if problem := problem_of(link.payment_url, self.payment_page_base):
            raise NotShareable(problem, link)
        with self.store.read() as connection:
            if has_paid_duplicate(connection, link.id):
                raise NotShareable(ShareProblem.PAID_BY_DUPLICATE, link)

    def is_prepared(self, link: Link) -> bool:
        """Return whether a link was checked recently enough to be shared."""
        return link.checked_at is not None and self.clock() - link.checked_at <= PREPARED_FOR

    def was_just_shared(self, link_id: str, channel: Channel, person_id: int, driver_id: int) -> bool:
        """Return whether this very share is recorded already: a second tap is not a second reminder."""
        with self.store.read() as connection:
            last = shares.newest_of_links(connection, [link_id]).get(link_id)
        if last is None or self.clock() - last.at > PREPARED_FOR:
            return False
        return (last.channel, last.person_id, last.driver_id) == (channel, person_id, driver_id)

    def record_share(
        self, link_id: str, channel: Channel, person_id: int, driver_id: int | None, language: str
    ) -> None:
        """Record a share of a link, with a driver or without a named recipient; the language becomes the driver's."""
        with self.store.write() as connection:
            if driver_id is not None and drivers.find(connection, driver_id) is None:
                driver_id = None
            shares.add(
                connection,
                link_id=link_id,
                driver_id=driver_id,
                channel=channel,
                language=language,
                person_id=person_id,
                at=self.clock(),
            )
            if driver_id is not None:
                drivers.set_language(connection, driver_id, language)

    def record_copy(self, link_id: str, person_id: int, origin: Origin) -> None:
        """Record who copied a payment URL, in the link's history and in the audit log.

        Raises NotStored when the ledger does not know the link.
        """
        now = self.clock()
        since = now - _SAME_COPY
        with self.store.write() as connection:
            if not history.record_once(connection, link_id, COPIED, now, not_since=since, person_id=person_id):
                return
            audit.record(connection, "copy", now, origin, person_id=person_id, subject=link_id)

    def _find(self, link_id: str) -> Link:
        with self.store.read() as connection:
            link = links.find(connection, link_id)
        if link is None:
            raise NotStored(link_id)
        return link
