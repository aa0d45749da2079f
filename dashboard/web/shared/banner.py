"""The calm banner on every page, while money may be paid twice or something is wrong with the service for everybody."""

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


#: So many links are named; the first page has them all.
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
    """What is wrong, gravest first."""

    said: tuple[Banner, ...] = ()

    @property
    def mark(self) -> str:
        """Changes with what they say; empty when all is well."""
        return fingerprint(self.said) if self.said else ""


def banners(services: Services, shown: Callable[[datetime], str], *, signed_in: bool) -> Banners:
    """What is wrong at present. Whoever is not signed in reads of no vehicle."""
    return Banners((*(_doubled(services, shown) if signed_in else ()), *_troubles(services, shown)))


def _doubled(services: Services, shown: Callable[[datetime], str]) -> list[Banner]:
    """The alarms that nobody took note of, in one banner: whose vehicles, and each link that it is about."""
    rows = {row.id: row for row in services.store.cached_read("doubles", duplicates.standing)}
    if not rows:
        return []
    plates = list(dict.fromkeys(spaced(row.rc) if row.rc else "an unknown vehicle" for row in rows.values()))
    links = [
        BannerLink(
            f"{spaced(row.rc) + ', link' if row.rc else 'Link'} of {shown(row.created_at or row.first_seen_at)}: "
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


def _troubles(services: Services, shown: Callable[[datetime], str]) -> list[Banner]:
    """What is wrong with the service, since when, what still works and what happens next."""
    troubles = {trouble.scope: trouble for trouble in services.call_policy.active_blocks()}
    if trouble := troubles.get(SECRET):
        return [_refused_key(trouble, shown)]
    if trouble := troubles.get(ORGANIZATION):
        return [_other_organization(trouble, shown)]
    # What stays usable is said where nothing else is wrong.
    alone = len(troubles) == 1
    refused = [_not_enabled(group, troubles[group], shown, alone=alone) for group in ServiceGroup if group in troubles]
    spent = [_spent(troubles[scope], shown, alone=alone) for scope in _SPENT if scope in troubles]
    return [*refused, *_broken({group: troubles[group] for group in CallGroup if group in troubles}, shown), *spent]


def _refused_key(trouble: ActiveBlock, shown: Callable[[datetime], str]) -> Banner:
    return Banner(
        "The API key was refused",
        f"No calls are being made since {shown(trouble.since)}. What is known is shown, with its age. "
        f"The next try is at {shown(trouble.until)}, and at once when the key changes or "
        "an administrator asks for one.",
    )


def _other_organization(trouble: ActiveBlock, shown: Callable[[datetime], str]) -> Banner:
    return Banner(
        "The API key belongs to another organization",
        f"No calls are being made since {shown(trouble.since)}, so that two organizations do not mix. "
        "What is known is shown, with its age. Calls begin again when the key changes.",
    )


def _not_enabled(group: ServiceGroup, trouble: ActiveBlock, shown: Callable[[datetime], str], *, alone: bool) -> Banner:
    return Banner(
        f"{group} is not enabled for your organization",
        f"The service has refused it since {shown(trouble.since)}. {_STAYS_USABLE[group] if alone else ''}"
        f"It is asked again at {shown(trouble.until)}.",
    )


#: By the allowance: what its limit is for, what is refused, what is kept, and the service that is not.
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


def _spent(trouble: ActiveBlock, shown: Callable[[datetime], str], *, alone: bool) -> Banner:
    limit, refused, kept, group = _SPENT[trouble.scope]
    usable = _STAYS_USABLE[group] if alone else ""
    return Banner(
        f"{limit} is reached",
        f"The service has refused {refused} since {shown(trouble.since)}. {kept}. {usable}"
        f"It can be asked again from {shown(trouble.until)}.",
    )


_WORK = {CallGroup.SEARCH: "searching", CallGroup.CREATE: "creating links", CallGroup.STATUS: "checking links"}


def _broken(broken: Mapping[CallGroup, ActiveBlock], shown: Callable[[datetime], str]) -> list[Banner]:
    """The service fails again and again, at some calls or at all."""
    if not broken:
        return []
    causes = {trouble.cause for trouble in broken.values()}
    since = shown(min(trouble.since for trouble in broken.values()))
    fails = join_words([words for group, words in _WORK.items() if group in broken])
    works = [words for group, words in _WORK.items() if group not in broken]
    still = f"{join_words(works).capitalize()} still {'works' if len(works) == 1 else 'work'}. " if works else ""
    if CallGroup.STATUS in broken:  # The watcher sees to it, whatever people do.
        next_try = "It is asked again every half minute, and what waits goes on by itself"
    else:
        next_try = f"It is tried again from {shown(max(trouble.until for trouble in broken.values()))}"
    kept = f"Held back for now: {fails}. {still}What is known is shown, with its age. {next_try}."
    if INSECURE in causes:
        kept = f"Nothing is sent without one. Tell an administrator. {kept}"
        return [Banner(f"No secure connection to the service since {since}", kept)]
    does = "does not answer" if causes & SILENCE else "answers with errors"
    return [Banner(f"The service {does} since {since}", kept)]
