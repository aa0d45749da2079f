"""Say how old what is known of a link is, and why: its last check failed, is late, or is stopped."""

from __future__ import annotations

from datetime import timedelta

from flask import url_for
from flask_login import current_user

from dashboard.domain.links import is_paid
from dashboard.domain.roles import Role
from dashboard.errors import NotFound, Operation
from dashboard.services.operations.blocks import ORGANIZATION, SECRET, ActiveBlock
from dashboard.store.links.records import Link
from dashboard.web.links import texts
from dashboard.web.shared.current import current_services, format_moment
from dashboard.web.shared.texts import failure_since

#: A poll that is overdue by this much is late; the watcher may be busy for less.
LATE = timedelta(minutes=1)


def is_not_found(row: Link) -> bool:
    """Tell whether the newest check was answered: the service does not know the link."""
    return row.is_unknown and row.failure == NotFound.__name__


def stopped(row: Link) -> ActiveBlock | None:
    """Return the refusal of the key that lets nobody check a link now; None where another check is of no use either."""
    if is_not_found(row) or row.next_check_at is None or (is_paid(row.status) and row.paid_at):
        return None
    block = current_services().call_policy.refusal(Operation.GET_PAYMENT_LINK)
    return block if block is not None and block.scope in (SECRET, ORGANIZATION) else None


def for_admin(block: ActiveBlock) -> str:
    """Write down for an administrator that checks are stopped; "" for one, who reads what to do about it."""
    if current_user.role is Role.ADMIN:
        return ""
    return f"{texts.key_refused(block.since)}\n{url_for('operations.index', _external=True)}"


def trouble(row: Link, stopped: ActiveBlock | None) -> str | None:
    """Say why what is shown may be old, unless the page says so of the whole link."""
    if is_not_found(row):
        return None
    if stopped is not None and not row.failure:
        return texts.CHECKS_STOPPED_AT.format(at=format_moment(row.checked_at)) if row.checked_at else None
    if not row.failure:
        return _late(row)
    shown_from = format_moment(row.checked_at) if row.checked_at else None
    return texts.CHECKED_AGAIN.format(trouble=failure_since(row.failure or "", shown_from))


def _late(row: Link) -> str | None:
    """Say that a poll is late, which nothing else would show; of a paid link nobody waits for one."""
    services = current_services()
    if is_paid(row.status) or row.next_check_at is None or row.checked_at is None:
        return None
    if not is_overdue(row):
        return None
    is_held_back = services.call_policy.room(Operation.GET_PAYMENT_LINK) is not None
    text = texts.CHECKS_HELD_BACK if is_held_back else texts.CHECKS_STOPPED
    return text.format(at=format_moment(row.checked_at))


def is_overdue(row: Link) -> bool:
    due = row.next_check_at
    return due is not None and current_services().clock() - due >= LATE
