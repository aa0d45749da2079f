"""Build the table in which drivers are chosen for vehicles, read what was typed there, and save it: all, or nothing.

A driver is typed by name or by phone number; who is not among the drivers is added, once the number is known. The
blueprint of such a page has the endpoints `choose_drivers` and `save_drivers`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import Response, abort, request, url_for
from werkzeug.datastructures import MultiDict

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.money import NO_SUM
from dashboard.domain.registration import spaced
from dashboard.services.sharing.drivers import Chosen, NewPhoneTaken
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.links.totals import Total, add
from dashboard.web.shared import htmx, saved_forms
from dashboard.web.shared.current import audit
from dashboard.web.shared.toasts import toast
from dashboard.web.sharing import texts
from dashboard.web.sharing.driver_choice_records import (
    NEW,
    DriverChoicePage,
    VehicleToChoose,
    field_of,
    new_prefix,
    use_of,
)
from dashboard.web.sharing.driver_typed import known_drivers, read_row, with_same_number
from dashboard.web.sharing.forms import DriverForm

_PAGE_SIZE = 100
#: Names in an address the vehicle for which somebody types.
_TYPED = "typed"


@dataclass(frozen=True, slots=True)
class Choices:
    """Hold what was sent: the vehicles as they are shown again, and who was chosen for which of them."""

    rows: tuple[VehicleToChoose, ...]
    chosen: Mapping[str, int | DriverDetails]
    left: int  # of all vehicles, those that nobody has and nobody was chosen for
    takes_suggested: bool = False  # somebody was taken from those suggested, which saves nothing

    @property
    def status(self) -> int:
        """Return the status of the page that shows these again."""
        return 200 if self.takes_suggested and not self.is_wrong and not self.asked else 422

    @property
    def problem(self) -> str:
        """Say that nobody was chosen, unless something else is wrong."""
        return "" if self.chosen or self.is_wrong or self.asked else str(texts.NOBODY_CHOSEN)

    @property
    def asked(self) -> str:
        """Ask who is meant, or else for the phone numbers of those who are new, until each was asked for it; "" for
        nobody.
        """
        if any(each.is_doubtful for each in self.rows):
            return str(texts.WHO_IS_MEANT)
        new = {each.typed.casefold() for each in self.rows if each.form and not each.form.phone.data}
        return texts.are_new(len(new)) if any(each.is_asked for each in self.rows) else ""

    @property
    def is_wrong(self) -> bool:
        return any(each.is_wrong for each in self.rows)

    def refused(self, taken: NewPhoneTaken) -> Choices:
        """Return these with the number refused that was typed for somebody new, as it is that of another driver."""
        for row in self.rows:
            if row.rc == taken.rc and row.form:
                row.form.phone_is_of(taken.driver)
        return self


def choice_page(listed: Sequence[VehicleToChoose], choices: Choices | None = None) -> DriverChoicePage:
    """Show a page of vehicles: those that were sent and refused, or that which the request asks for.

    What somebody sent whose session had expired is typed there again. A vehicle that the request names has the focus.
    """
    asked = request.args.get("vehicle", "")
    number = request.args.get("page", 1, int)
    pages = max(1, math.ceil(len(listed) / _PAGE_SIZE))
    places = [place for place, each in enumerate(listed) if each.rc == asked]
    number = places[0] // _PAGE_SIZE + 1 if places else min(max(1, number), pages)
    known = known_drivers()
    shown = listed[(number - 1) * _PAGE_SIZE : number * _PAGE_SIZE]
    rows = tuple(read_row(each, known, {})[0] if each.typed else each for each in shown)
    if choices and choices.rows:
        rows = choices.rows
    elif waits := waiting():
        typed = {each.rc: each for each in read(rows, waits).rows}
        rows = tuple(typed.get(each.rc, each) for each in rows)
    lacking = [each for each in listed if not each.typed]
    # Where something is to be mended or added, that has the focus by itself.
    is_refused = any(each.is_wrong or each.is_asked or each.is_doubtful for each in rows)
    first = next((each.rc for each in rows if not each.typed), rows[0].rc if rows else "")
    return DriverChoicePage(
        rows=tuple(replace(each, reads=_address("save", number, each.rc)) for each in rows),
        known=tuple(known),
        new=DriverForm(formdata=None, prefix=new_prefix(NEW), meta={"csrf": False}),
        left=len(lacking),
        left_sum=add(each.links for each in lacking).sum,
        problem=choices.problem if choices else "",
        asked=choices.asked if choices else "",
        focused="" if is_refused else asked,
        first="" if is_refused or asked else first,
        page=number,
        pages=pages,
        action=_address("save", number),
        before=_address("choose", number - 1) if number > 1 else "",
        after=_address("choose", number + 1) if number < pages else "",
    )


def waiting() -> MultiDict[str, str] | None:
    """Return the fields of this page that were sent when the session of the person had expired, if any were."""
    form = saved_forms.waiting(f"{request.blueprint}.save_drivers")
    here = {name: str(value) for name, value in (request.view_args or {}).items()}
    return MultiDict(form.fields) if form is not None and form.view_args == here else None


def address_of(form: SavedForm) -> str:
    """Return the address at which a form of such a page resumes: the page with the first vehicle that was typed."""
    prefix = field_of("")
    typed = (name.removeprefix(prefix) for name, value in form.fields if name.startswith(prefix) and value.strip())
    arguments: dict[str, Any] = {**form.view_args, "vehicle": next(typed, None)}
    return url_for(form.endpoint.replace("save_drivers", "choose_drivers"), **arguments)


def read(listed: Sequence[VehicleToChoose], sent: MultiDict[str, str]) -> Choices:
    """Read who was typed for those vehicles that were sent; where nothing was typed, nobody is chosen."""
    known, takes_suggested = known_drivers(), False
    rows: list[VehicleToChoose] = []
    chosen: dict[str, int | DriverDetails] = {}
    for each in listed:
        if each.field not in sent:
            continue
        row = replace(each, typed=" ".join(sent[each.field].split()))
        if meant := [driver for driver in known if sent.get(use_of(row.rc)) == str(driver.id)]:
            row, takes_suggested = replace(row, typed=meant[0].typed), True
        if row.typed:
            row, who = read_row(row, known, sent)
            row = with_same_number(row, rows)
            if who is not None and not row.same_number:
                chosen[row.rc] = who
        rows.append(row)
    left = sum(not each.typed and each.rc not in chosen for each in listed)
    return Choices(tuple(rows), chosen, left, takes_suggested)


def typed_row() -> Response | None:
    """Say who is meant by what is typed for the vehicle that the address names; None where it names none.

    That is read from the form alone and saves nothing. It is sent to where the form is saved, so that what was typed
    outlasts an expired session.
    """
    rc = request.args.get(_TYPED)
    if rc is None:
        return None
    prefix = field_of("")
    sent = [name.removeprefix(prefix) for name in request.form if name.startswith(prefix)]
    choices = read([VehicleToChoose(each, spaced(each), Total(0, NO_SUM)) for each in sent], request.form)
    row = next((each for each in choices.rows if each.rc == rc), None) or abort(404)
    row = replace(row, reads=request.full_path)
    return htmx.region("sharing/_driver_typed.html", row=row, is_typing=True)


def save(choices: Choices, choose: Callable[[Mapping[str, int | DriverDetails]], Chosen]) -> Choices | None:
    """Save what was chosen and return None, or return what is to be shown again: then nothing is saved."""
    if choices.takes_suggested or choices.is_wrong or choices.problem or choices.asked:
        return choices
    try:
        done = choose(choices.chosen)
    except NewPhoneTaken as taken:
        return choices.refused(taken)
    for action, of_drivers in (("driver added", done.added), ("driver changed", done.usual)):
        for driver_id, name in of_drivers.items():
            audit(action, str(driver_id), name=name)
    saved_forms.discard(f"{request.blueprint}.save_drivers")
    toast(texts.drivers_chosen(len(choices.chosen), choices.left))
    return None


def _address(action: str, page: int, typed: str | None = None) -> str:
    named: dict[str, Any] = {"page": page if page > 1 else None, _TYPED: typed}
    return url_for(f".{action}_drivers", **named, **(request.view_args or {}))
