"""Define the texts of error pages by status: what happened, and why or what to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.domain.roles import Role
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy
from dashboard.web.shared.texts import join_words, role_name


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the dashboard: its place in the menu, its first page and its name."""

    place: str
    endpoint: str
    name: str


BY_STATUS = {
    400: (
        lazy("This request was not complete"),
        lazy("Nothing was done. Go back, check what you entered, and send it again."),
    ),
    404: (
        lazy("Page not found"),
        lazy("The address may be mistyped, or what it showed no longer exists."),
    ),
    405: (
        lazy("This address cannot be opened directly"),
        lazy("It only takes what a form sends. Nothing was done."),
    ),
    413: (lazy("This is too large"), lazy("Nothing was done with it. Send less at once, or a smaller file.")),
    415: (
        lazy("This file or request cannot be read"),
        lazy("Nothing was done. It came in a form that is not taken here."),
    ),
    429: (lazy("Too many requests"), lazy("Nothing was done this time. Wait a minute, then try again.")),
    500: (lazy("Something went wrong here"), lazy("This is a fault of the dashboard. What was saved before is kept.")),
    502: (lazy("The dashboard got no proper answer"), lazy("What was saved before is kept. Try again in a minute.")),
    503: (lazy("The dashboard is busy or restarting"), lazy("What was saved before is kept. Try again in a minute.")),
    504: (lazy("The answer took too long"), lazy("What was saved before is kept. Try again in a minute.")),
}
_NO_LINK = (lazy("There is no such payment link"), lazy("See all payment links"), "links.index")
#: What an address names that was not found, by its endpoint, and where its list is.
MISSING = {
    "links.show": _NO_LINK,
    "sharing.show": _NO_LINK,
    "sharing.receipt": _NO_LINK,
    "sharing.driver": (lazy("There is no such driver"), lazy("See all drivers"), "sharing.drivers"),
    "accounts.person": (lazy("There is no such person"), lazy("See all people"), "accounts.people"),
    "fleet.run": (lazy("There is no such search of the fleet"), lazy("See the fleet"), "fleet.index"),
    "fleet.draft": (lazy("There is no such list to check"), lazy("See the fleet"), "fleet.index"),
    "fleet.plan": (lazy("There is no such plan of links"), lazy("See the fleet"), "fleet.index"),
}
#: The endpoints whose pages anybody finds by a part of a vehicle, a challan or a link.
FOUND_BY_PART = {endpoint for endpoint, missing in MISSING.items() if missing is _NO_LINK}
#: The sections by what their addresses begin with.
SECTIONS = {
    "links": Section("links", "links.index", lazy("Links")),
    "follow-up": Section("follow_up", "sharing.follow_up", lazy("Follow up")),
    "fleet": Section("fleet", "fleet.index", lazy("Fleet")),
    "reconcile": Section("reconcile", "reconciliation.index", lazy("Reconcile")),
    "drivers": Section("drivers", "sharing.drivers", lazy("Drivers")),
    "messages": Section("messages", "sharing.messages", lazy("Messages")),
    "overview": Section("overview", "overview.index", lazy("Overview")),
    "people": Section("people", "accounts.people", lazy("People")),
    "audit": Section("people", "accounts.audit", lazy("Audit log")),
    "service": Section("", "operations.index", lazy("Service status")),
    "account": Section("", "accounts.account", lazy("My account")),
}
OTHER_SITE = (
    lazy("This did not come from a page of the dashboard"),
    lazy("Nothing was done. Open the page here, then do it again."),
)
NUL_TYPED = (
    lazy("This has a character that cannot be saved"),
    lazy("Nothing was done. Go back, take the NUL character (a byte of zero) out of the text, and send it again."),
)
OLD_PAGE = (
    lazy("This page was opened in an earlier session"),
    # Not that nothing was sent: the same form may have been, in that session.
    lazy("It was not taken this time. Go back, reload the page, then do it again if it is still to be done."),
)
FOREIGN_HOST = (lazy("This host is not known here"), lazy("Open the dashboard by its own address."))
SIGN_IN_AGAIN = lazy("The page of sign-in was too old, or your browser keeps no cookies. Enter your password again.")
_FOR_ROLE = {
    Role.MANAGER: lazy("This is for managers and administrators"),
    Role.ADMIN: lazy("This is for administrators"),
}

# Where to go

TRY_AGAIN, GO_BACK, SEARCH = lazy("Try again"), lazy("Go back"), lazy("Go to the search")
SERVICE_STATUS, SIGN_IN = lazy("Service status"), lazy("Sign in")


def go_to(section: Section) -> str:
    return _("Go to %(section)s", section=section.name)


def nothing_at(address: str) -> str:
    """Return the text for an address that leads nowhere."""
    return _("There is nothing at %(address)s.", address=address)


def at_status(status: int) -> tuple[str, str]:
    """Return the title and the text for a status; one without its own gets those of its kind."""
    return BY_STATUS.get(status) or BY_STATUS[500 if status >= 500 else 400]


def fault(number: str) -> tuple[str, str]:
    """Return the title and the text for a fault of ours; `number` finds it in the log."""
    title, text = BY_STATUS[500]
    return title, _(
        "%(text)s Try again; if it goes on, tell an administrator and give the number %(number)s.",
        text=text,
        number=number,
    )


def forbidden(needed: Role, name: str, role: Role, administrators: Sequence[str]) -> tuple[str, str]:
    """Return the title and the text for somebody whose role does not suffice, with whom to ask."""
    whom = (
        _("an administrator (%(names)s)", names=join_words(administrators)) if administrators else _("an administrator")
    )
    text = _(
        "You are signed in as %(name)s, whose role is %(role)s. Ask %(whom)s if you need it.",
        name=name,
        role=role_name(role),
        whom=whom,
    )
    return _FOR_ROLE.get(needed, _("This is not for you")), text


def request_page(address: str) -> str:
    """Name the page of a request whose outcome could not be recorded."""
    return _("Its page, once the database answers, is %(address)s.", address=address)
