"""Tell how many messages send what nobody was given, for the first page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from dashboard.store.sharing import follow_ups
from dashboard.web.links.list_page import PAGE_SIZE
from dashboard.web.shared.current import current_services
from dashboard.web.sharing.follow_up_page import items_of
from dashboard.web.sharing.follow_up_records import sent_together
from dashboard.web.sharing.reminder_address import queue_address, queue_of

#: Of links that nobody was given every share counts, so that the address is the same for as long as they are.
_EVER = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class UnsentMessages:
    """Count the messages that send what nobody was given, and the links in them; `without_driver` are in none.

    `address` is where the messages are sent one by one; "" where there are none.
    """

    count: int
    links: int
    without_driver: tuple[str, ...]
    address: str


def unsent_messages() -> UnsentMessages:
    """Return the messages for the links that wait and that nobody was given; as in the queue, of its first page."""
    services = current_services()
    with services.store.read() as connection:
        waiting = follow_ups.waiting(connection, services.clock(), None, PAGE_SIZE)
    unsent = [row for row in items_of([link.id for link in waiting]) if not row.shared_at and not row.copied_at]
    messages = [entry for entry in sent_together(unsent) if entry.first.whatsapp]
    link_ids = [link_id for entry in messages for link_id in entry.link_ids]
    return UnsentMessages(
        count=len(messages),
        links=len(link_ids),
        without_driver=tuple(row.link_id for row in unsent if not row.driver),
        address=queue_address(queue_of(link_ids, _EVER)) if messages else "",
    )
