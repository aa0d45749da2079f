"""Name what the entries of the audit log are about, and what they add, in the words of the pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from sqlalchemy import Connection

from dashboard.domain.assumptions import AssumptionOutcome
from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.domain.fleet import SearchOutcome
from dashboard.domain.intents import LINK_IS_OURS
from dashboard.domain.languages import LANGUAGES
from dashboard.domain.registration import InvalidRegistration, normalize, spaced
from dashboard.domain.roles import Role
from dashboard.domain.sharing import Channel
from dashboard.store.accounts.audit import AuditEntry
from dashboard.store.accounts.people import Person, key_of
from dashboard.store.creation import intents
from dashboard.store.fleet import jobs
from dashboard.store.links import links
from dashboard.store.reconciliation import discrepancies
from dashboard.store.sharing import drivers
from dashboard.web.accounts import audit_texts
from dashboard.web.creation.texts import TITLES
from dashboard.web.fleet import run_texts as fleet_run_texts
from dashboard.web.fleet import texts as fleet_texts
from dashboard.web.operations.assumption_texts import ASSUMPTIONS
from dashboard.web.operations.texts import OUTCOMES
from dashboard.web.reconciliation.texts import KINDS
from dashboard.web.shared.current import format_amount
from dashboard.web.shared.languages import language_name
from dashboard.web.shared.texts import join_words, role_name
from dashboard.web.sharing.texts import CHANNELS

#: Actions on a discrepancy, whose subject is its number.
FINDINGS = frozenset({"finding seen", "finding reopened"})
#: Actions about a vehicle.
PLATES = frozenset({"search", "refresh", "create", "override", "release-link", "fields"})


#: What the action itself says.
_IN_ACTION = {"language chosen": "language"}
#: What an entry adds that the names beside it say already, and what only programs read.
_SAID = frozenset({"request", "link", "share", "vehicle", "format", "title"})


@dataclass(frozen=True, slots=True)
class Objects:
    """Hold the names of links and jobs by id, of drivers by number, and of people by email, and the links of
    discrepancies by number.
    """

    names: Mapping[str, str]
    drivers: Mapping[str, str]
    people: Mapping[str, Person]
    links_of_discrepancies: Mapping[str, str]
    results: Mapping[str, str]  # what came of requests for links, by their ids: "₹559.00 · Created"

    def link_of(self, entry: AuditEntry) -> str:
        """Return the id of the link that an entry is about, or "" for another object."""
        subject = about(entry)
        if entry.action in FINDINGS:
            return self.links_of_discrepancies.get(subject, "")
        return subject if is_uuid(subject) else ""

    def name_of(self, entry: AuditEntry) -> str:
        """Return the name of what an entry is about; its own words where that has none, or has it no more."""
        subject, action = about(entry), entry.action
        if action.startswith("driver "):
            return self.drivers.get(subject) or str(entry.detail.get("name") or audit_texts.FORGOTTEN_DRIVER)
        if action in PLATES and not is_uuid(subject):
            with suppress(InvalidRegistration):
                return spaced(normalize(subject))
        if action == "assumption checked":
            return next((str(each.matters) for each in ASSUMPTIONS if each.code == subject), subject)
        if action.startswith("message ") and subject in LANGUAGES:
            return audit_texts.message_in(language_name(subject))
        if action == "second factor required":
            return ""  # The action names them.
        if action in FINDINGS:
            return self.names.get(self.link_of(entry), str(audit_texts.DISCREPANCY))
        if subject in audit_texts.SUBJECTS:
            return str(audit_texts.SUBJECTS[subject])
        if is_uuid(subject):
            return self.names.get(subject, str(audit_texts.GONE))
        person = self.people.get(key_of(subject))
        if person is None:
            return subject
        is_own = person.id == entry.person_id and not audit_texts.is_command(entry.address)
        return str(audit_texts.OWN_ACCOUNT) if is_own else person.name

    def action(self, entry: AuditEntry) -> str:
        """Write what was done, with the value that it is about."""
        if entry.action == "language chosen" and (language := LANGUAGES.get(str(entry.detail.get("language")))):
            return audit_texts.language_set(language.name)
        if entry.action == "assumption checked":
            return audit_texts.checked(about(entry))
        if entry.action == "second factor required":
            return audit_texts.factor_required(self._roles(entry))
        return audit_texts.action(entry.action)

    @staticmethod
    def _roles(entry: AuditEntry) -> str:
        return join_words([_role(each) for each in about(entry).split(", ")])

    def detail(self, entry: AuditEntry) -> str:
        """Write what an action adds, "1 challan · 48 hours", but for what is named beside it, and for zeros."""
        said = (None, "", self.name_of(entry), entry.subject)
        left_out = _IN_ACTION.get(entry.action, "")
        parts = [
            self._part(name, value) for name, value in entry.detail.items() if value not in said and name != left_out
        ]
        parts.append(self.results.get(str(entry.detail.get("request", "")), ""))
        return " · ".join(part for part in parts if part)

    def _part(self, name: str, value: object) -> str:
        """Write one value in words; "" for one that says nothing to people."""
        if name in _SAID:
            return ""
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
                return _outcome(str(value))
            if name == "kind":
                return str(KINDS[DiscrepancyKind(str(value))].title)
            if name == "plan":
                return self.names.get(str(value), "")
            if name in audit_texts.COUNTED:
                return audit_texts.counted(name, len(value) if isinstance(value, list) else int(str(value)))
            if name in audit_texts.DAYS:
                return audit_texts.on_day(name, date.fromisoformat(str(value)[:10]))
        if words := audit_texts.VALUES.get(name, {}).get(str(value)):
            return str(words)
        if name == "filter":
            return str(audit_texts.FILTERED) if value else ""
        return str(value) if name in audit_texts.TYPED else f"{name.replace('_', ' ')} {value}"


def about(entry: AuditEntry) -> str:
    """Return what the log calls the object of an entry, without the kind that is before it for custom fields."""
    subject = entry.subject or ""
    return subject.removeprefix("link ").removeprefix("vehicle ") if entry.action == "fields" else subject


def _outcome(name: str) -> str:
    """Name what came of a check, or the vehicles of a search that were exported."""
    with suppress(ValueError):
        return str(OUTCOMES[AssumptionOutcome(name)])
    with suppress(ValueError):
        return fleet_run_texts.tally(SearchOutcome(name))
    return "" if name == "all" else name


def _role(name: str) -> str:
    with suppress(ValueError):
        return role_name(Role(name))
    return str(audit_texts.NOBODY_AT_ALL)


def objects_of(connection: Connection, entries: Iterable[AuditEntry], everybody: Iterable[Person]) -> Objects:
    """Read the names of what these entries are about."""
    entries = list(entries)
    found = [entry.subject for entry in entries if entry.action in FINDINGS and entry.subject]
    of_links = discrepancies.links_of(connection, _numbers(found))
    ids = {about(entry) for entry in entries if is_uuid(about(entry))}
    ids |= {str(entry.detail["plan"]) for entry in entries if entry.detail.get("plan")}
    links_found = links.find_all(connection, ids | set(of_links.values()))
    names = {
        link_id: audit_texts.link_of(spaced(link.rc)) if link.rc else str(audit_texts.LINK_OF_UNKNOWN)
        for link_id, link in links_found.items()
    }
    names |= {job_id: fleet_texts.title(job) for job_id, job in jobs.find_all(connection, ids).items()}
    numbers = {entry.subject or "" for entry in entries if entry.action.startswith("driver ")}
    numbers |= {str(entry.detail.get("driver", "")) for entry in entries}
    requests = {str(entry.detail.get("request", "")) for entry in entries if entry.action == "create"}
    known = drivers.names(connection, _numbers(numbers))
    return Objects(
        names,
        {str(driver_id): name for driver_id, name in known.items()},
        {key_of(person.email): person for person in everybody},
        {str(discrepancy_id): link_id for discrepancy_id, link_id in of_links.items()},
        _results(connection, {each for each in requests if is_uuid(each)}),
    )


def _results(connection: Connection, intent_ids: Collection[str]) -> dict[str, str]:
    """Say what came of requests for links: what the link comes to, and the state that their page shows."""
    found = intents.results(connection, intent_ids)
    of_links = links.find_all(connection, {link_id for _state, link_id in found.values() if link_id})
    said = {}
    for intent_id, (state, link_id) in found.items():
        link = of_links.get(link_id or "")
        total = format_amount(link.total) if link and link.total is not None and state in LINK_IS_OURS else ""
        said[intent_id] = " · ".join(filter(None, (total, str(TITLES[state]))))
    return said


def _numbers(texts: Iterable[str]) -> list[int]:
    return [int(text) for text in texts if text.isdecimal() and len(text) < 10]


def is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
