"""Keep what a person typed or uploaded to be searched, and start its run once."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from dashboard.domain.fleet import MAX_VEHICLES, FleetVehicle
from dashboard.domain.fleet_input import CITY, RC, RC_TYPE, Checked, Known, Line, check
from dashboard.domain.registration import InvalidRegistration, normalize
from dashboard.errors import ServiceError
from dashboard.services.fleet.searches import FleetSearches
from dashboard.services.links.custom_fields import CustomFieldValues
from dashboard.services.schedule import Clock
from dashboard.services.sharing.drivers import Drivers
from dashboard.services.vehicles.reference_data import ReferenceData
from dashboard.store.engine import NotStored, Store
from dashboard.store.fleet import drafts, jobs, known_vehicles
from dashboard.store.fleet.drafts import Draft


class NothingToSearch(Exception):
    """Report a draft without any vehicle that can be searched."""


@dataclass(frozen=True, slots=True)
class Started:
    """Hold the id of a run, and what was taken in with it; `is_new` is False for a run that was started before."""

    run_id: str
    is_new: bool
    vehicles: int
    drivers: int
    with_fields: int


@dataclass(frozen=True)
class FleetDrafts:
    store: Store
    clock: Clock
    reference_data: ReferenceData
    drivers: Drivers
    custom_fields: CustomFieldValues
    searches: FleetSearches

    def add(
        self,
        person_id: int,
        title: str,
        lines: Sequence[Line],
        *,
        ignored: Sequence[str] = (),
        list_id: int | None = None,
        at_source: bool = False,
    ) -> str:
        """Store a draft and return its id."""
        now = self.clock()
        with self.store.write() as connection:
            return drafts.add(
                connection, person_id, title, lines, now, ignored=ignored, list_id=list_id, at_source=at_source
            )

    def add_known(self, person_id: int, title: str, days: int | None = None) -> str:
        """Store a draft of all vehicles that were searched before, or of those not searched for `days`.

        Raises NothingToSearch.
        """
        vehicles = self.known(days)
        if not vehicles:
            raise NothingToSearch
        return self.add(person_id, title, [Line(number, {RC: each.rc}) for number, each in enumerate(vehicles, 1)])

    def known(self, days: int | None = None) -> list[FleetVehicle]:
        """Return the vehicles searched before, or those not searched for `days`; no more than a run may have."""
        before = None if days is None else self.clock() - timedelta(days=days)
        with self.store.read() as connection:
            return [FleetVehicle(rc) for rc in known_vehicles.numbers(connection, MAX_VEHICLES, before)]

    def find(self, draft_id: str, person_id: int) -> Draft:
        """Return a draft. Raises NotStored unless it is this person's."""
        with self.store.read() as connection:
            draft = drafts.find(connection, draft_id, person_id, self.clock())
        if draft is None:
            raise NotStored(draft_id)
        return draft

    def check(self, lines: Sequence[Line]) -> Checked:
        """Check lines with what is stored; the service is not called."""
        cities, rc_types = self.reference_data.known()
        with self.store.read() as connection:
            searched = known_vehicles.among(connection, _numbers(lines))
        return check(lines, Known(cities, rc_types, searched))

    def fetch_lists(self, lines: Sequence[Line], *, wanted: bool = False) -> None:
        """Fetch cities and RC types where lines name some, or a person wants to choose from them, unless the stored
        ones are fresh or the service refuses.
        """
        if wanted or any(line.cells.get(RC_TYPE) or line.cells.get(CITY) for line in lines):
            with suppress(ServiceError):
                self.reference_data.fresh()

    def change(self, draft: Draft, title: str, lines: Sequence[Line], *, at_source: bool) -> None:
        """Store a draft as it was corrected."""
        with self.store.write() as connection:
            drafts.change(connection, draft.id, title, lines, at_source=at_source)

    def discard(self, draft: Draft) -> None:
        with self.store.write() as connection:
            drafts.delete_all(connection, [draft.id])

    def start(self, draft: Draft, person_id: int) -> Started:
        """Start the run, whose id is that of the draft, and take in drivers and custom fields, once for all calls.

        Raises NothingToSearch.
        """
        checked = self.check(draft.lines)
        if not checked.vehicles:
            raise NothingToSearch
        vehicles = [FleetVehicle(each.rc, each.rc_type, each.city_id) for each in checked.vehicles]
        run_id = self.searches.start(draft.title, vehicles, person_id, run_id=draft.id, at_source=draft.at_source)
        with self.store.write() as connection:
            is_new = drafts.take(connection, draft.id)
        listed, fields = checked.drivers, checked.custom_fields
        if is_new and listed:
            self.drivers.take_in(listed, person_id)
        if is_new and fields:
            self.custom_fields.take_in(fields, person_id)
        return Started(run_id, is_new, len(vehicles), len(listed), len(fields))

    def is_started(self, draft_id: str) -> bool:
        """Return whether the run of a draft has begun."""
        with self.store.read() as connection:
            return jobs.find(connection, draft_id) is not None


def _numbers(lines: Sequence[Line]) -> set[str]:
    """Return the numbers of lines, without those that are none."""
    found = set()
    for line in lines:
        try:
            found.add(normalize(line.cells.get(RC, "")))
        except InvalidRegistration:
            continue
    return found
