"""Build the banner of every page: shown while money may be paid twice, or while calls to the service are blocked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from flask import url_for

from dashboard.domain.registration import spaced
from dashboard.errors import INSECURE, SILENCE, CallGroup, ServiceGroup
from dashboard.services.container import Services
from dashboard.services.operations.call_policy import (
    LINK_ALLOWANCE,
    ORGANIZATION,
    SEARCH_ALLOWANCE,
    SECRET,
    ActiveBlock,
)
from dashboard.store.links import duplicates
from dashboard.web.shared.fingerprints import fingerprint
from dashboard.web.shared.texts import join_words, name_first

_STAYS_USABLE = {
    ServiceGroup.CHALLAN_SEARCH: "Payment links stay usable. ",
    ServiceGroup.PAYMENT_LINK_GENERATION: "Searching stays usable. ",
}

#: How many links are named; the first page has them all.
_MOST_LINKS = 6


@dataclass(frozen=True, slots=True)
class BannerLink:
    words: str
    address: str


@dataclass(frozen=True, slots=True)
class Banner:
    title: str
    text: str
    links: tuple[BannerLink, ...] = ()


@dataclass(frozen=True, slots=True)
class Banners:
    """Every banner, gravest first."""

    items: tuple[Banner, ...] = ()

    @property
    def fingerprint(self) -> str:
        """Empty while all is well."""
        return fingerprint(self.items) if self.items else ""


def banners(services: Services, shown: Callable[[datetime], str], *, signed_in: bool) -> Banners:
    """Build the banners; `shown` formats a moment. Those that name vehicles are for whoever is signed in."""
    return Banners((*(_duplicate_links(services, shown) if signed_in else ()), *_service_banners(services, shown)))


def _duplicate_links(services: Services, shown: Callable[[datetime], str]) -> list[Banner]:
    """Put the alarms that nobody has noted into one banner, with their vehicles and links."""
    rows = {row.id: row for row in services.store.cached_read("doubles", duplicates.unacknowledged)}
    if not rows:
        return []
    plates = list(dict.fromkeys(spaced(row.rc) if row.rc else "an unknown vehicle" for row in rows.values()))
    links = [
        BannerLink(
            f"{spaced(row.rc) + ', link' if row.rc else 'Link'} of {shown(row.made_at)}: "
            f"{row.status or 'not read yet'}",
            url_for("links.show", link_id=row.id),
        )
        for row in rows.values()
    ]
    named = name_first(plates[:_MOST_LINKS], len(plates))
    text = (
        f"Links of {named} hold the same challans. Open them to see what to do. "
        "This stands here until a manager or an administrator has taken note of it."
    )
    if len(links) > _MOST_LINKS:
        links = [*links[:_MOST_LINKS], BannerLink(f"{len(links) - _MOST_LINKS} more", url_for("home.index"))]
    return [Banner("Money may be paid twice", text, tuple(links))]


def _service_banners(services: Services, shown: Callable[[datetime], str]) -> list[Banner]:
    """Say what blocks calls, since when, what still works and what happens next."""
    blocks = {block.scope: block for block in services.call_policy.active_blocks()}
    if block := blocks.get(SECRET):
        return [_refused_key(block, shown)]
    if block := blocks.get(ORGANIZATION):
        return [_other_organization(block, shown)]
    # What stays usable is said only while nothing else is blocked.
    alone = len(blocks) == 1
    refused = [_not_enabled(group, blocks[group], shown, alone=alone) for group in ServiceGroup if group in blocks]
    spent = [_spent(blocks[scope], shown, alone=alone) for scope in _SPENT if scope in blocks]
    return [*refused, *_breakers({group: blocks[group] for group in CallGroup if group in blocks}, shown), *spent]


def _refused_key(block: ActiveBlock, shown: Callable[[datetime], str]) -> Banner:
    return Banner(
        "The API key was refused",
        f"No calls are being made since {shown(block.since)}. What is known is shown, with its age. "
        f"The next try is at {shown(block.until)}, and at once when the key changes or "
        "an administrator asks for one.",
    )


def _other_organization(block: ActiveBlock, shown: Callable[[datetime], str]) -> Banner:
    return Banner(
        "The API key belongs to another organization",
        f"No calls are being made since {shown(block.since)}, so that two organizations do not mix. "
        "What is known is shown, with its age. Calls begin again when the key changes.",
    )


def _not_enabled(group: ServiceGroup, block: ActiveBlock, shown: Callable[[datetime], str], *, alone: bool) -> Banner:
    return Banner(
        f"{group} is not enabled for your organization",
        f"The service has refused it since {shown(block.since)}. {_STAYS_USABLE[group] if alone else ''}"
        f"It is asked again at {shown(block.until)}.",
    )


#: By allowance: its name, what is refused, what is saved, and the service that is refused.
_SPENT = {
    LINK_ALLOWANCE: (
        "Today's limit for new links",
        "new links",
        "Selections are kept",
        ServiceGroup.PAYMENT_LINK_GENERATION,
    ),
    SEARCH_ALLOWANCE: (
        "Today's search limit",
        "searches",
        "What is known is shown, with its age",
        ServiceGroup.CHALLAN_SEARCH,
    ),
}


def _spent(block: ActiveBlock, shown: Callable[[datetime], str], *, alone: bool) -> Banner:
    limit, refused, saved, group = _SPENT[block.scope]
    usable = _STAYS_USABLE[group] if alone else ""
    return Banner(
        f"{limit} is reached",
        f"The service has refused {refused} since {shown(block.since)}. {saved}. {usable}"
        f"It can be asked again from {shown(block.until)}.",
    )


_WORK = {CallGroup.SEARCH: "searching", CallGroup.CREATE: "creating links", CallGroup.STATUS: "checking links"}


def _breakers(breakers: Mapping[CallGroup, ActiveBlock], shown: Callable[[datetime], str]) -> list[Banner]:
    """Say which calls fail, when circuit breakers are open."""
    if not breakers:
        return []
    causes = {block.cause for block in breakers.values()}
    since = shown(min(block.since for block in breakers.values()))
    fails = join_words([words for group, words in _WORK.items() if group in breakers])
    works = [words for group, words in _WORK.items() if group not in breakers]
    still = f"{join_words(works).capitalize()} still {'works' if len(works) == 1 else 'work'}. " if works else ""
    if CallGroup.STATUS in breakers:  # The watcher tries, whatever people do.
        next_try = "It is asked again every half minute, and what waits goes on by itself"
    else:
        next_try = f"It is tried again from {shown(max(block.until for block in breakers.values()))}"
    text = f"Held back for now: {fails}. {still}What is known is shown, with its age. {next_try}."
    if INSECURE in causes:
        text = f"Nothing is sent without one. Tell an administrator. {text}"
        return [Banner(f"No secure connection to the service since {since}", text)]
    does = "does not answer" if causes & SILENCE else "answers with errors"
    return [Banner(f"The service {does} since {since}", text)]
