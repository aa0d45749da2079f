"""Name what the entries of the audit log are about, and what they add, in the words of the pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Connection

from dashboard.domain.assumptions import AssumptionOutcome
from dashboard.domain.languages import LANGUAGES
from dashboard.domain.registration import InvalidRegistration, normalize, spaced
from dashboard.domain.roles import Role
from dashboard.domain.sharing import Channel
from dashboard.store.accounts.audit import AuditEntry
from dashboard.store.fleet import jobs
from dashboard.store.links import links
from dashboard.store.sharing import drivers
from dashboard.web.accounts import audit_texts
from dashboard.web.operations.assumption_texts import ASSUMPTIONS
from dashboard.web.operations.texts import OUTCOMES
from dashboard.web.shared.texts import role_name
from dashboard.web.sharing.texts import CHANNELS

#: Actions about a vehicle.
PLATES = frozenset({"search", "refresh", "create", "override", "release-link", "fields"})


@dataclass(frozen=True, slots=True)
class Objects:
    """Hold the names of links and jobs by id, and of drivers by number, as text."""

    names: Mapping[str, str]
    drivers: Mapping[str, str]

    def name_of(self, entry: AuditEntry) -> str:
        """Return the name of what an entry is about; its own words where that has none, or has it no more."""
        subject = entry.subject or ""
        if entry.action.startswith("driver "):
            return self.drivers.get(subject, subject)
        if entry.action in PLATES:
            with suppress(InvalidRegistration):
                return spaced(normalize(subject))
        if entry.action == "assumption checked":
            claim = next((each.claim for each in ASSUMPTIONS if each.code == subject), "")
            return f"{subject} · {claim}" if claim else subject
        return self.names.get(subject, subject)

    def detail(self, entry: AuditEntry) -> str:
        """Write what an action adds, "1 challan · 48 hours", but for its request and the name of its object."""
        left_out = (None, "", self.name_of(entry))
        told = {name: value for name, value in entry.detail.items() if name != "request" and value not in left_out}
        return " · ".join(self._part(name, value) for name, value in told.items())

    def _part(self, name: str, value: object) -> str:
        with suppress(ValueError, KeyError):
            if name == "driver":
                return self.drivers[str(value)]
            if name == "channel":
                return str(CHANNELS[Channel(str(value))])
            if name == "language":
                return LANGUAGES[str(value)].name
            if name == "role":
                return role_name(Role(str(value)))
            if name == "outcome":
                return str(OUTCOMES[AssumptionOutcome(str(value))])
            if name in audit_texts.COUNTED:
                return audit_texts.counted(name, int(str(value)))
        return str(value) if name == "name" else f"{name.replace('_', ' ')} {value}"


def objects_of(connection: Connection, entries: Iterable[AuditEntry]) -> Objects:
    """Read the names of what these entries are about."""
    entries = list(entries)
    ids = {entry.subject for entry in entries if entry.subject and is_uuid(entry.subject)}
    numbers = {entry.subject or "" for entry in entries if entry.action.startswith("driver ")}
    numbers |= {str(entry.detail.get("driver", "")) for entry in entries}
    found = links.find_all(connection, ids)
    names = {link_id: audit_texts.link_of(spaced(link.rc)) for link_id, link in found.items() if link.rc}
    names |= jobs.titles(connection, ids)
    known = drivers.names(connection, [int(number) for number in numbers if number.isdecimal() and len(number) < 10])
    return Objects(names, {str(driver_id): name for driver_id, name in known.items()})


def is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
