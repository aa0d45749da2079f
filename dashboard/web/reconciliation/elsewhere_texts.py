"""Define the sentences of links that were created outside this dashboard."""

from __future__ import annotations

from datetime import datetime

from dashboard.web.shared.current import format_near
from dashboard.web.shared.languages import gettext as _


def first_seen(at: datetime) -> str:
    """Say since when a link is known that was created elsewhere."""
    return _("First seen %(when)s.", when=format_near(at))


def sent_to(name: str | None, at: datetime) -> str:
    """Say that a link was sent from here."""
    when = format_near(at)
    return _("Sent to %(name)s, %(when)s.", name=name, when=when) if name else _("Sent, %(when)s.", when=when)


def usual_driver(name: str) -> str:
    """Say to whom a link can be sent."""
    return _("Usual driver: %(name)s.", name=name)


def sentence(words: str) -> str:
    """Begin with a capital, and end with a full stop."""
    return _("%(words)s.", words=f"{words[:1].upper()}{words[1:]}")
