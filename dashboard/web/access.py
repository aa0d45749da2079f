"""Who may reach what: the one place where it is written down. Whatever is not named here needs a signed-in person."""

from __future__ import annotations

#: Reachable without signing in.
OPEN = frozenset({"static", "auth.sign_in", "health.healthz", "health.readyz"})

#: For machines: reachable with the bearer token as well, and a program is not sent to sign in.
TOKEN = frozenset({"health.metrics"})

#: The least role for an endpoint, or for a whole blueprint; everything else is for staff.
ROLES: dict[str, str] = {
    "links.double_seen": "manager",
    "people": "admin",
    "audit": "admin",
    "service": "admin",
    "exports": "manager",
    "overview": "manager",
    "messages": "manager",
    "reconcile": "manager",
    "health.metrics": "admin",
    "requests.set_aside": "manager",
}

#: Asked for by a page, or a machine, again and again: such a request is not use, and keeps no session alive.
POLLS = TOKEN | {
    "home.banner",
    "home.panel",
    "home.recent_links",
    "home.paid_news",
    "links.panel",
    "links.rows",
    "links.payment",
    "links.timeline",
    "requests.panel",
    "search.wait",
    "vehicles.panel",
}

#: Not pages: nobody is sent there after signing in.
NOT_PAGES = POLLS | OPEN | {"auth.sign_out"}


def least_role(endpoint: str) -> str:
    return ROLES.get(endpoint) or ROLES.get(endpoint.partition(".")[0], "staff")
