"""Drivers: local to us. Who they are, how to reach them, what they usually drive, and what they were given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import Connection, Row

from dashboard.domain.edit_conflicts import EditConflict, require_unchanged
from dashboard.domain.messages import LANGUAGES
from dashboard.domain.registration import spaced
from dashboard.store.sharing import drivers, shares
from dashboard.web.shared import edit_conflicts
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import audit, current_services, names, person_id
from dashboard.web.shared.edit_conflicts import Editing
from dashboard.web.shared.records import StateWords
from dashboard.web.shared.saved_forms import resumes_on_its_own_page
from dashboard.web.sharing.forms import DRIVER_LABELS, DriverForm
from dashboard.web.sharing.page import CHANNELS
from dashboard.web.sharing.routes import bp

#: What the audit log calls a change of what is known of a driver.
_CHANGES = ("driver added", "driver changed")


@dataclass(frozen=True, slots=True)
class Vehicle:
    rc: str
    plate: str


@dataclass(frozen=True, slots=True)
class DriverCard:
    id: int
    name: str
    phone: str | None
    email: str | None
    language: str
    note: str | None
    vehicles: tuple[Vehicle, ...]
    has_left: bool


@dataclass(frozen=True, slots=True)
class GivenLink:
    """A link that a driver was given: when, by whom and how, and what became of it."""

    link_id: str
    plate: str | None
    state: StateWords
    total: Decimal | None
    at: datetime
    by: str
    channel: str


@bp.get("/drivers", endpoint="drivers")
def index() -> str:
    return _listed(DriverForm(formdata=None))


@bp.post("/drivers")
def add_driver() -> ResponseReturnValue:
    form = DriverForm()
    if not form.validate():
        return _listed(form), 422
    services = current_services()
    with services.store.write() as connection:
        driver_id = drivers.add(connection, at=services.clock(), by=person_id(), rcs=form.rcs(), **form.values())
    audit("driver added", str(driver_id), name=form.values()["name"])
    return redirect(url_for("sharing.driver", driver_id=driver_id), 303)


@bp.get("/drivers/<int:driver_id>")
def driver(driver_id: int) -> str:
    row = _find(driver_id)
    with current_services().store.read() as connection:
        kept = _kept(connection, row)
    return _shown(row, DriverForm(formdata=None, data=kept), edit_conflicts.start(kept))


@bp.post("/drivers/<int:driver_id>")
def update_driver(driver_id: int) -> ResponseReturnValue:
    row = _find(driver_id)
    form = DriverForm()
    if not form.validate():
        return _shown(row, form, edit_conflicts.go_on()), 422
    typed = form.values() | {"vehicles": _listing(form.rcs())}
    try:
        with current_services().store.write() as connection:
            row = drivers.find(connection, driver_id) or abort(404)
            require_unchanged(edit_conflicts.sent_basis(), _kept(connection, row), typed)
            drivers.update(connection, driver_id, rcs=form.rcs(), **form.values())
    except EditConflict as conflict:
        editing = edit_conflicts.restart(conflict, typed, DRIVER_LABELS, subject=str(driver_id), actions=_CHANGES)
        return _shown(row, form, editing), 409
    audit("driver changed", str(driver_id), name=form.values()["name"])
    return redirect(url_for("sharing.driver", driver_id=driver_id), 303)


def _subject(view_args: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the driver that a saved form is about, and its address."""
    with current_services().store.read() as connection:
        row = drivers.find(connection, int(view_args["driver_id"]))
    return (row.name, url_for("sharing.driver", driver_id=row.id)) if row is not None else None


resumes_on_its_own_page("sharing.add_driver", "A new driver", DRIVER_LABELS)
resumes_on_its_own_page("sharing.update_driver", "What is known of a driver", DRIVER_LABELS, _subject)


@bp.post("/drivers/<int:driver_id>/leave")
def mark_driver_left(driver_id: int) -> ResponseReturnValue:
    """A driver has left, or is back: what was given to them stays known either way."""
    row = _find(driver_id)
    services = current_services()
    is_back = request.form.get("back") == "yes"
    if is_back == (row.gone_at is not None):  # Else somebody was first.
        with services.store.write() as connection:
            kept = drivers.vehicles(connection, [driver_id]).get(driver_id, [])
            drivers.update(connection, driver_id, rcs=kept, gone_at=None if is_back else services.clock())
        audit("driver back" if is_back else "driver left", str(driver_id), name=row.name)
    return redirect(url_for("sharing.driver", driver_id=driver_id), 303)


def _find(driver_id: int) -> Row[Any]:
    with current_services().store.read() as connection:
        return drivers.find(connection, driver_id) or abort(404)


def _kept(connection: Connection, row: Row[Any]) -> dict[str, str | None]:
    """What the form for a driver is about, as it is kept."""
    rcs = drivers.vehicles(connection, [row.id]).get(row.id, [])
    texts = {name: getattr(row, name) for name in ("name", "phone", "email", "language", "note")}
    return texts | {"vehicles": _listing(rcs)}


def _listing(rcs: Iterable[str]) -> str | None:
    return ", ".join(spaced(rc) for rc in sorted(set(rcs))) or None


def _listed(form: DriverForm) -> str:
    with current_services().store.read() as connection:
        present, gone = drivers.listed(connection), drivers.listed(connection, gone=True)
        rcs = drivers.vehicles(connection, [row.id for row in (*present, *gone)])
    cards = [[_card(row, rcs.get(row.id, [])) for row in rows] for rows in (present, gone)]
    return render_template("sharing/drivers.html", form=form, drivers=cards[0], gone=cards[1])


def _shown(row: Row[Any], form: DriverForm, edited: Editing) -> str:
    with current_services().store.read() as connection:
        given = shares.of_driver(connection, row.id)
        rcs = drivers.vehicles(connection, [row.id]).get(row.id, [])
    people = names()
    rows = [
        GivenLink(
            link_id=each.link_id,
            plate=spaced(each.rc) if each.rc else None,
            state=shared_texts.link_state(each.status),
            total=each.total,
            at=each.at,
            by=people.get(each.person_id, "a former colleague"),
            channel=CHANNELS.get(each.channel, each.channel),
        )
        for each in given
    ]
    return render_template("sharing/driver.html", form=form, driver=_card(row, rcs), given=rows, editing=edited)


def _card(row: Row[Any], rcs: list[str]) -> DriverCard:
    known = LANGUAGES.get(row.language)
    return DriverCard(
        id=row.id,
        name=row.name,
        phone=row.phone,
        email=row.email,
        language=known.name if known else row.language,
        note=row.note,
        vehicles=tuple(Vehicle(rc, spaced(rc)) for rc in rcs),
        has_left=row.gone_at is not None,
    )
