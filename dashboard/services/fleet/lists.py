"""Save lists of vehicles under names, for all managers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError

from dashboard.domain.fleet import FleetVehicle
from dashboard.services.schedule import Clock
from dashboard.store.engine import NotStored, Store
from dashboard.store.fleet import lists
from dashboard.store.fleet.lists import MAX_LISTS, FleetList


class NameTaken(Exception):
    """Report that another list has this name."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(name)


class TooManyLists(Exception):
    """Report that there are MAX_LISTS lists already."""


@dataclass(frozen=True, slots=True)
class Saved:
    """Name the saved list, and whether it took the place of one of the same name."""

    id: int
    replaced: bool


@dataclass(frozen=True)
class FleetLists:
    store: Store
    clock: Clock

    def save(self, name: str, vehicles: Sequence[FleetVehicle], person_id: int, *, replace: bool = False) -> Saved:
        """Save vehicles under a name. Raises TooManyLists, and NameTaken unless it may `replace`."""
        now = self.clock()
        try:
            with self.store.write() as connection:
                found = lists.named(connection, name)
                if found is None:
                    if len(lists.listed(connection)) >= MAX_LISTS:
                        raise TooManyLists
                    return Saved(lists.add(connection, name, vehicles, now, person_id), replaced=False)
                if not replace:
                    raise NameTaken(name)
                lists.replace(connection, found.id, vehicles, now, person_id)
                return Saved(found.id, replaced=True)
        except IntegrityError:  # Saved by somebody else at the same moment.
            raise NameTaken(name) from None

    def rename(self, list_id: int, name: str) -> FleetList:
        """Rename a list, and return it as it was. Raises NotStored and NameTaken."""
        try:
            with self.store.write() as connection:
                before = lists.find(connection, list_id)
                if before is None:
                    raise NotStored(list_id)
                other = lists.named(connection, name)
                if other is not None and other.id != list_id:
                    raise NameTaken(name)
                lists.rename(connection, list_id, name)
        except IntegrityError:
            raise NameTaken(name) from None
        return before

    def delete(self, list_id: int) -> FleetList:
        """Delete a list; repeated searches of it find nothing until it is restored. Raises NotStored."""
        with self.store.write() as connection:
            deleted = lists.set_deleted(connection, list_id, self.clock())
        if deleted is None:
            raise NotStored(list_id)
        return deleted

    def restore(self, list_id: int) -> FleetList:
        """Bring a deleted list back. Raises NotStored, and NameTaken where another list has its name now."""
        try:
            with self.store.write() as connection:
                name = lists.name_of_deleted(connection, list_id)
                if name is not None and lists.named(connection, name):
                    raise NameTaken(name)
                restored = lists.set_deleted(connection, list_id, None)
        except IntegrityError:
            raise NameTaken(name or "") from None
        if restored is None:
            raise NotStored(list_id)
        return restored

    def use(self, list_id: int) -> tuple[FleetList, list[FleetVehicle]]:
        """Return a list with its vehicles. Raises NotStored."""
        with self.store.read() as connection:
            found = lists.find(connection, list_id)
            vehicles = lists.vehicles_of(connection, list_id)
        if found is None:
            raise NotStored(list_id)
        return found, vehicles
