"""List what waits for a person, for the first page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta

from flask import url_for
from flask_login import current_user
from sqlalchemy import Connection

from dashboard.domain.intents import UNCLEAR, IntentState
from dashboard.domain.money import Sum, add_up
from dashboard.domain.registration import spaced
from dashboard.store.creation import intents, releases
from dashboard.store.creation.intents import Intent
from dashboard.store.fleet import news
from dashboard.store.fleet.news import FleetNews
from dashboard.store.links import duplicates
from dashboard.store.links.listing import start_of
from dashboard.store.vehicles import vehicles
from dashboard.web.creation import release
from dashboard.web.fleet.page import run_address
from dashboard.web.home import attention_duplicates, attention_links, texts
from dashboard.web.home.records import AttentionItem
from dashboard.web.shared.current import today, zone
from dashboard.web.sharing.unsent import UnsentLinks

_UNCLEAR = (IntentState.NEEDS_ATTENTION, IntentState.UNKNOWN, IntentState.SENDING)


def attention(connection: Connection, unsent: Callable[[], UnsentLinks]) -> Iterator[AttentionItem]:
    """List what waits for a person, the most urgent kind first. `unsent` reads the links that nobody was given."""
    unclear = list(intents.in_states(connection, _UNCLEAR, but_released=True))
    released = list(releases.still_resolving(connection))
    amounts = _amounts(connection, [*unclear, *released])
    for intent in unclear:
        if intent.state is IntentState.NEEDS_ATTENTION:
            yield _unclear(intent, amounts[intent.id])
    alarmed_links = duplicates.unacknowledged(connection)
    alarms = list(attention_duplicates.alarms(connection, alarmed_links))
    yield from alarms
    said = {item.request_id for item in alarms}
    for intent in unclear:
        if intent.state is not IntentState.NEEDS_ATTENTION and intent.id not in said:
            yield _unclear(intent, amounts[intent.id])
    ending = list(attention_links.ending(connection))
    yield from ending
    listed = {item.link_id for item in ending} | {alarmed.id for alarmed in alarmed_links}
    yield from attention_links.to_check(connection, unsent().withheld, listed)
    if current_user.may_open("fleet.index") and (new := _fleet_news(connection)):
        yield AttentionItem(
            words=texts.new_challans(new.challans),
            address=run_address(new.run_id),
            action=str(texts.OPEN_SEARCH),
            meaning="neutral",
        )
    # Last, and neutral: a manager handles it, so other people need not act.
    for intent in released:
        yield AttentionItem(
            words=texts.CLAIMS_RELEASED.format(manager=release.released_by(intent)),
            address=url_for("creation.request_page", request_id=intent.id),
            action=str(texts.OPEN_REQUEST),
            since=intent.released_at or intent.prepared_at,
            meaning="neutral",
            plate=spaced(intent.rc),
            sum=amounts[intent.id],
            challans=len(intent.challan_ids),
        )


def _unclear(intent: Intent, total: Sum) -> AttentionItem:
    can_check = intent.state in UNCLEAR
    return AttentionItem(
        words=str(texts.OUTCOME_UNCLEAR[intent.state]),
        to_do=str(texts.NO_OTHER_LINK),
        address=url_for("creation.request_page", request_id=intent.id),
        action=str(texts.OPEN_REQUEST),
        since=intent.prepared_at,
        meaning="wrong" if intent.state is IntentState.NEEDS_ATTENTION else "waiting",
        plate=spaced(intent.rc),
        sum=total,
        challans=len(intent.challan_ids),
        act=str(texts.CHECK_NOW) if can_check else "",
        act_address=url_for("creation.check", request_id=intent.id) if can_check else "",
        checks=can_check,
    )


def _amounts(connection: Connection, asked: Sequence[Intent]) -> dict[str, Sum]:
    """Return what the challans of each request come to."""
    if not asked:
        return {}
    stored = vehicles.challans_by_vehicle(connection, list({intent.rc for intent in asked}))
    found = {}
    for intent in asked:
        totals = {item.challan.id: item.challan.total_amount for item in stored[intent.rc]}
        found[intent.id] = add_up(totals.get(challan_id) for challan_id in intent.challan_ids)
    return found


def _fleet_news(connection: Connection) -> FleetNews | None:
    """Return what searches of the fleet that began yesterday or today have found."""
    return news.found_since(connection, start_of(today() - timedelta(days=1), zone()))
