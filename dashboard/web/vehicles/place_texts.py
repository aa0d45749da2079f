"""Name the pages that a person may go to, as the menu and their headings do."""

from __future__ import annotations

from dashboard.web.shared.languages import lazy

GO_TO = lazy("Go to")

#: The places of the menu, in its order: name, endpoint, words.
MENU = (
    ("search", "home.index", lazy("Search")),
    ("links", "links.index", lazy("Links")),
    ("follow_up", "sharing.follow_up", lazy("Follow up")),
    ("fleet", "fleet.index", lazy("Fleet")),
    ("reconcile", "reconciliation.index", lazy("Reconcile")),
    ("drivers", "sharing.drivers", lazy("Drivers")),
    ("messages", "sharing.messages", lazy("Messages")),
    ("overview", "overview.index", lazy("Overview")),
    ("people", "accounts.people", lazy("People")),
)
#: Pages that are a step away from the menu.
MORE = (
    ("known", "vehicles.known", lazy("Known vehicles")),
    ("statement", "reconciliation.statement", lazy("Statement")),
    ("drivers_file", "sharing.drivers_file", lazy("Import drivers")),
    ("account", "accounts.account", lazy("My account")),
    ("audit", "accounts.audit", lazy("Audit log")),
    ("service", "operations.index", lazy("Service status")),
)
