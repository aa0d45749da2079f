"""The counter where staff stand: the real services over the real client, without a web server or a browser."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

from dashboard.services.container import Desk
from dashboard.services.creation.commands import Wish
from dashboard.services.vehicles import eligibility
from dashboard.services.vehicles.eligibility import PlacedChallan
from dashboard.store.creation import claims, intents
from dashboard.store.links import links


class Counter:
    """A desk and one person at it, with short ways to do and to ask."""

    def __init__(self, desk: Desk, person_id: int) -> None:
        self.desk = desk
        self.person_id = person_id

    def search(self, rc: str) -> list[PlacedChallan]:
        self.desk.searching.search(rc, self.person_id)
        return self.listed(rc)

    def listed(self, rc: str) -> list[PlacedChallan]:
        with self.desk.store.read() as connection:
            return [item for item in eligibility.of_vehicle(connection, rc) if item.listing.listed]

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
    ) -> Row[Any]:
        wish = Wish(self.person_id, key or secrets.token_hex(16), rc, tuple(challan_ids), hours, replaces)
        return self.intent(self.desk.creation.create(wish))

    def look(self, intent_id: str) -> Row[Any]:
        self.desk.reconciling.look(intent_id)
        return self.intent(intent_id)

    def intent(self, intent_id: str) -> Row[Any]:
        with self.desk.store.read() as connection:
            row = intents.find(connection, intent_id)
        assert row is not None
        return row

    def link(self, link_id: str) -> Row[Any]:
        with self.desk.store.read() as connection:
            row = links.find(connection, link_id)
        assert row is not None
        return row

    def claimed(self, challan_ids: Sequence[str]) -> set[str]:
        with self.desk.store.read() as connection:
            return set(claims.open_of(connection, challan_ids))

    def holders(self, challan_ids: Sequence[str]) -> dict[str, str | None]:
        """The link that each claimed challan is held for, by challan; None while it is a request that holds it."""
        with self.desk.store.read() as connection:
            return {key: row.link_id for key, row in claims.open_of(connection, challan_ids).items()}
