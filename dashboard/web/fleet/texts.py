"""Define the sentences of the fleet's input: lines and files, lists, and repeated searches."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import time

from dashboard.domain.custom_fields import COST_CENTRE, CUSTOM_FIELDS
from dashboard.domain.drivers import MAX_NAME as LONGEST_DRIVER
from dashboard.domain.fleet import MAX_VEHICLES, JobKind, JobState
from dashboard.domain.fleet_input import CITY, DRIVER, PHONE, RC, RC_TYPE, BadLine, LineProblem
from dashboard.domain.fleet_lines import ReadProblem, Unreadable
from dashboard.domain.fleet_schedules import EVERY_DAY, LEAST_DAYS, MOST_DAYS, Repeat, Scope, read_title
from dashboard.domain.registration import RegistrationProblem
from dashboard.store.fleet.drafts import MAX_TITLE
from dashboard.store.fleet.jobs import Job
from dashboard.store.fleet.lists import MAX_LISTS, MAX_NAME
from dashboard.store.fleet.plans_of_runs import PlanOfRun
from dashboard.store.fleet.schedules import MAX_SCHEDULES
from dashboard.web.fleet.input_files import FileProblem
from dashboard.web.links.custom_field_texts import LABELS
from dashboard.web.shared.current import format_amount
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext
from dashboard.web.shared.records import StateWords
from dashboard.web.shared.texts import REGISTRATION_PROBLEMS

#: Lines of the template of a file, by the names of fields.
EXAMPLES: tuple[dict[str, str], ...] = (
    {RC: "MH12 AB 1001", DRIVER: "Ramesh Kumar", PHONE: "98765 43210", COST_CENTRE.name: "CC-104"},
    {RC: "MH12 AB 1002"},
)
SHEET = lazy("Vehicles")

#: The states of a job, as lists name them.
JOB_STATES = {
    JobState.RUNNING: StateWords(JobState.RUNNING, "", "waiting", name=lazy("Running")),
    JobState.WAITING: StateWords(JobState.WAITING, "", "waiting", name=lazy("Waiting")),
    JobState.PAUSED: StateWords(JobState.PAUSED, "", "neutral", name=lazy("Paused")),
    JobState.CANCELLED: StateWords(JobState.CANCELLED, "", "ended", name=lazy("Cancelled")),
    JobState.DONE: StateWords(JobState.DONE, "", "good", name=lazy("Done")),
}

NO_NUMBERS = lazy("Enter registration numbers, or choose a file.")
_READ_PROBLEMS = {
    ReadProblem.EMPTY: lazy("There is no registration number in it."),
    ReadProblem.NO_HEAD: lazy("It has several columns, so its first line must name them. See the template."),
    ReadProblem.NO_NUMBERS: lazy("No column has registration numbers. Its columns: {columns}."),
    ReadProblem.TOO_MANY: lazy(
        "It has more than %(most)s vehicles. Split it, and search the parts one after the other.", most=MAX_VEHICLES
    ),
    ReadProblem.NOT_A_TABLE: lazy("It cannot be read as CSV. In Excel, save it as an Excel workbook or “CSV UTF-8”."),
    FileProblem.MISSING: lazy("The file is empty."),
    FileProblem.TOO_LARGE: lazy("The file is larger than 1 MB. Delete what is not needed, or split it."),
    FileProblem.NOT_READABLE: lazy("The file cannot be read. Save it as an Excel workbook (.xlsx) or as CSV."),
    FileProblem.OLD_EXCEL: lazy(
        "The file is of an old version of Excel, or has a password. Save it as an Excel workbook (.xlsx) without one."
    ),
    FileProblem.PDF: lazy("“{file}” is a PDF. Choose an Excel (.xlsx) or CSV file."),
    FileProblem.MACROS: lazy("The file has macros. Save it as an Excel workbook (.xlsx) without them."),
    FileProblem.TOO_MANY_ROWS: lazy("The sheet has too many rows. Delete the empty rows at its end."),
    FileProblem.TOO_MANY_COLUMNS: lazy("The sheet has too many columns. Delete those that are not needed."),
}
_LINE_PROBLEMS = {
    LineProblem.NUMBER_MISSING: lazy("The registration number is missing."),
    LineProblem.NUMBER_TOO_LONG: REGISTRATION_PROBLEMS[RegistrationProblem.TOO_LONG],
    LineProblem.NOT_A_NUMBER: REGISTRATION_PROBLEMS[RegistrationProblem.OTHER_CHARACTERS],
    LineProblem.NO_DIGITS: lazy("Add the digits, for example MH12 AB 1001."),
    LineProblem.UNKNOWN_RC_TYPE: lazy("This RC type is not known."),
    LineProblem.UNKNOWN_CITY: lazy("This city is not known."),
    LineProblem.SEVERAL_CITIES: lazy("Several cities have this name."),
    LineProblem.DRIVER_MISSING: lazy("Enter the driver’s name, or remove the phone number."),
    LineProblem.DRIVER_TOO_LONG: lazy("A name has at most %(most)s letters.", most=LONGEST_DRIVER),
    LineProblem.PHONE_MISSING: lazy("Enter the phone number: it tells drivers apart."),
    LineProblem.NOT_A_PHONE: lazy("Enter ten digits, or a number with its country such as +91 98765 43210."),
}
#: How long a custom field may be, and how much is quoted of what another line says.
_LONGEST, _MOST_SAID = {each.name: each.max_length for each in CUSTOM_FIELDS}, 60
_LABELS = {
    RC: lazy("Registration number"),
    RC_TYPE: lazy("RC type"),
    CITY: lazy("City"),
    DRIVER: lazy("Driver"),
    PHONE: lazy("Phone"),
    **LABELS,
}

NO_STATE = lazy("Other numbers")

ALREADY_STARTED = lazy("This search was started before. It was not started again.")
NOTHING_TO_SEARCH = lazy("No vehicle can be searched yet. Correct the lines that are left out.")
CORRECTED = lazy("Your corrections are checked. Nothing is searched yet.")
DISCARDED = lazy("Discarded. Nothing was searched.")
NOTHING_KNOWN = lazy("No vehicle was searched before.")
NOTHING_OLD = lazy("Every known vehicle was searched within these days.")
TITLE_NEEDED = lazy("Enter a name of at most %(most)s letters.", most=MAX_TITLE)
DAYS_NEEDED = lazy("Enter a number of days from %(least)s to %(most)s.", least=LEAST_DAYS, most=MOST_DAYS)

LIST_NAME = lazy("Enter a name of at most %(most)s letters.", most=MAX_NAME)
NAME_TAKEN = lazy("Another list has the name “{name}”.")
TOO_MANY_LISTS = lazy("There are %(most)s lists already. Delete one first.", most=MAX_LISTS)
LIST_DELETED = lazy("List “{name}” deleted")
LIST_RESTORED = lazy("List “{name}” is back")
LIST_RENAMED = lazy("“{before}” is now “{name}”")
NOT_RESTORED = lazy("Not undone: another list has the name “{name}” now.")
#: The subjects of saved forms.
NEW_LIST, RENAMED_LIST = lazy("A list of vehicles"), lazy("The name of a list")
NAME_LABELS = {"name": lazy("Name")}

ALL_KNOWN = lazy("All known vehicles")
REPEATED = lazy("repeated search")
_LINKS_OF = lazy("Links of %(name)s")
NONE_SENT = lazy("none sent")
OLD_ONES = lazy("Vehicles not searched for some days")
LIST_GONE = lazy("The list was deleted: nothing is searched.")
NO_WEEKDAY = lazy("Choose at least one day.")
NO_TIME = lazy("Enter a time such as 02:00.")
NO_SCOPE = lazy("Choose what to search.")
TOO_MANY_SCHEDULES = lazy("There are %(most)s repeated searches already. Delete one first.", most=MAX_SCHEDULES)
REPEAT_SAVED = lazy("Saved: {what}, {when}")
REPEAT_PAUSED = lazy("Paused: {what}")
REPEAT_RESUMED = lazy("Resumed: {what}, {when}")
ASKS_SOURCE = lazy("The source is asked from now on: {what}")
ASKS_CACHE = lazy("Recent results are reused from now on: {what}")
REPEAT_DELETED = lazy("Deleted: {what}, {when}")
WEEKDAYS = (
    lazy("Monday"),
    lazy("Tuesday"),
    lazy("Wednesday"),
    lazy("Thursday"),
    lazy("Friday"),
    lazy("Saturday"),
    lazy("Sunday"),
)
_SHORT_WEEKDAYS = (lazy("Mon"), lazy("Tue"), lazy("Wed"), lazy("Thu"), lazy("Fri"), lazy("Sat"), lazy("Sun"))

#: A name that counts the vehicles, as it is stored.
_COUNTED = re.compile(r"(\d{1,3}(?:,\d{3})*) vehicles?")


def unreadable(why: Unreadable, file: str = "") -> str:
    """Say why a text, or the file of this name, has no lines."""
    return str(_READ_PROBLEMS[why.problem]).format(columns=", ".join(why.columns), file=file)


def line_problem(bad: BadLine) -> str:
    """Say what is wrong with a line; that it is left out, or a part of it not saved, the heading of the lines says."""
    if bad.problem is LineProblem.DIFFERS:
        if not bad.said:
            return _("Line %(line)s says something else about this vehicle.", line=bad.other)
        return _("Line %(line)s has “%(said)s” for this vehicle.", line=bad.other, said=bad.said[:_MOST_SAID])
    if bad.problem is LineProblem.FIELD_TOO_LONG:
        most = _LONGEST[bad.field]
        over = len(bad.line.cells[bad.field]) - most
        return ngettext(
            "%(over)s letter too long: at most %(most)s are saved.",
            "%(over)s letters too long: at most %(most)s are saved.",
            over,
            over=f"{over:,}",
            most=most,
        )
    if bad.problem is LineProblem.OTHER_DRIVER:
        return _("Line %(line)s has %(name)s with this phone number.", line=bad.other, name=bad.said[:_MOST_SAID])
    return str(_LINE_PROBLEMS[bad.problem])


def swapped(typed: str, meant: str) -> str:
    """Say which letters of a number stand where a digit is usual, or digits where a letter is."""
    pairs = dict.fromkeys((was, usual) for was, usual in zip(typed, meant, strict=True) if was != usual)
    return " ".join(
        _("The letter %(letter)s stands where the digit %(digit)s is usual.", letter=was, digit=usual)
        if usual.isdigit()
        else _("The digit %(digit)s stands where the letter %(letter)s is usual.", letter=usual, digit=was)
        for was, usual in pairs
    )


def not_known(typed: str) -> str:
    """Name what was typed beside what is known."""
    return _("%(typed)s (not known)", typed=typed)


def label(name: str) -> str:
    """Return the name of a column in words of this answer; a file has the English ones."""
    return str(_LABELS[name])


def title(job: Job) -> str:
    """Name a run as people named it, or by what a schedule searched; name a plan after the run or the vehicle."""
    return _("Links of %(name)s", name=name_of(job)) if job.kind is JobKind.CREATION else name_of(job)


def name_of(job: Job) -> str:
    """Name a run, or the run or vehicle of a plan, whose number of links says beside it what it is.

    Plans were once stored with the name that is shown in English.
    """
    name = job.title.removeprefix(_LINKS_OF.partition("%")[0]) if job.kind is JobKind.CREATION else job.title
    if found := read_title(name):
        scope, days = found
        name = not_searched_for(days or 0) if scope is Scope.OLD else str(ALL_KNOWN)
    elif counted := _COUNTED.fullmatch(name):
        name = pasted(int(counted[1].replace(",", "")))
    return name


def stored_title(name: str, vehicles: int) -> str:
    """Return the name of a run as it is stored: one that nobody typed in English, so that all readers have theirs."""
    return (
        (f"{vehicles:,} vehicle" if vehicles == 1 else f"{vehicles:,} vehicles") if name == pasted(vehicles) else name
    )


def plan_title(name: str, vehicles: int) -> str:
    """Return the name of the plan of a run as it is stored: a run named by the number of its vehicles may have more."""
    return stored_title(pasted(vehicles), vehicles) if _COUNTED.fullmatch(name) else name


def pasted(count: int) -> str:
    """Name a run whose numbers were typed or pasted."""
    return ngettext("%(count)s vehicle", "%(count)s vehicles", count, count=f"{count:,}")


def rest_of(name: str) -> str:
    """Name the search of what a cancelled one has left."""
    return _("Rest of %(name)s", name=name)


def not_searched_for(days: int) -> str:
    return ngettext("Not searched for %(num)s day", "Not searched for %(num)s days", days)


def so_old(days: int, vehicles: int) -> str:
    """Say how many vehicles were not searched for so many days, beside the field that names the days."""
    if not vehicles:
        return ngettext(
            "None: all were searched in the last %(num)s day.",
            "None: all were searched in the last %(num)s days.",
            days,
        )
    return ngettext("%(num)s day: %(vehicles)s", "%(num)s days: %(vehicles)s", days, vehicles=pasted(vehicles))


def links_created(created: int, of: int) -> str:
    """Say how far a plan came."""
    return _("%(created)s of %(all)s links created", created=f"{created:,}", all=f"{of:,}")


def so_many_links(count: int) -> str:
    return ngettext("%(num)s link", "%(num)s links", count)


def created_of(created: int, of: int) -> str:
    """Say how far a plan came, beside the number of its links."""
    return _("%(created)s of %(all)s created", created=f"{created:,}", all=f"{of:,}")


def searched_of(searched: int, of: int) -> str:
    """Say how far a search came, beside the number of its vehicles."""
    return _("%(searched)s of %(all)s searched", searched=f"{searched:,}", all=f"{of:,}")


def on_links(of: PlanOfRun) -> str:
    """Say what became of the links of a search, after the sum that they hold."""
    return f"{on_so_many(of.links)} · {sent_and_paid(of)}" if of.links else sent_and_paid(of)


def on_so_many(links: int) -> str:
    """Say of how many links a sum is."""
    return ngettext("on %(count)s link", "on %(count)s links", links, count=f"{links:,}")


def challans_on_links(challans: int, links: int) -> str:
    """Say of how many challans a sum is, and on how many links they are."""
    of_challans = ngettext("%(num)s challan", "%(num)s challans", challans)
    return _("%(challans)s on %(links)s", challans=of_challans, links=so_many_links(links))


def challans_left(left: int, of: int) -> str:
    """Say of how many challans that a search found a sum is, which are not on a link yet."""
    if left < of:
        return ngettext(
            "%(left)s of %(num)s challan not on a link yet",
            "%(left)s of %(num)s challans not on a link yet",
            of,
            left=left,
        )
    return ngettext("%(num)s challan not on a link yet", "%(num)s challans not on a link yet", of)


def sent_and_paid(of: PlanOfRun) -> str:
    """Say what became of the links of a search beside what they hold; of what there is none, nothing is said."""
    sent = _("%(sent)s sent", sent=f"{of.sent:,}")
    paid = _("%(paid)s paid", paid=format_amount(of.paid_total.total))
    ended = ngettext("%(count)s link ended", "%(count)s links ended", of.ended, count=f"{of.ended:,}")
    said = [(of.links and of.sent, sent), (of.links and of.paid_total.total, paid), (of.ended, ended)]
    none_sent = [str(NONE_SENT)] if of.links and not of.sent and not of.paid_total.total else []
    return " · ".join([*none_sent, *(words for is_some, words in said if is_some)])


def searched(ended: int, of: int) -> str:
    """Say how far a search of many vehicles came."""
    return _("%(ended)s of %(all)s searched", ended=f"{ended:,}", all=f"{of:,}")


def payable_found(count: int) -> str:
    """Say what a search of many vehicles found; nothing is no words."""
    if not count:
        return ""
    return ngettext("%(count)s challan to pay found", "%(count)s challans to pay found", count, count=f"{count:,}")


def to_search(vehicles: int, left_out: int) -> str:
    """Say how many vehicles a draft would search, and how many lines it leaves out."""
    lines = _("%(count)s left out", count=f"{left_out:,}")
    return f"{pasted(vehicles)} · {lines}" if left_out else pasted(vehicles)


def saved_with(drivers: int, with_fields: int) -> str:
    """Say what of drivers and custom fields is stored when a search starts; nothing is no words."""
    said = []
    if drivers:
        said.append(ngettext("%(num)s driver", "%(num)s drivers", drivers))
    if with_fields:
        said.append(ngettext("details of %(num)s vehicle", "details of %(num)s vehicles", with_fields))
    return _("Also saved: %(what)s", what=", ".join(said)) if said else ""


def new_vehicles(count: int) -> str:
    """Name all the vehicles for which RC type and city are chosen."""
    if count == 2:
        return _("Both vehicles")
    return ngettext("%(count)s vehicle", "All %(count)s vehicles", count, count=f"{count:,}")


def list_saved(name: str, count: int, *, replaced: bool) -> str:
    """Say that a list was saved."""
    values = {"name": name, "count": f"{count:,}"}
    if replaced:
        return ngettext(
            "“%(name)s” is replaced: %(count)s vehicle", "“%(name)s” is replaced: %(count)s vehicles", count, **values
        )
    return ngettext(
        "“%(name)s” is saved: %(count)s vehicle", "“%(name)s” is saved: %(count)s vehicles", count, **values
    )


def what(repeat: Repeat, list_name: str | None) -> str:
    """Name what a repeated search is of."""
    match repeat.scope:
        case Scope.LIST:
            return list_name or _("A deleted list")
        case Scope.OLD:
            return not_searched_for(repeat.days or 0)
    return str(ALL_KNOWN)


def when(weekdays: Collection[int], at: time) -> str:
    """Say when a search is repeated: "every night at 2:00 am"."""
    clock = f"{at.hour % 12 or 12}:{at.minute:02}\xa0{'am' if at.hour < 12 else 'pm'}"
    if set(weekdays) == EVERY_DAY:
        return _("every day at %(time)s", time=clock)
    days = ", ".join(str(_SHORT_WEEKDAYS[day]) for day in sorted(weekdays))
    return _("%(days)s at %(time)s", days=days, time=clock)
