"""Define what the templates of the fleet's input receive: plain, frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from dashboard.domain.money import Sum
from dashboard.web.links.records import Choice
from dashboard.web.shared.records import StateWords


@dataclass(frozen=True, slots=True)
class InputForm:
    """Show the form for registration numbers, with what was typed and what was wrong with it."""

    numbers: str = ""
    problem: str = ""
    file_problem: str = ""


@dataclass(frozen=True, slots=True)
class ListRow:
    """Show a saved list; `typed` and `problem` are of a new name that was refused."""

    id: int
    name: str
    count: int
    saved_at: datetime
    saved_by: str
    typed: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ScheduleRow:
    """Show a repeated search: what, when, when next (None: paused), and which run was its last."""

    id: int
    what: str
    when: str
    next_at: datetime | None
    last_at: datetime | None
    last_run_id: str | None
    at_source: bool
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class ScheduleForm:
    """Show the form of a repeated search as it was sent, with its problems by field."""

    scopes: tuple[Choice, ...]
    days: str
    weekdays: tuple[Choice, ...]
    at: str
    at_source: bool
    problems: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WorkLinks:
    """Say what became of the links of a plan that came from a search, and what those wait for that are not sent, with
    the way to the next step.
    """

    address: str
    words: str
    unsent: str = ""
    next_words: str = ""
    next_address: str = ""


@dataclass(frozen=True, slots=True)
class PlanLacks:
    """Say how many links of a plan were not created, or may not have been, with the address of the plan."""

    address: str
    words: str


@dataclass(frozen=True, slots=True)
class WorkRow:
    """Show a search or a plan in a list: how `far` it came, of how many `parts`, what it `found`, and what it
    `lacks` where vehicles were tried in vain.

    Of a search that is over, `links` are those made of it, and `review` leads to what could be put on links while
    there are none. Its `size` is the number of its vehicles or links, where its name is not that. `shows_seconds` tells
    apart what has one name, one size and one minute.
    """

    id: str
    address: str
    title: str
    size: str
    state: StateWords
    parts: int
    ended: int
    far: str
    found: str
    at: datetime
    by: str
    is_open: bool
    links: tuple[WorkLinks, ...] = ()
    plans_lack: tuple[PlanLacks, ...] = ()
    review: str = ""
    shows_seconds: bool = False
    lacks: str = ""
    sum: Sum | None = None  # of so many amounts: what its links hold, or what could be put on links; and which it is
    sum_of: int = 0
    sum_words: str = ""
    is_folded: bool = False
    resume: str = ""  # the address that lets it go on, while it is paused

    @property
    def has_work(self) -> bool:
        """Return whether links are to be created, looked at or sent."""
        return bool(self.review or self.plans_lack) or any(each.next_words or each.unsent for each in self.links)


@dataclass(frozen=True, slots=True)
class FleetPage:
    """Show the page for many vehicles: plans and searches that are under way, the recent other searches, saved lists,
    and repeated searches.
    """

    form: InputForm
    example: str
    under_way: tuple[WorkRow, ...]
    recent: tuple[WorkRow, ...]
    known: int
    days: str
    days_problem: str
    old: str  # how many were not searched for so many days; "" where the days are refused
    none_old: bool
    lists: tuple[ListRow, ...]
    schedules: tuple[ScheduleRow, ...]
    schedule_form: ScheduleForm

    @property
    def may_repeat(self) -> bool:
        """Return whether there is something to search again, or a refused form that says otherwise."""
        return bool(self.known or self.lists or self.schedules or self.schedule_form.problems)

    @property
    def some_left(self) -> bool:
        """Return whether a recent search has something that is not on a link yet, or links that are not sent."""
        return any(each.has_work for each in self.recent)


@dataclass(frozen=True, slots=True)
class CorrectedCell:
    """Show a cell that may be corrected, which is the form field `name`."""

    name: str
    label: str
    text: str
    suggests: str = ""  # the id of a <datalist>
    choices: tuple[tuple[str, str], ...] = ()  # what it may be, by value and words; first what it is
    wrong: bool = False
    is_long: bool = False  # so that one line does not show it


@dataclass(frozen=True, slots=True)
class Correction:
    """Show a line of a draft with the cells in which a problem can be corrected."""

    number: int
    plate: str
    cells: tuple[CorrectedCell, ...]
    why: str
    pasted: tuple[str, str, str] | None = None  # the line that it is a part of: before it, itself, and after it

    @property
    def name(self) -> str:
        """Return what the ids of the line begin with."""
        return self.cells[0].name


@dataclass(frozen=True, slots=True)
class Doubtful:
    """Show a line whose number may be mistyped, what was `meant` if that is clear, and if it is searched `anyway`."""

    index: int
    line: Correction
    meant: str
    anyway: bool


@dataclass(frozen=True, slots=True)
class UnknownCity:
    """Show a city that is not known, as it was `typed` and as much of it as is shown, on how many lines it stands, the
    first of them with its vehicle, and what it may mean: a value and words for each.
    """

    name: str
    typed: str
    text: str
    number: int
    plate: str
    lines: int
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """Offer RC types and cities for the vehicles of a row; the names of its fields end with `key`."""

    key: str
    words: str
    count: int
    plates: tuple[str, ...]  # the first of them
    rc_types: tuple[Choice, ...]
    cities: tuple[Choice, ...]
    lacks: tuple[str, ...] = ()  # the fields that are missing beside what is chosen in it

    @property
    def is_chosen(self) -> bool:
        return any(each.chosen for each in (*self.rc_types, *self.cities))


@dataclass(frozen=True, slots=True)
class Places:
    """Offer RC type and city for all vehicles that need them, for those of each state, and for single ones."""

    everyone: PlaceRow
    states: tuple[PlaceRow, ...]  # none where all are of one
    single: tuple[PlaceRow, ...]
    problem: str
    is_short: bool = False  # the single ones are all, and stand below the choice for all

    @property
    def first_lacking(self) -> str:
        """Return the id of the first field that is missing beside another."""
        rows = (self.everyone, *self.states, *self.single)
        return next((f"{each.lacks[0]}{each.key}" for each in rows if each.lacks), "")


@dataclass(frozen=True, slots=True)
class DraftPage:
    """Show what a draft would search. `left_out` counts the lines that are not searched: those to correct one by one,
    of which `bad` shows the first, those of unknown cities, which are corrected together, and those `held` because of
    an unlikely number. `unsaved` are drivers and texts that are not saved.
    """

    id: str
    title: str
    is_named: bool  # by a person or a file
    at_source: bool
    vehicles: int
    plates: tuple[str, ...]  # the first of those that are not new without RC type and city
    new_plates: tuple[str, ...]  # and of those that are
    lines: int
    left_out: int
    merged: int
    respelled: int
    unplaced: int
    places: Places | None  # the choice of RC type and city for these
    ignored: tuple[str, ...]
    bad: tuple[Correction, ...]
    more_bad: int
    unsaved: tuple[Correction, ...]
    more_unsaved: int
    cities: tuple[UnknownCity, ...]
    more_cities: int
    held: int
    ticked_together: int  # so many of these are ticked with one click
    doubtful: tuple[Doubtful, ...]
    more_doubtful: int
    city_names: tuple[str, ...]
    lists: tuple[str, ...]
    list_name: str = ""
    list_problem: str = ""
    offers_replacement: bool = False
    title_problem: str = ""
    lacks_lists: bool = False  # the service has not sent its cities or RC types yet
    lists_tried: bool = False  # although it was asked for them just now
    names_places: bool = False  # a line that is left out names an RC type or a city
    is_placing: bool = False  # RC type or city of a new vehicle is chosen on the page
    words: str = ""  # what is searched, and what is left out
    saved: str = ""  # what is stored of drivers and texts when the search starts

    @property
    def with_cities(self) -> int:
        """Return the number of lines that are left out because of their city."""
        return self.left_out - self.to_correct - self.held

    @property
    def to_correct(self) -> int:
        return len(self.bad) + self.more_bad

    @property
    def has_corrections(self) -> bool:
        return bool(self.bad or self.unsaved or self.cities or self.doubtful)
