"""Count what waits at the places of the menu, for every page and for every answer to a form."""

from __future__ import annotations

from flask import Flask, render_template
from flask_login import current_user
from sqlalchemy import Connection

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.store.reconciliation import discrepancies
from dashboard.store.sharing import follow_ups
from dashboard.web.shared.current import current_services
from dashboard.web.shared.places import menu_places


def init_menu(app: Flask) -> None:
    app.jinja_env.globals.update(menu_places=menu_places, waiting_counts=waiting_counts)


def waiting_counts() -> dict[str, int]:
    """Return how much waits, by place of the menu, at the places that the signed-in person may open."""
    store = current_services().store
    # By the minute, so that the result can be cached until anybody commits.
    at = current_services().clock().replace(second=0, microsecond=0)
    counts = {}
    if current_user.may_open("sharing.follow_up"):
        counts["follow_up"] = store.cached_read(
            ("links to follow up", at), lambda connection: follow_ups.counts(connection, at).waiting
        )
    if current_user.may_open("reconciliation.index"):
        counts["reconcile"] = store.cached_read("open discrepancies", _open_discrepancies)
    return counts


def render_counts() -> str:
    """Render the counts to go along with a region, so that the menu stays true without a page."""
    return render_template("shared/_menu_counts.html", counts=waiting_counts()) if current_user.is_authenticated else ""


def _open_discrepancies(connection: Connection) -> int:
    """Count the open discrepancies as their page does: what nobody could check yet is none."""
    counts = discrepancies.count_open(connection)
    return sum(count for kind, count in counts.items() if kind != DiscrepancyKind.UNCHECKED)
