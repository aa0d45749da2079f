"""Name the pages that a person may go to: the menu, its keys and the find box are made from these lists."""

from __future__ import annotations

from dataclasses import dataclass, replace

from flask import url_for
from flask_login import current_user

from dashboard.web.shared.languages import lazy


@dataclass(frozen=True, slots=True)
class Place:
    """Name a page: `name` is what its templates say they are, `keys` lead there, `endpoint` is its route.

    `leads`: it stands in the menu itself on a phone too, and not in More. `part` is where on the page it leads.
    `presses` selects what does it in the header of every page, which needs scripts; `needs` is the route that somebody
    must be allowed to open, where that is another one.
    """

    name: str
    endpoint: str
    words: str
    icon: str = ""
    keys: str = ""
    leads: bool = False
    part: str | None = None
    presses: str = ""
    needs: str = ""

    @property
    def address(self) -> str:
        return url_for(self.endpoint, _anchor=self.part)


#: The places of the menu, in its order.
MENU = (
    Place("search", "home.index", lazy("Search"), "search", "g h", leads=True),
    Place("links", "links.index", lazy("Links"), "link", "g l", leads=True),
    Place("follow_up", "sharing.follow_up", lazy("Follow up"), "bell", "g f", leads=True),
    Place("fleet", "fleet.index", lazy("Fleet"), "truck", "g v", leads=True),
    Place("reconcile", "reconciliation.index", lazy("Reconcile"), "list", "g r"),
    Place("drivers", "sharing.drivers", lazy("Drivers"), "wheel", "g d"),
    Place("messages", "sharing.messages", lazy("Messages"), "chat", "g m"),
    Place("overview", "overview.index", lazy("Overview"), "chart", "g o"),
    Place("people", "accounts.people", lazy("People"), "people", "g p"),
)
#: The page of the person, which every header has.
ACCOUNT = Place("account", "accounts.account", lazy("My account"), "person")
#: Pages that are a step away from the menu.
MORE = (
    Place("known", "vehicles.known", lazy("Known vehicles")),
    Place("choose_drivers", "sharing.choose_drivers", lazy("Links with no driver")),
    Place("statement", "reconciliation.statement", lazy("Statement")),
    Place("drivers_file", "sharing.drivers_file", lazy("Import drivers")),
    ACCOUNT,
    Place("audit", "accounts.audit", lazy("Audit log")),
    Place("service", "operations.index", lazy("Service status")),
)
#: What can be begun from every page.
ACTIONS = (
    Place("search_many", "fleet.index", lazy("Search many vehicles"), part="numbers"),
    Place("add_driver", "sharing.drivers", lazy("Add a driver"), part="name"),
    Place("export_links", "links.index", lazy("Export payment links"), part="export", needs="links.export"),
    Place("keys", "accounts.account", lazy("Keyboard shortcuts"), "", "?", presses="[data-shows-keys]"),
    Place("sign_out", "accounts.account", lazy("Sign out"), part="sign-out", presses="[data-ends-session] button"),
)


def may_open(places: tuple[Place, ...]) -> list[Place]:
    """Return those of these places that the signed-in person may open."""
    return [place for place in places if current_user.may_open(place.needs or place.endpoint)]


def menu_places() -> list[Place]:
    """Return the places of the signed-in person's menu; one that would be alone in More stands beside the others."""
    places = may_open(MENU)
    in_more = [place for place in places if not place.leads]
    return [replace(place, leads=True) for place in places] if len(in_more) == 1 else places
