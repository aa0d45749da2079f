"""The one calm banner, on every page while something is wrong with the service for everybody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from dashboard.errors import ServiceGroup
from dashboard.services.desk import Desk
from dashboard.services.gate import ORGANIZATION, SECRET, Trouble

_STAYS_USABLE = {
    ServiceGroup.CHALLAN_SEARCH: "Payment links stay usable",
    ServiceGroup.PAYMENT_LINK_GENERATION: "Searching stays usable",
}


@dataclass(frozen=True, slots=True)
class Banner:
    title: str
    text: str


def banner(desk: Desk, shown: Callable[[datetime], str]) -> Banner | None:
    """What is wrong, since when, what still works and what happens next; None when all is well."""
    troubles = {trouble.scope: trouble for trouble in desk.gate.troubles()}
    if trouble := troubles.get(SECRET):
        return Banner(
            "The API key was refused",
            f"No calls are being made since {shown(trouble.since)}. What is known is shown, with its age. "
            f"The next try is at {shown(trouble.until)}, and at once when the key changes.",
        )
    if trouble := troubles.get(ORGANIZATION):
        return Banner(
            "The API key belongs to another organization",
            f"No calls are being made since {shown(trouble.since)}, so that two organizations do not mix. "
            "What is known is shown, with its age. Calls begin again when the key changes.",
        )
    for group in ServiceGroup:
        if trouble := troubles.get(group):
            return _not_enabled(group, trouble, shown)
    return None


def _not_enabled(group: ServiceGroup, trouble: Trouble, shown: Callable[[datetime], str]) -> Banner:
    return Banner(
        f"{group} is not enabled for your organization",
        f"The service has refused it since {shown(trouble.since)}. {_STAYS_USABLE[group]}. "
        f"It is asked again at {shown(trouble.until)}.",
    )
