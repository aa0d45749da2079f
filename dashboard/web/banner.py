"""The one calm banner, on every page while something is wrong with the service for everybody."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from dashboard.errors import CallGroup, ServiceGroup
from dashboard.services.desk import Desk
from dashboard.services.gate import ORGANIZATION, SECRET, Trouble
from dashboard.web.marks import digest

_STAYS_USABLE = {
    ServiceGroup.CHALLAN_SEARCH: "Payment links stay usable",
    ServiceGroup.PAYMENT_LINK_GENERATION: "Searching stays usable",
}


@dataclass(frozen=True, slots=True)
class Banner:
    title: str
    text: str

    @property
    def mark(self) -> str:
        """Changes with what it says."""
        return digest((self.title, self.text))


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
    return _broken({group: troubles[group] for group in CallGroup if group in troubles}, shown)


def _not_enabled(group: ServiceGroup, trouble: Trouble, shown: Callable[[datetime], str]) -> Banner:
    return Banner(
        f"{group} is not enabled for your organization",
        f"The service has refused it since {shown(trouble.since)}. {_STAYS_USABLE[group]}. "
        f"It is asked again at {shown(trouble.until)}.",
    )


_WORK = {CallGroup.SEARCH: "searching", CallGroup.CREATE: "creating links", CallGroup.STATUS: "checking links"}


def _broken(broken: Mapping[CallGroup, Trouble], shown: Callable[[datetime], str]) -> Banner | None:
    """The service fails again and again, at some calls or at all."""
    if not broken:
        return None
    silent = any(trouble.cause == "Unreachable" for trouble in broken.values())
    since = shown(min(trouble.since for trouble in broken.values()))
    fails = _list([words for group, words in _WORK.items() if group in broken])
    works = [words for group, words in _WORK.items() if group not in broken]
    still = f"{_list(works).capitalize()} still {'works' if len(works) == 1 else 'work'}. " if works else ""
    if CallGroup.STATUS in broken:  # The watcher sees to it, whatever people do.
        next_try = "It is asked again every half minute, and what waits goes on by itself"
    else:
        next_try = f"It is tried again from {shown(max(trouble.until for trouble in broken.values()))}"
    return Banner(
        f"The service {'does not answer' if silent else 'answers with errors'} since {since}",
        f"Held back for now: {fails}. {still}What is known is shown, with its age. {next_try}.",
    )


def _list(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
