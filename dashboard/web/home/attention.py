"""List what waits for a person, for the first page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from decimal import Decimal

from flask import url_for
from flask_login import current_user
from sqlalchemy import Connection

from dashboard.domain.intents import IntentState
from dashboard.domain.money import add_up
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

_UNCLEAR = (IntentState.NEEDS_ATTENTION, IntentState.UNKNOWN, IntentState.SENDING)


def attention(connection: Connection) -> Iterator[AttentionItem]:
    """List what waits for a person, the most urgent kind first."""
    unclear = list(intents.in_states(connection, _UNCLEAR, but_released=True))
    released = list(releases.still_resolving(connection))
    amounts = _amounts(connection, [*unclear, *released])
    for intent in unclear:
        if intent.state is IntentState.NEEDS_ATTENTION:
            yield _unclear(intent, amounts[intent.id])
    alarmed_links = duplicates.unacknowledged(connection)
    yield from attention_duplicates.alarms(connection, alarmed_links)
    for intent in unclear:
        if intent.state is not IntentState.NEEDS_ATTENTION:
            yield _unclear(intent, amounts[intent.id])
    ending = list(attention_links.ending(connection))
    yield from ending
    listed = {item.link_id for item in ending} | {alarmed.id for alarmed in alarmed_links}
    yield from attention_links.to_check_first(connection, listed)
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
            total=amounts[intent.id],
        )


def _unclear(intent: Intent, total: Decimal | None) -> AttentionItem:
    return AttentionItem(
        words=str(texts.OUTCOME_UNCLEAR[intent.state]),
        address=url_for("creation.request_page", request_id=intent.id),
        action=str(texts.OPEN_REQUEST),
        since=intent.prepared_at,
        meaning="wrong" if intent.state is IntentState.NEEDS_ATTENTION else "waiting",
        plate=spaced(intent.rc),
        total=total,
    )


def _amounts(connection: Connection, asked: Sequence[Intent]) -> dict[str, Decimal | None]:
    """Return what the challans of each request come to; None where the amount of any is not known."""
    if not asked:
        return {}
    stored = vehicles.challans_by_vehicle(connection, list({intent.rc for intent in asked}))
    found: dict[str, Decimal | None] = {}
    for intent in asked:
        totals = {item.challan.id: item.challan.total_amount for item in stored[intent.rc]}
        wanted = add_up(totals.get(challan_id) for challan_id in intent.challan_ids)
        found[intent.id] = None if wanted.unknown else wanted.total
    return found


def _fleet_news(connection: Connection) -> FleetNews | None:
    """Return what searches of the fleet that began yesterday or today have found."""
    return news.found_since(connection, start_of(today() - timedelta(days=1), zone()))
