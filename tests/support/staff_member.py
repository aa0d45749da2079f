"""Simulate staff who call the services directly, without a web server or a browser."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

from dashboard.services.container import Services
from dashboard.services.creation.commands import CreateLink
from dashboard.services.vehicles import eligibility
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.creation import claims, intents
from dashboard.store.creation.intents import Intent
from dashboard.store.links import links


class StaffMember:
    """Combine one person with the services, with short methods to search, create links and read the rows."""

    def __init__(self, services: Services, person_id: int) -> None:
        self.services = services
        self.person_id = person_id

    def search(self, rc: str) -> list[ListedChallan]:
        self.services.vehicle_search.search(rc, self.person_id)
        return self.listed(rc)

    def listed(self, rc: str) -> list[ListedChallan]:
        with self.services.store.read() as connection:
            return [item for item in eligibility.of_vehicle(connection, rc) if item.listed]

    def payable(self, rc: str) -> list[str]:
        return [item.challan.id for item in self.listed(rc) if item.selectable and item.challan.id]

    def create(
        self,
        rc: str,
        challan_ids: Sequence[str],
        *,
        key: str | None = None,
        hours: int = 48,
        replaces: str | None = None,
    ) -> Intent:
        command = CreateLink(self.person_id, key or secrets.token_hex(16), rc, tuple(challan_ids), hours, replaces)
        return self.intent(self.services.link_creator.create(command))

    def resolve(self, intent_id: str) -> Intent:
        self.services.outcome_resolver.resolve(intent_id)
        return self.intent(intent_id)

    def intent(self, intent_id: str) -> Intent:
        with self.services.store.read() as connection:
            row = intents.find(connection, intent_id)
        assert row is not None
        return row

    def link(self, link_id: str) -> Row[Any]:
        with self.services.store.read() as connection:
            row = links.find(connection, link_id)
        assert row is not None
        return row

    def claimed(self, challan_ids: Sequence[str]) -> set[str]:
        with self.services.store.read() as connection:
            return set(claims.open_of(connection, challan_ids))

    def holders(self, challan_ids: Sequence[str]) -> dict[str, str | None]:
        """Return the link that holds each claimed challan; None while an intent holds it."""
        with self.services.store.read() as connection:
            return {key: row.link_id for key, row in claims.open_of(connection, challan_ids).items()}
