"""Who may reach what: the one place where it is written down. Whatever is not named here needs a signed-in person."""

from __future__ import annotations

#: Reachable without signing in.
OPEN = frozenset({"static", "accounts.sign_in", "operations.healthz", "operations.readyz"})

#: For machines: reachable with the bearer token as well, and a program is not sent to sign in.
TOKEN = frozenset({"operations.metrics"})

#: The least role for an endpoint, or for a whole blueprint; everything else is for staff.
ROLES: dict[str, str] = {
    "creation.release": "manager",
    "links.acknowledge_duplicates": "manager",
    "links.export": "manager",
    "links.export_csv": "manager",
    "links.export_xlsx": "manager",
    "operations.index": "admin",
    "operations.metrics": "admin",
    "operations.try_again": "admin",
    "overview": "manager",
    "reconciliation": "manager",
    "sharing.messages": "manager",
    "sharing.reset_message": "manager",
    "sharing.save_message": "manager",
}

#: Asked for by a page, or a machine, again and again: such a request is not use, and keeps no session alive.
POLLS = TOKEN | {
    "home.banner",
    "home.panel",
    "home.recent_links",
    "home.paid_notifications",
    "links.panel",
    "links.rows",
    "links.payment",
    "links.timeline",
    "creation.request_panel",
    "vehicles.search_progress",
    "vehicles.panel",
}

#: Not pages: nobody is sent there after signing in.
NOT_PAGES = POLLS | OPEN | {"accounts.sign_out"}


def least_role(endpoint: str) -> str:
    return ROLES.get(endpoint) or ROLES.get(endpoint.partition(".")[0], "staff")
