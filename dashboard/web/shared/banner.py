"""Build the banner of every page: shown while money may be paid twice, or while calls to the service are blocked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.links import is_paid
from dashboard.domain.registration import spaced
from dashboard.domain.roles import Role
from dashboard.errors import INSECURE, SILENCE, CallGroup, ServiceGroup
from dashboard.services.container import Services
from dashboard.services.operations.blocks import (
    LINK_ALLOWANCE,
    ORGANIZATION,
    SEARCH_ALLOWANCE,
    SECRET,
    ActiveBlock,
    day_ends,
    is_throttle,
)
from dashboard.services.operations.circuit_breaker import has_failed_last
from dashboard.store.creation import claims
from dashboard.store.links import duplicates, links
from dashboard.store.links.duplicates import AlarmedLink
from dashboard.store.operations import call_blocks
from dashboard.web.shared import banner_texts as texts
from dashboard.web.shared.current import format_moment, last_minute
from dashboard.web.shared.texts import state_of

#: So many links that the service does not know, and none that it knows, are a trouble of the key.
MANY_UNKNOWN = 3
#: The most alarms in a banner, which is on every page; the first page has them all.
_MOST_ALARMS = 2
_LIMITS = {
    LINK_ALLOWANCE: (texts.LINK_LIMIT, ServiceGroup.PAYMENT_LINK_GENERATION),
    SEARCH_ALLOWANCE: (texts.SEARCH_LIMIT, ServiceGroup.CHALLAN_SEARCH),
}
#: What a block of one scope leaves usable; not said of calls that failed the last time.
_LEAVES = {
    ServiceGroup.CHALLAN_SEARCH: {CallGroup.CREATE, CallGroup.STATUS},
    ServiceGroup.PAYMENT_LINK_GENERATION: {CallGroup.SEARCH},
}
#: What a block of each scope stops, of what pages offer with a button; that button is not the one to press meanwhile.
_STOPS: dict[str, tuple[CallGroup, ...]] = {
    **dict.fromkeys((SECRET, ORGANIZATION), (CallGroup.SEARCH, CallGroup.CREATE)),
    **dict.fromkeys((ServiceGroup.CHALLAN_SEARCH, SEARCH_ALLOWANCE, CallGroup.SEARCH), (CallGroup.SEARCH,)),
    **dict.fromkeys((ServiceGroup.PAYMENT_LINK_GENERATION, LINK_ALLOWANCE, CallGroup.CREATE), (CallGroup.CREATE,)),
}
#: What blocks the calls of each group, besides the key.
_BLOCKED_BY: dict[CallGroup, set[str]] = {
    CallGroup.SEARCH: {ServiceGroup.CHALLAN_SEARCH, SEARCH_ALLOWANCE},
    CallGroup.CREATE: {ServiceGroup.PAYMENT_LINK_GENERATION, LINK_ALLOWANCE},
    CallGroup.STATUS: {ServiceGroup.PAYMENT_LINK_GENERATION},
}
#: A block that ends sooner has no time beside the one since when it holds, which would be the same minute.
_SOON = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class BannerLink:
    words: str
    address: str


@dataclass(frozen=True, slots=True)
class BannerLine:
    plate: str
    links: tuple[BannerLink, ...]


@dataclass(frozen=True, slots=True)
class Banner:
    title: str
    text: str
    lines: tuple[BannerLine, ...] = ()
    stops: tuple[CallGroup, ...] = ()
    brief: str = ""  # in its place on a page that lists below what is concerned
    about: str = ""  # of alarms: the page of a link that is concerned says it in its place
    of_service: bool = False  # the service page says it in its place
    meaning: str = "wrong"  # "waiting" of what is nobody's fault and ends by itself
    next: str = ""  # when blocked calls are tried again, which the page of a search says in its place
    searches: str = ""  # when searching is possible again, where it is stopped
    creates: str = ""  # when links can be created again, once the day's limit is reached
    limits: str = ""  # what a day's limit stops, which a page may say beside its button, in the place of the banner


@dataclass(frozen=True, slots=True)
class Banners:
    """Hold every banner, gravest first."""

    items: tuple[Banner, ...] = ()

    @property
    def stops(self) -> str:
        """Return what the banners say is stopped, as words of an attribute."""
        return " ".join(sorted({group for item in self.items for group in item.stops}))

    @property
    def searches(self) -> str:
        """Say when searching is possible again; empty while it is."""
        return next((item.searches for item in self.items if item.searches), "")

    @property
    def creates(self) -> str:
        """Say when links can be created again; empty unless the day's limit is reached."""
        return next((item.creates for item in self.items if item.creates), "")

    @property
    def meaning(self) -> str:
        """Return what the gravest banner means."""
        return "waiting" if all(item.meaning == "waiting" for item in self.items) else "wrong"

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint of the banners; empty when there is none."""
        return fingerprint(self.items) if self.items else ""


def banners(services: Services, shown: Callable[[datetime], str], *, reader: Role | None) -> Banners:
    """Build the banners; `shown` formats a moment. Only signed-in people see those that name vehicles or hosts, and
    only administrators what is done about a key.
    """
    named = _duplicate_links(services, shown) if reader else []
    clocks = _clocks(services) if reader else []
    of_service = _service_banners(services, shown, mends=reader is Role.ADMIN)
    return Banners((*named, *of_service, *_unknown_links(services, shown), *clocks))


def silent_since(services: Services) -> datetime | None:
    """Return since when no call is made at all, because of the key."""
    blocks = {block.scope: block for block in services.call_policy.active_blocks()}
    block = blocks.get(SECRET) or blocks.get(ORGANIZATION)
    return block.since if block else None


def search_again(until: datetime, now: datetime, shown: Callable[[datetime], str]) -> str:
    """Say from when a search is sent again, and what becomes of one before; `shown` formats a moment."""
    if until <= now:
        return str(texts.SEARCH_NOW)
    if until - now > _SOON:
        return texts.SEARCH_AT.format(until=shown(until))
    # The minute that is over by then: its own may already have begun.
    return texts.SEARCH_SOON.format(until=shown(until + _SOON))


def next_try(until: datetime, now: datetime, shown: str) -> str:
    """Say when blocked calls are tried again; `shown` is `until` as it is written."""
    words = texts.TRY_AT if until - now > _SOON else texts.TRY_SOON
    return words.format(until=shown)


def back_at(block: ActiveBlock) -> str:
    """Say when the day of a limit ends, as its last minute: midnight is read differently by night."""
    return format_moment(last_minute(day_ends(block))).replace(" ", "\N{NO-BREAK SPACE}")  # It stays in one line.


def failing_since(breakers: Iterable[ActiveBlock], shown: Callable[[datetime], str]) -> tuple[str, str]:
    """Return the sentences about open circuit breakers: how calls fail, without a full stop, and what else is said."""
    listed = list(breakers)
    causes = {block.cause for block in listed}
    words = texts.INSECURE if INSECURE in causes else texts.NO_ANSWER if causes & SILENCE else texts.ERRORS
    return words[0].format(since=shown(min(block.since for block in listed))), str(words[1])


def _failed_last(services: Services) -> set[str]:
    """Return the scopes of the calls that are made, but failed the last time."""
    counted = services.store.cached_read("call blocks", call_blocks.read_all)
    return {scope for scope, block in counted.items() if has_failed_last(block)}


def _clocks(services: Services) -> list[Banner]:
    """Say that clocks do not agree, or have stepped (A8)."""
    broken = services.clocks.broken()
    if not broken:
        return []
    title, text = texts.CLOCKS
    return [Banner(title, text.format(found=" ".join(texts.clock(check) for check in broken)), of_service=True)]


def _requests(connection: Connection, alarms: Sequence[Sequence[AlarmedLink]]) -> dict[str, str]:
    """Return the request of unknown outcome that has challans of a link which is alone in its alarm, by link."""
    found = {}
    for alone in (alarm[0].id for alarm in alarms if len(alarm) == 1):
        held = claims.open_of(connection, [each.challan_id for each in links.challans_of(connection, alone)])
        beside = next((claim.intent_id for claim in held.values() if claim.link_id is None), None)
        if beside is not None:
            found[alone] = beside
    return found


def _alarm_line(
    found: Sequence[AlarmedLink], requests: Mapping[str, str], shown: Callable[[datetime], str]
) -> BannerLine:
    """Name the vehicle of an alarm, and lead to its links, paid ones first, or to a request with the same challans."""
    found = sorted(found, key=lambda row: not is_paid(row.status))
    named = [
        BannerLink(
            texts.LINK.format(moment=shown(row.made_at), status=state_of(row).marked),
            url_for("links.show", link_id=row.id),
        )
        for row in found
    ]
    beside = [
        BannerLink(str(texts.REQUEST), url_for("creation.request_page", request_id=requests[row.id]))
        for row in found
        if row.id in requests
    ]
    rc = found[0].rc
    return BannerLine(spaced(rc) if rc else str(texts.UNKNOWN_VEHICLE), (*named, *beside))


def _unknown_links(services: Services, shown: Callable[[datetime], str]) -> list[Banner]:
    """Say that the key does not know our links, when the service answers 404 for many of them and knows none."""
    found = services.store.cached_read("not found", links.not_found_since_last_answer)
    if found is None or found.links < MANY_UNKNOWN:
        return []
    title, text = texts.KEY_KNOWS_NO_LINKS
    return [Banner(title, text.format(count=found.links, since=shown(found.since)))]


def _duplicate_links(services: Services, shown: Callable[[datetime], str]) -> list[Banner]:
    """Put the unacknowledged alarms into one banner, a line for each with what has the same challans."""
    rows = services.store.cached_read("doubles", duplicates.unacknowledged)
    if not rows:
        return []
    alarms: list[Sequence[AlarmedLink]] = []
    for alarm_of in dict.fromkeys(row.alarm_of for row in rows):
        found = [row for row in rows if row.alarm_of == alarm_of]
        if not any({row.id for row in found} <= {row.id for row in others} for others in alarms):
            alarms.append(found)
    requests = services.store.cached_read("doubles of requests", lambda connection: _requests(connection, alarms))
    lines = [_alarm_line(found, requests, shown) for found in alarms[:_MOST_ALARMS]]
    if len(alarms) > _MOST_ALARMS:
        more = texts.MORE_ALARMS.format(count=len(alarms) - _MOST_ALARMS)
        lines.append(BannerLine("", (BannerLink(more, url_for("home.index")),)))
    title, text = texts.DUPLICATE_LINKS
    return [
        Banner(
            title,
            str(text),
            tuple(lines),
            brief=str(texts.SEE_BELOW),
            about="links",
        )
    ]


def _of_key(words: tuple[str, str], block: ActiveBlock, next_try: str, since: str, *, mends: bool) -> Banner:
    """Say that the key stops all calls: what to do about it to whoever mends it, and to others whom to tell."""
    title, text = words if mends else (str(texts.STOPPED), f"{words[0]}. {texts.STOPPED_SINCE} {next_try}")
    address = (BannerLine("", (BannerLink(str(texts.SERVICE_PAGE), url_for("operations.index")),)),)
    return Banner(
        title,
        text.format(since=since, next_try=next_try).rstrip(),
        address if mends and block.scope == SECRET else (),
        stops=_STOPS[block.scope],
        of_service=True,
        searches=str(texts.SEARCH_WITH_KEY),
    )


def _service_banners(services: Services, shown: Callable[[datetime], str], *, mends: bool) -> list[Banner]:
    """Say what blocks calls, since when, what still works and what happens next."""
    blocks = {block.scope: block for block in services.call_policy.active_blocks()}
    failed = _failed_last(services) - blocks.keys() if blocks else set()
    may_fail = [
        work for group, work in texts.WORK.items() if group in failed and not blocks.keys() & _BLOCKED_BY[group]
    ]

    def banner(words: tuple[str, str], block: ActiveBlock, group: ServiceGroup | None = None) -> Banner:
        # What stays usable is said only while nothing else is blocked, or has failed.
        usable = texts.STAYS_USABLE[group] if group and len(blocks) == 1 and not _LEAVES[group] & failed else ""
        until = shown(block.until)
        values = {"since": shown(block.since), "until": until, "group": group, "usable": usable}
        if block.scope in _LIMITS:
            values["back"] = back_at(block)
            if may_fail and not failing:
                values["usable"] = f"{usable}{texts.may_fail_too(may_fail)}"
        again = next_try(block.until, services.clock(), until)
        title, text = (each.format(**values) for each in words)
        meaning = "waiting" if block.scope in _LIMITS else "wrong"
        stops, searches = _STOPS.get(block.scope, ()), ""
        if CallGroup.SEARCH in stops:
            searches = search_again(block.until, services.clock(), shown)
            if block.scope in _LIMITS:
                searches = texts.SEARCH_AFTER_LIMIT.format(**values)
        creates = texts.NO_NEW_LINKS.format(**values) if block.scope == LINK_ALLOWANCE else ""
        return Banner(
            title,
            text.rstrip(),
            stops=stops,
            of_service=True,
            meaning=meaning,
            next="" if block.scope in _LIMITS else again,
            searches=searches,
            creates=creates,
            limits=stops[0] if block.scope in _LIMITS else "",
        )

    failing = {group: blocks[group] for group in CallGroup if group in blocks}
    if block := blocks.get(SECRET):
        tried = next_try(block.until, services.clock(), shown(block.until))
        words = texts.KEY_THROTTLED if is_throttle(block) else texts.KEY_REFUSED
        return [_of_key(words, block, tried, shown(block.since), mends=mends)]
    if block := blocks.get(ORGANIZATION):
        return [_of_key(texts.OTHER_ORGANIZATION, block, "", shown(block.since), mends=mends)]
    refused = [banner(texts.NOT_ENABLED, blocks[group], group) for group in ServiceGroup if group in blocks]
    spent = [banner(words, blocks[scope], group) for scope, (words, group) in _LIMITS.items() if scope in blocks]
    return [*refused, *_breakers(failing, failed, may_fail, shown, services.clock()), *spent]


def _breakers(
    breakers: Mapping[CallGroup, ActiveBlock],
    failed: Set[str],
    may_fail: Sequence[str],
    shown: Callable[[datetime], str],
    now: datetime,
) -> list[Banner]:
    """Say which calls are paused, in one banner, while circuit breakers are open, and which may fail."""
    if not breakers:
        return []
    since, text = failing_since(breakers.values(), shown)
    works = [work for group, work in texts.WORK.items() if group not in breakers and group not in failed]
    until = max(block.until for block in breakers.values())
    # The watcher tries status calls by itself.
    again = str(texts.NEXT_POLL) if CallGroup.STATUS in breakers else next_try(until, now, shown(until))
    still = (texts.still_working(works) if works else "") + (f"{texts.may_fail_too(may_fail)} " if may_fail else "")
    stops = tuple(group for group in breakers if group in _STOPS)
    paused = [work for group, work in texts.WORK.items() if group in breakers]
    title = texts.paused(paused, are_all=len(paused) == len(texts.WORK))
    search = breakers.get(CallGroup.SEARCH)
    searches = search_again(search.until, now, shown) if search else ""
    said = f"{since}. {text.format(still=still)}"
    return [Banner(title, said, stops=stops, of_service=True, next=again, searches=searches)]
