"""Define the texts of error pages by status: what happened, and why or what to do."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.domain.roles import Role
from dashboard.web.shared.texts import join_words

BY_STATUS = {
    400: ("This request was not complete", "Nothing was done. Go back, check what you entered, and send it again."),
    404: (
        "Page not found",
        "The address may be mistyped, or what it showed no longer exists. Find the vehicle, challan or link below.",
    ),
    405: (
        "This address cannot be opened directly",
        "It only takes what a form sends. Nothing was done. Start from the search.",
    ),
    413: ("This is too large", "Nothing was done with it. Send less at once, or a smaller file."),
    415: ("This file or request cannot be read", "Nothing was done. It came in a form that is not taken here."),
    429: ("Too many requests", "Nothing was done this time. Wait a minute, then try again."),
    500: ("Something went wrong here", "This is a fault of the dashboard. What was saved before is kept."),
    502: ("The dashboard got no proper answer", "What was saved before is kept. Try again in a minute."),
    503: ("The dashboard is busy or restarting", "What was saved before is kept. Try again in a minute."),
    504: ("The answer took too long", "What was saved before is kept. Try again in a minute."),
}
OTHER_SITE = (
    "This did not come from a page of the dashboard",
    "Nothing was done. Open the page here, then do it again.",
)
NUL_TYPED = (
    "This holds a character that cannot be kept",
    "Nothing was done. Go back, take the NUL character (a byte of zero) out of the text, and send it again.",
)
OLD_PAGE = (
    "This page was opened in an earlier session",
    # Not that nothing was sent: the same form may have been, in that session.
    "It was not taken this time. Go back, reload the page, then do it again if it is still to be done.",
)
FOREIGN_HOST = ("This host is not known here", "Open the dashboard by its own address.")
SIGN_IN_AGAIN = "The page of sign-in was too old, or your browser keeps no cookies. Enter your password again."
_FOR_ROLE = {
    Role.MANAGER: "This is for managers and administrators",
    Role.ADMIN: "This is for administrators",
}

# Where to go

TRY_AGAIN, GO_BACK, SEARCH = "Try again", "Go back", "Go to the search"
LINKS, SERVICE_STATUS, SIGN_IN = "See all links", "Service status", "Sign in"


def at_status(status: int) -> tuple[str, str]:
    """Return the title and the text for a status; one without its own gets those of its kind."""
    return BY_STATUS.get(status) or BY_STATUS[500 if status >= 500 else 400]


def fault(number: str) -> tuple[str, str]:
    """Return the title and the text for a fault of ours; `number` finds it in the log."""
    title, text = BY_STATUS[500]
    return title, f"{text} Try again; if it goes on, tell an administrator and give the number {number}."


def forbidden(needed: Role, name: str, role: str, administrators: Sequence[str]) -> tuple[str, str]:
    """Return the title and the text for somebody whose role does not suffice, with whom to ask."""
    whom = f"an administrator ({join_words(administrators)})" if administrators else "an administrator"
    text = f"You are signed in as {name}, whose role is {role}. Ask {whom} if you need it."
    return _FOR_ROLE.get(needed, "This is not for you"), text


def request_page(address: str) -> str:
    """Name the page of a request whose outcome could not be recorded."""
    return f"Its page, once the database answers, is {address}."
