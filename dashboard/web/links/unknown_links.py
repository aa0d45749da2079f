"""Build what the page of a link that the service no longer knows offers: the release of its challans by a manager."""

from __future__ import annotations

from flask import url_for
from flask_login import current_user
from sqlalchemy import Connection

from dashboard.domain.money import add_up
from dashboard.domain.registration import spaced
from dashboard.services.vehicles import eligibility
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.web.links import texts, unknown_link_texts
from dashboard.web.links.payment import for_support
from dashboard.web.links.records import UnknownLink
from dashboard.web.shared import saved_forms
from dashboard.web.shared.current import current_services, format_amount, format_moment, names

ENDPOINT = "links.release"
#: What the service's support is asked before a release, in English as they read it.
_STILL_EXISTS = "does this link still exist?"


def offer(connection: Connection, row: Link) -> UnknownLink | None:
    """Offer the release of a link that the service no longer knows, or say who released it; None for any other."""
    releasable = row.is_unknown and current_services().unknown_link_releaser.is_releasable(connection, row)
    if not releasable and row.released_at is None:
        return None
    released = ""
    if row.released_at is not None:
        by = names().get(row.released_by, texts.A_COLLEAGUE)
        released = unknown_link_texts.released_by(by, format_moment(row.released_at), row.release_reason or "")
    return UnknownLink(
        released,
        releasable,
        releasable and current_user.may_open(ENDPOINT),
        is_free=bool(released and row.is_unknown and _free(connection, row)),
        for_manager=_for_manager(row) if releasable else "",
        support=for_support(row, _STILL_EXISTS) if releasable else "",
    )


def advice(connection: Connection, row: Link) -> tuple[str, str]:
    """Say what to do about a link that the service no longer knows, and why; two empty texts for any other."""
    if not row.is_unknown:
        return "", ""
    if row.released_at is not None:
        return _free(connection, row) or str(unknown_link_texts.DO_NOT_SEND), str(unknown_link_texts.RELEASED)
    if current_services().unknown_link_releaser.is_releasable(connection, row):
        is_own = current_user.may_open(ENDPOINT)
        words = unknown_link_texts.TO_RELEASE if is_own else unknown_link_texts.TO_BE_RELEASED
    elif row.expires_at is not None and row.expires_at > current_services().clock():
        words = unknown_link_texts.UNTIL_ITS_END
    else:
        words = unknown_link_texts.CHECKED_DAILY
    return str(unknown_link_texts.DO_NOT_SEND), str(words)


def _for_manager(row: Link) -> str:
    """Write down what a manager needs in order to release the challans."""
    amount = format_amount(row.total) if row.total is not None else ""
    about = " · ".join(filter(None, (spaced(row.rc) if row.rc else "", amount)))
    address = url_for("links.show", link_id=row.id, _external=True)
    return "\n".join((unknown_link_texts.please_release(about), address))


def _free(connection: Connection, row: Link) -> str:
    """Say which of the released challans can go on a new link now; "" when none can."""
    covered = {item.challan_id for item in links.challans_of(connection, row.id)}
    listed = (item for item in eligibility.of_vehicle(connection, row.rc or "") if item.selectable)
    free = [item.challan.total_amount for item in listed if item.challan.id in covered]
    return texts.free_again(len(free), len(covered), add_up(free)) if free else ""


@saved_forms.resumes(ENDPOINT, waits=True)
def _page_of_link(form: SavedForm) -> str:
    """Show the reason in the form on the link's page again."""
    return url_for("links.show", link_id=form.view_args["link_id"])


def saved_reason(link_id: str) -> str:
    """Return the reason that was typed before the session expired, or ""."""
    form = saved_forms.waiting(ENDPOINT)
    return form.first("reason") or "" if form is not None and form.view_args["link_id"] == link_id else ""
