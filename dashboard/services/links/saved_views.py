"""Save filters of the list of links under names; each person has their own."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.domain.link_filters import MAX_VIEWS
from dashboard.services.schedule import Clock
from dashboard.store.engine import NotStored, Store
from dashboard.store.links import saved_views
from dashboard.store.links.saved_views import SavedView


class TooManyViews(Exception):
    """Report that the person already has MAX_VIEWS views."""


@dataclass(frozen=True)
class SavedViews:
    store: Store
    clock: Clock

    def save(self, person_id: int, name: str, query: str) -> None:
        """Save a filter, as a query string, in place of the one of the same name. Raises TooManyViews."""
        with self.store.write() as connection:
            if saved_views.replace(connection, person_id, name, query, self.clock()):
                return
            if saved_views.count(connection, person_id) >= MAX_VIEWS:
                raise TooManyViews
            saved_views.add(connection, person_id, name, query, self.clock())

    def delete(self, person_id: int, view_id: int) -> SavedView:
        """Delete a view of a person, and return it. Raises NotStored when it is not theirs."""
        with self.store.write() as connection:
            deleted = saved_views.delete(connection, person_id, view_id)
        if deleted is None:
            raise NotStored(view_id)
        return deleted
