"""Build the pages of the audit log: what was asked for, its entries, and where each of them leads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from itertools import groupby
from typing import Any

from flask import url_for

from dashboard.domain.registration import InvalidRegistration, normalize
from dashboard.domain.spreadsheets import Cell, defused
from dashboard.store.accounts import audit_pages, people
from dashboard.store.accounts.audit import MAX_SUBJECT, AuditEntry
from dashboard.store.accounts.audit_pages import AuditFilter
from dashboard.store.accounts.people import Person, key_of
from dashboard.web.accounts import audit_texts
from dashboard.web.accounts.audit_objects import FINDINGS, PLATES, Objects, about, is_uuid, objects_of
from dashboard.web.accounts.records import AuditPage, AuditPreset, AuditRow, AuditRun
from dashboard.web.links.records import Choice
from dashboard.web.shared import request_args
from dashboard.web.shared.current import current_services, today, zone
from dashboard.web.shared.periods import FIELDS, PeriodChoice, PeriodForm, PeriodProblem

PAGE_SIZE = 50
#: Up to so many entries are counted.
_MOST_COUNTED = 10_000
#: So many entries of one act stand in one row, which opens.
_RUN = 3
#: Numbers of days that are one click away.
_PRESETS = (1, 7, 30)
_FILTERED = frozenset({"person", "action", "object"})
_FIELDS = (*sorted(_FILTERED), *FIELDS, "without")
#: What `without=sign-ins` leaves out: what is of no interest most days. What failed stays.
_SIGN_INS = ("signed in", "signed out")


def read(arguments: Mapping[str, str]) -> tuple[AuditFilter, dict[str, str], dict[str, str]]:
    """Return the filter of an address, what its fields hold, and what is wrong with them."""
    typed = {name: arguments.get(name, "").strip()[:MAX_SUBJECT] for name in _FIELDS}
    if typed["without"] != "sign-ins" or typed["action"] in _SIGN_INS:
        typed["without"] = ""
    problems: dict[str, str] = {}
    days: dict[str, datetime] = {}
    for name in ("from", "to"):
        day = request_args.day(typed[name])
        if day is not None:
            later = day + timedelta(days=1 if name == "to" else 0)
            days[name] = datetime.combine(later, time.min, zone())
        elif typed[name]:
            problems[name] = audit_texts.NOT_A_DAY
    person_id = _row_id(typed["person"])
    subject = typed["object"]
    if subject:
        subject = _in_words_of_log(subject)
    narrowed = AuditFilter(
        person_id=person_id,
        action=typed["action"] or None,
        subject=subject or None,
        since=days.get("from"),
        until=days.get("to"),
        without=_SIGN_INS if typed["without"] else None,
    )
    return narrowed, typed, problems


def _in_words_of_log(typed: str) -> str:
    """Return what the log calls what a page names: a person by email, a plate without spaces."""
    with current_services().store.read() as connection:
        everybody = people.everybody(connection)
    named = [person.email for person in everybody if person.name.casefold() == typed.casefold()]
    if len(named) == 1:
        return named[0]
    with suppress(InvalidRegistration):
        return normalize(typed) if " " in typed else typed
    return typed


def audit_page(arguments: Mapping[str, str]) -> AuditPage:
    narrowed, typed, problems = read(arguments)
    before, after = _row_id(arguments.get("before", "")), _row_id(arguments.get("after", ""))
    with current_services().store.read() as connection:
        everybody = people.everybody(connection)
        found = audit_pages.page(connection, narrowed, PAGE_SIZE + 1, before=before, after=after)
        objects = objects_of(connection, found, everybody)
        number = audit_pages.count(connection, narrowed, _MOST_COUNTED + 1)
    backwards = after is not None and before is None
    more = len(found) > PAGE_SIZE
    entries = found[-PAGE_SIZE:] if backwards else found[:PAGE_SIZE]
    by_email = {key_of(person.email): person for person in everybody}
    query = {name: value for name, value in typed.items() if value and name not in problems}
    newer = bool(entries) and (more if backwards else before is not None)
    older = bool(entries) and (True if backwards else more)
    return AuditPage(
        days=_by_day(entries, by_email, objects),
        people=(
            Choice("", audit_texts.ANYBODY, not typed["person"]),
            *(Choice(str(each.id), each.name, str(each.id) == typed["person"]) for each in everybody),
        ),
        any_action=str(audit_texts.ANY_ACTION),
        actions=_actions(typed["action"]),
        period=_period(query, typed, problems),
        sign_ins=_sign_ins(query),
        typed=typed,
        is_refused=bool(problems),
        narrows=bool(query.keys() & _FILTERED),
        filters=_filters(query),
        kept={name: value for name, value in query.items() if name not in _FILTERED},
        newer=_address(query, after=entries[0].id) if newer else None,
        older=_address(query, before=entries[-1].id) if older else None,
        export=url_for("accounts.export_audit", **_strings(query)),
        page_size=PAGE_SIZE,
        entries=audit_texts.entries(number, _MOST_COUNTED),
    )


def _actions(chosen: str) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
    """Return the actions by group; one that no page has words for stands last, where it is chosen."""
    groups: dict[str, list[Choice]] = {}
    group = ""
    for name in dict.fromkeys([*audit_texts.ACTIONS, *([chosen] if chosen else [])]):
        group = str(audit_texts.GROUPS.get(name, group))
        groups.setdefault(group, []).append(Choice(name, audit_texts.action(name), name == chosen))
    return tuple((label, tuple(choices)) for label, choices in groups.items())


def _period(query: Mapping[str, str], typed: Mapping[str, str], problems: Mapping[str, str]) -> PeriodForm:
    """Offer the days of the log, with the rest of the filter; either of them may be left empty."""
    rest = {name: value for name, value in query.items() if name not in FIELDS}
    asked = [query.get(name) for name in FIELDS]
    spans: list[tuple[str, dict[str, str]]] = [(audit_texts.ALL_DAYS, {})]
    for days in _PRESETS:
        first = today() - timedelta(days=days - 1)
        spans.append((audit_texts.last_days(days), dict(zip(FIELDS, (str(first), str(today())), strict=True))))
    every, *last = (
        PeriodChoice(str(label), _address({**rest, **span}), asked == [span.get(name) for name in FIELDS])
        for label, span in spans
    )
    return PeriodForm(
        action=url_for("accounts.audit"),
        days=audit_texts.days(*(request_args.day(each or "") for each in asked)),
        typed={name: typed[name] for name in FIELDS},
        problem=PeriodProblem(next(iter(problems.values())), tuple(problems)) if problems else None,
        choices=tuple(last),
        more=(every,),
        kept=rest,
    )


def _filters(query: Mapping[str, str]) -> str:
    """Name what leaves out entries, as the page calls it."""
    names = [str(label) for name, label in audit_texts.FILTERS.items() if name in query]
    if query.keys() & set(FIELDS):
        names.append(audit_texts.days(*(request_args.day(query.get(name, "")) for name in FIELDS)))
    return audit_texts.filtered_by(names)


def _sign_ins(query: Mapping[str, str]) -> tuple[AuditPreset, ...]:
    """Return the ways to the log with sign-ins and without; none where they are what somebody looks for."""
    if query.get("action") in _SIGN_INS:
        return ()
    rest = {name: value for name, value in query.items() if name != "without"}
    return (
        AuditPreset(str(audit_texts.WITH_SIGN_INS), _address(rest), is_chosen=rest == query),
        AuditPreset(
            str(audit_texts.WITHOUT_SIGN_INS), _address({**rest, "without": "sign-ins"}), is_chosen=rest != query
        ),
    )


def cells(entry: AuditEntry, by_id: Mapping[int, Person]) -> list[Cell]:
    """Return the row of an entry in a file; text that somebody typed is defused."""
    person = by_id.get(entry.person_id) if entry.person_id is not None else None
    return [
        entry.id,
        entry.at,
        defused(person.name if person else None),
        defused(person.email if person else None),
        defused(entry.action),
        defused(entry.subject),
        defused(audit_texts.detail(entry.detail)),
        defused(entry.address),
        defused(entry.request_id),
    ]


def _by_day(
    entries: Sequence[AuditEntry], by_email: Mapping[str, Person], objects: Objects
) -> tuple[tuple[date, tuple[AuditRun, ...]], ...]:
    """Return the entries of each day, in their order, those of one act together."""
    days = groupby(entries, key=lambda entry: entry.at.astimezone(zone()).date())
    return tuple((day, tuple(_runs(listed, by_email, objects))) for day, listed in days)


def _runs(entries: Iterable[AuditEntry], by_email: Mapping[str, Person], objects: Objects) -> Iterator[AuditRun]:
    for _act, group in groupby(entries, key=_act_of):
        listed = list(group)
        size = len(listed) if len(listed) >= _RUN else 1
        for first in range(0, len(listed), size):
            yield _run(listed[first : first + size], by_email, objects)


def _act_of(entry: AuditEntry) -> tuple[object, ...]:
    """Tell acts apart: who did what from where, for which plan, or else within which minute."""
    plan = entry.detail.get("plan") or entry.at.replace(second=0, microsecond=0)
    # The person of a command is whom it is about.
    by = None if audit_texts.is_command(entry.address) else entry.person_id
    return by, entry.action, entry.address, plan


def _run(entries: Sequence[AuditEntry], by_email: Mapping[str, Person], objects: Objects) -> AuditRun:
    rows = tuple(_row(entry, by_email, objects) for entry in entries)
    named = dict.fromkeys(row.subject for row in rows)
    details = {row.detail for row in rows}
    shared = details.pop() if len(details) == 1 else objects.names.get(str(entries[0].detail.get("plan", "")), "")
    actions = {row.action for row in rows}
    action = actions.pop() if len(actions) == 1 else audit_texts.action(entries[0].action)
    return AuditRun(rows, action, audit_texts.and_others(rows[0].subject, len(named) - 1), shared)


def _row(entry: AuditEntry, by_email: Mapping[str, Person], objects: Objects) -> AuditRow:
    request = str(entry.detail.get("request", ""))
    is_known = bool(entry.name) and not audit_texts.is_command(entry.address)
    subject = objects.name_of(entry)
    return AuditRow(
        id=entry.id,
        at=entry.at,
        name=entry.name if is_known and entry.name else audit_texts.nobody(entry.address),
        is_known=is_known,
        action=objects.action(entry),
        raw=entry.action,
        subject=subject,
        raw_subject=entry.subject or "",
        leads_to=_leads_to(entry, by_email, objects),
        request=url_for("creation.request_page", request_id=request) if is_uuid(request) else None,
        detail=objects.detail(entry),
        raw_detail=audit_texts.detail(entry.detail),
        origin=audit_texts.origin(entry.address),
        request_id=entry.request_id or "",
        is_own=subject == str(audit_texts.OWN_ACCOUNT),
    )


def _leads_to(entry: AuditEntry, by_email: Mapping[str, Person], objects: Objects) -> str | None:
    """Return the address of what an entry is about; None where it has none, or has it no more."""
    subject = about(entry)
    of_fleet = entry.detail.get("of") if entry.action == "export" else None
    if is_uuid(subject) and (entry.action.startswith(("bulk search ", "fleet search")) or of_fleet == "search run"):
        return url_for("fleet.run", run_id=subject)
    if is_uuid(subject) and (entry.action.startswith("bulk ") or of_fleet):
        return url_for("fleet.plan", plan_id=subject)
    if link_id := objects.link_of(entry):
        return url_for("links.show", link_id=link_id)
    if entry.action.startswith("driver "):
        driver_id = _row_id(subject)
        return url_for("sharing.driver", driver_id=driver_id) if driver_id is not None else None
    if person := by_email.get(key_of(subject)):
        return url_for("accounts.person", person_id=person.id)
    if entry.action in PLATES:
        try:
            return url_for("vehicles.show", rc=normalize(subject))
        except InvalidRegistration:
            return None
    if entry.action.startswith("message "):
        return url_for("sharing.messages", language=subject)
    if entry.action in {*FINDINGS, "verification asked"}:
        return url_for("reconciliation.index")
    if entry.action == "assumption checked":
        return url_for("operations.assumptions", _anchor=subject)
    return url_for("operations.index") if entry.action == "service tried again" else None


def _address(query: Mapping[str, str], **place: int) -> str:
    return url_for("accounts.audit", **_strings(query), **_strings(place))


def _strings(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: str(value) for name, value in values.items()}


def _row_id(text: str) -> int | None:
    try:
        return request_args.row_id(text) if text else None
    except ValueError:
        return None
