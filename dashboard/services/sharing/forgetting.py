"""Forget the personal data of drivers. Links, shares and amounts stay, without the names of those drivers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from dashboard.domain.forgetting import Traces
from dashboard.domain.phones import InvalidPhone, international
from dashboard.services.accounts import audit
from dashboard.services.accounts.audit import Origin
from dashboard.services.schedule import Clock
from dashboard.store.accounts import audit as entries
from dashboard.store.engine import Store
from dashboard.store.sharing import drivers, mentions
from dashboard.store.sharing.drivers import Driver


@dataclass(frozen=True)
class Forgetting:
    store: Store
    clock: Clock

    def find(self, wanted: str) -> list[Driver]:
        """Return the drivers with an id, a name or a phone number; those who are forgotten already are left out."""
        with self.store.read() as connection:
            known = [*drivers.listed(connection), *drivers.listed(connection, left=True)]
        name, phone = " ".join(wanted.split()).casefold(), _comparable(wanted)
        return [
            each
            for each in known
            if str(each.id) == wanted.strip()
            or " ".join(each.name.split()).casefold() == name
            or (phone is not None and _comparable(each.phone) == phone)
        ]

    def forget(self, found: Sequence[Driver], origin: Origin) -> int:
        """Remove all that says who these drivers are, in one transaction; return how many texts were changed.

        Who forgets them is recorded in the audit log, with the ids of the drivers.
        """
        # A long history takes seconds to read, and nobody has to wait for that.
        with self.store.read() as connection:
            earlier = [(name, None, None) for each in found for name in entries.names_of_driver(connection, each.id)]
            traces = Traces([*((each.name, each.phone, each.email) for each in found), *earlier])
            mentions_found = mentions.find(connection, traces)
        now = self.clock()
        with self.store.write() as connection:
            forgotten = [each.id for each in found if drivers.forget(connection, each.id, now)]
            texts = mentions.remove(connection, traces, mentions_found)
            for driver_id in forgotten:
                audit.record(connection, "driver forgotten", now, origin, subject=str(driver_id))
        return texts

    def forget_left(self, before: datetime, limit: int, origin: Origin) -> int:
        """Forget drivers who left before a time, `limit` at most; return how many there were."""
        with self.store.read() as connection:
            found = drivers.left_before(connection, before, limit)
        if found:
            self.forget(found, origin)
        return len(found)


def _comparable(phone: str | None) -> str | None:
    try:
        return international(phone or "")
    except InvalidPhone:
        return None
