"""Name the actions of the audit log in the words of the pages. The log itself keeps its own words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from dashboard.services.accounts.audit import COMMAND_LINE
from dashboard.web.shared.current import format_day, format_days
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, lazy_about, ngettext

ACTIONS = {
    "signed in": lazy("Signed in"),
    "signed out": lazy("Signed out"),
    "sign-in failed": lazy("Sign-in failed"),
    "code refused": lazy("Wrong code at sign-in"),
    "password refused": lazy("Wrong current password"),
    "password changed": lazy("Password changed"),
    "second factor set up": lazy("Second factor set up"),
    "second factor removed": lazy("Second factor removed"),
    "second factor required": lazy("Second factor required"),
    "recovery codes made": lazy("New recovery codes"),
    "language chosen": lazy("Language chosen"),
    "account linked": lazy("Account of the organization linked"),
    "sessions ended": lazy("Sessions ended"),
    "person added": lazy("Person added"),
    "person invited": lazy("Person invited"),
    "invitation sent": lazy("New invitation"),
    "password link created": lazy("Link for a new password"),
    "invitation accepted": lazy("Password set with a link"),
    "role changed": lazy("Role changed"),
    "person disabled": lazy("Person disabled"),
    "person enabled": lazy("Person enabled"),
    "search": lazy("Searched"),
    "refresh": lazy("Refreshed from source"),
    "create": lazy("Requested a payment link"),
    "override": lazy("Released challans of a request"),
    "release-link": lazy("Released challans of a link"),
    "reissue": lazy("Prepared a replacement"),
    "fields": lazy("Changed cost centre, trip or note"),
    "copy": lazy("Copied the link"),
    "share": lazy("Sent the link"),
    "share confirmed": lazy("Confirmed as sent"),
    "share undone": lazy("Unmarked as sent"),
    "receipt": lazy("Receipt sent"),
    "receipt undone": lazy("Receipt unmarked as sent"),
    "question": lazy("Driver asked about a failed payment"),
    "question undone": lazy("Unmarked as asked"),
    "answer": lazy("Noted what the driver says"),
    "payment reference": lazy("Noted a payment reference"),
    "follow up": lazy("Link added to Follow up"),
    "follow up undone": lazy("Link taken out of Follow up"),
    "snooze": lazy("Snoozed"),
    "note": lazy("Noted a contact"),
    "double-seen": lazy("Closed a duplicate alarm"),
    "finding seen": lazy("Marked a discrepancy as checked"),
    "finding reopened": lazy("Took back that a discrepancy was checked"),
    "verification asked": lazy("Asked to verify paid links"),
    "driver added": lazy("Driver added"),
    "drivers imported": lazy("Drivers imported"),
    "driver changed": lazy("Driver changed"),
    "driver left": lazy("Driver left"),
    "driver back": lazy("Driver back"),
    "driver forgotten": lazy("Driver forgotten"),
    "message changed": lazy("Message changed"),
    "message restored": lazy("Message restored"),
    "fleet search": lazy("Started a search of the fleet"),
    "fleet search repeated": lazy("Repeats a search of the fleet"),
    "fleet search paused": lazy("Paused a repeated search"),
    "fleet repeat deleted": lazy("Deleted a repeated search"),
    "fleet list saved": lazy("Saved a list of vehicles"),
    "fleet list renamed": lazy("Renamed a list of vehicles"),
    "fleet list deleted": lazy("Deleted a list of vehicles"),
    "fleet list restored": lazy("Restored a list of vehicles"),
    "bulk search pause": lazy("Paused a search of many vehicles"),
    "bulk search resume": lazy("Resumed a search of many vehicles"),
    "bulk search cancel": lazy("Cancelled a search of many vehicles"),
    "bulk search retry": lazy("Retried failed vehicles of a search"),
    "bulk search details": lazy("Added RC type and city to vehicles of a search"),
    "bulk create": lazy("Requested many payment links"),
    "bulk links pause": lazy("Paused the creation of many links"),
    "bulk links resume": lazy("Resumed the creation of many links"),
    "bulk links cancel": lazy("Cancelled the creation of many links"),
    "bulk links retry": lazy("Retried links that were not created"),
    "bulk links drivers": lazy("Chose drivers for many links"),
    "export": lazy("Exported"),
    "service tried again": lazy("Tried the service again"),
    "assumption checked": lazy("Recorded a check"),
    "old entries deleted": lazy("Deleted old audit entries"),
}
#: Groups of actions, by the first of each.
GROUPS = {
    "signed in": lazy_about("how", "Signing in"),
    "person added": lazy("People"),
    "search": lazy("Vehicles and links"),
    "copy": lazy("Sending and follow up"),
    "double-seen": lazy("Reconcile"),
    "driver added": lazy("Drivers and messages"),
    "fleet search": lazy("Searches of the fleet"),
    "bulk create": lazy("Many links at once"),
    "export": lazy("Exports and upkeep"),
}
NOBODY, BY_ITSELF, ON_SERVER = lazy("not signed in"), lazy("the dashboard itself"), lazy("Command on the server")
ANYBODY, ANY_ACTION = lazy("Anybody"), lazy("Any action")
#: Where somebody acted who was at no address: by their names in the log.
_AUTOMATIC = {"fleet plan": lazy("bulk work"), "retention": lazy("clean-up of old data")}
ALL_DAYS, TODAY = lazy("All days"), lazy("Today")
WITH_SIGN_INS, WITHOUT_SIGN_INS = lazy("All entries"), lazy("Without sign-ins")
#: What leaves out entries, by its name in the address, as the page calls it.
FILTERS = {"person": lazy("Person"), "action": lazy("Action"), "object": lazy("Object"), "without": WITHOUT_SIGN_INS}
NOT_A_DAY = lazy("Enter a day such as 23 Nov 2026.")
#: The file has the words of the log, in every language.
HEAD = ["Number", "Time ({zone})", "Person", "Email", "Action", "Object", "Details", "Address", "Request"]


#: What has a name of its own in the log; files are named by what they hold.
SUBJECTS = {
    "audit.csv": lazy("Audit log, as CSV"),
    "drivers.csv": lazy("Drivers, as CSV"),
    "links.csv": lazy("Payment links, as CSV"),
    "links.xlsx": lazy("Payment links, as a workbook"),
    "statement.csv": lazy("Statement, as CSV"),
    "statement.xlsx": lazy("Statement, as a workbook"),
    "paid links": lazy("Paid links"),
    "service": lazy("The service"),
}
#: What is about nobody, has been forgotten or is not stored any more.
NOBODY_AT_ALL, FORGOTTEN_DRIVER = lazy("nobody"), lazy("A forgotten driver")
OWN_ACCOUNT = lazy("Own account")
DISCREPANCY, LINK_OF_UNKNOWN, GONE = (
    lazy("Discrepancy"),
    lazy("Link of an unknown vehicle"),
    lazy("Not stored any more"),
)
FILTERED = lazy("filtered")
#: What an entry adds by these names is the text of a person, or a name.
TYPED = ("name", "note", "reason", "when")
#: Days that an entry may add, by their names in the log.
DAYS = ("first", "last", "until")
#: Values that have words, by their names in the log.
VALUES: dict[str, dict[str, str]] = {
    "rows": {
        "link": lazy("a row for each link"),
        "challan": lazy("a row for each challan"),
    },
    "by": {
        "provider": lazy("by the organization’s account"),
    },
    "second_factor": {
        "app": lazy("with a code of the app"),
        "recovery code": lazy("with a recovery code"),
        "app set up": lazy("with an app that was set up then"),
    },
    "replaced": {
        "yes": lazy("in place of an earlier list"),
    },
    "at_source": {
        "yes": lazy("asks the source"),
        "no": lazy("takes what the service has stored"),
    },
    "of": {
        "search run": lazy("results of a search"),
        "creation plan": lazy("links of a plan"),
    },
    "why": {
        "not trusted": lazy("the answer of the organization’s sign-in could not be trusted"),
        "no role": lazy("no role at the organization"),
        "nobody": lazy("no account here"),
        "disabled": lazy("disabled here"),
        "last administrator": lazy("the last administrator"),
    },
}


def entries(number: int, most: int) -> str:
    """Say how many entries there are, up to the `most` that are counted."""
    if number > most:
        return _("more than %(count)s entries", count=f"{most:,}")
    return ngettext("%(count)s entry", "%(count)s entries", number, count=f"{number:,}")


def days(first: date | None, last: date | None) -> str:
    """Name the days of the log; a period without an end goes on until today."""
    if first and last:
        return format_days(first, last)
    if first:
        return _("From %(day)s", day=format_days(first, first))
    return _("Until %(day)s", day=format_days(last, last)) if last else str(ALL_DAYS)


def filtered_by(names: Sequence[str]) -> str:
    """Name what leaves out entries; "" for nothing."""
    return _("Filtered by: %(names)s.", names=", ".join(names)) if names else ""


def last_days(count: int) -> str:
    return str(TODAY) if count == 1 else _("%(count)s days", count=count)


def and_others(first: str, others: int) -> str:
    """Name the objects of entries that stand in one row."""
    return (
        ngettext("%(first)s and %(num)s more", "%(first)s and %(num)s more", others, first=first) if others else first
    )


def link_of(plate: str) -> str:
    return _("Link of %(plate)s", plate=plate)


def message_in(language: str) -> str:
    return _("Message in %(language)s", language=language)


def on_day(name: str, day: date) -> str:
    if name == "first":
        return _("from %(day)s", day=format_day(day))
    if name == "last":
        return _("to %(day)s", day=format_day(day))
    return _("until %(day)s", day=format_day(day))


#: Numbers that an entry may add, by their names in the log.
COUNTED: dict[str, Callable[[int], str]] = {
    "challans": lambda num: ngettext("%(num)s challan", "%(num)s challans", num),
    "payable": lambda num: ngettext("%(num)s challan", "%(num)s challans", num),
    "left_out": lambda num: ngettext("%(num)s left out", "%(num)s left out", num),
    "hours": lambda num: ngettext("%(num)s hour", "%(num)s hours", num),
    "vehicles": lambda num: ngettext("%(num)s vehicle", "%(num)s vehicles", num),
    "links": lambda num: ngettext("%(num)s link", "%(num)s links", num),
    "drivers": lambda num: ngettext("%(num)s driver", "%(num)s drivers", num),
    "entries": lambda num: ngettext("%(num)s entry", "%(num)s entries", num),
    "added": lambda num: ngettext("%(num)s added", "%(num)s added", num),
    "merged": lambda num: ngettext("%(num)s changed", "%(num)s changed", num),
    "custom_fields": lambda num: ngettext(
        "cost centre, trip or note of %(num)s vehicle", "cost centre, trip or note of %(num)s vehicles", num
    ),
}


def counted(name: str, num: int) -> str:
    """Write a number that an entry adds; "" for none."""
    return COUNTED[name](num) if num else ""


def action(name: str) -> str:
    """Return an action in words; one that is not listed as the log has it."""
    return ACTIONS.get(name, name)


def language_set(language: str) -> str:
    return _("Language set to %(language)s", language=language)


def checked(code: str) -> str:
    return _("Recorded check %(code)s", code=code)


def factor_required(roles: str) -> str:
    return _("Second factor required of %(roles)s", roles=roles)


def detail(values: dict[str, object]) -> str:
    """Write what an action adds in the words of the log, such as "role manager, challans 3"."""
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in values.items() if value not in (None, ""))


def is_command(address: str | None) -> bool:
    """Return whether a command on the server did it; the person of such an entry is whom it is about."""
    return address == COMMAND_LINE.address


def nobody(address: str | None) -> str:
    """Say who acted where no person is known: the work that goes on by itself, or somebody who was not signed in."""
    if is_command(address):
        return str(ON_SERVER)
    return str(BY_ITSELF if address in _AUTOMATIC else NOBODY)


def origin(address: str | None) -> str:
    """Say from where somebody acted: an address, or work that goes on by itself. Of a command, `nobody` says it."""
    return "" if is_command(address) else str(_AUTOMATIC.get(address or "", address or ""))
