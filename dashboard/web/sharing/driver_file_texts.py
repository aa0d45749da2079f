"""Define the sentences of the file of drivers."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext

#: A line of the template of a file of drivers, in the order of DRIVER_LABELS.
EXAMPLE_DRIVER = ("Ramesh Kumar", "98765 43210", "ramesh@fleet.example", "Hindi", "MH12 AB 1001, MH12 AB 1002", "")
NO_FILE = lazy("Paste rows, or choose a file.")
ROWS_AND_FILE = lazy("Paste rows or choose a file, not both.")
FILE_NOT_CSV = lazy("These rows cannot be read. Copy them from Excel again, or choose a file.")
FILE_WITHOUT_COLUMNS = lazy("The first line must name the columns, at least Name and Phone. See the template.")
CORRECTED = lazy("Your corrections are checked. Nothing is saved yet.")
FILE_EMPTY = lazy("The file has no driver below its first line.")
SHEET = lazy("Drivers")
PHONE_NEEDED = lazy("Enter the phone number: it tells drivers apart.")


def driver_columns(head: Sequence[str], languages: Sequence[str]) -> list[tuple[str, str]]:
    """Return the columns of a file of drivers, each with what belongs in it."""
    hints = (
        _("Required."),
        _("Required: it tells drivers apart."),
        "",
        ", ".join(languages),
        _("One or several, with commas between them."),
        _("For your colleagues only."),
    )
    return list(zip(head, hints, strict=True))


def file_too_long(count: int, most: int) -> str:
    return _("The file has %(count)s drivers; at most %(most)s are read at a time.", count=count, most=most)


def unknown_language(spoken: str, known: Sequence[str]) -> str:
    return _("The language “%(spoken)s” is not one of: %(known)s.", spoken=spoken, known=", ".join(known))


def same_phone(line: int) -> str:
    return _("The same phone number as in line %(line)s.", line=line)


def passes_on(old: str, new: str, links: int) -> str:
    """Say what follows where a number is another driver's now: one driver is renamed, who keeps the links."""
    if not links:
        return _("To keep both, take the number off %(old)s first.", old=old)
    return ngettext(
        "The link given to %(old)s moves to %(new)s. To keep both, take the number off %(old)s first.",
        "The %(num)s links given to %(old)s move to %(new)s. To keep both, take the number off %(old)s first.",
        links,
        old=old,
        new=new,
    )


def drivers_imported(added: int, merged: int, unchanged: int, left: int) -> str:
    """Say what a file of drivers has changed, and how many of its lines were not saved though nobody left them out."""
    said = [ngettext("%(num)s driver added.", "%(num)s drivers added.", added)] if added else []
    if merged:
        said.append(ngettext("%(num)s driver updated.", "%(num)s drivers updated.", merged))
    if unchanged:
        said.append(ngettext("%(num)s was up to date.", "%(num)s were up to date.", unchanged))
    if left:
        said.append(
            ngettext("%(num)s line of the file was not saved.", "%(num)s lines of the file were not saved.", left)
        )
    return " ".join(said)
