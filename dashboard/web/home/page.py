"""What the first page tells of what happened while its reader was away, and what the browser tells of."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from dashboard.domain.registration import spaced
from dashboard.store.home import change_token as change_tokens
from dashboard.store.home import paid_notifications
from dashboard.store.home.paid_notifications import Paid
from dashboard.web.home.records import AttentionItem, HomePanel, PaidCard, PaidNotices, PaidSince
from dashboard.web.links.records import LinkCard
from dashboard.web.shared.current import current_services, person_id
from dashboard.web.shared.fingerprints import fingerprint

_MOST = 12
_TITLE = "Search · Challan Dashboard"
#: What waits for a person changes with time alone, too: a link ends soon. And on PostgreSQL an entry may be committed
#: after one with a higher number. So often everything is looked at in any case.
_ANEW_SECONDS = 60


def home_panel(attention: Sequence[AttentionItem], cards: Sequence[LinkCard]) -> HomePanel:
    """The live region of the first page around what waits for a person; `cards` are the recent links beside it."""
    token = change_token()  # Taken before anything is read, so that a later change makes the next poll read again.
    with current_services().store.read() as connection:
        paid = paid_notifications.unseen(connection, person_id(), _MOST)
    since = _paid_since(paid)
    links_mark = fingerprint(cards)
    mark = fingerprint((since, tuple((item.words, item.address, item.action, item.meaning) for item in attention)))
    return HomePanel(
        paid=since,
        attention=tuple(attention),
        poll_seconds=poll_seconds(),
        seen=f"{mark}.{token}",
        title=_counted("Challan Dashboard", paid.count) if paid.count else _TITLE,
        links_mark=links_mark,
    )


def change_token() -> str:
    """Return the change token of the first page: a page drawn at the same token is up to date."""
    services = current_services()
    with services.store.read() as connection:
        token = change_tokens.change_token(connection, person_id())
    return fingerprint((token, int(services.clock().timestamp() // _ANEW_SECONDS)))


def poll_seconds() -> int:
    return max(1, round(current_services().schedule.poll.total_seconds()))


def wants_notice() -> bool:
    """Whether the signed-in person wants the browser to tell when a link of theirs is paid."""
    with current_services().store.read() as connection:
        return paid_notifications.wants_notice(connection, person_id())


def paid_notices(after: datetime) -> PaidNotices:
    """The links of the signed-in person that were paid after a moment, and were not seen."""
    with current_services().store.read() as connection:
        known = paid_notifications.unseen(connection, person_id(), _MOST)
    fresh = [card for card in _paid_since(known).cards if card.seen_at > after]
    newest = max([card.seen_at for card in fresh], default=after)
    return PaidNotices(tuple(fresh), known.count, newest.isoformat(), poll_seconds())


def _paid_since(paid: Paid) -> PaidSince:
    cards = tuple(
        PaidCard(row.id, spaced(row.rc) if row.rc else None, row.total, row.status_since, row.paid_at)
        for row in paid.rows
    )
    return PaidSince(cards, paid.count, cards[0].seen_at.isoformat() if cards else "")


def _counted(title: str, count: int) -> str:
    return f"({count} paid) {title}"
