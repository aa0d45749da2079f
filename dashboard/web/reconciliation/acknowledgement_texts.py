"""Define the sentences of marking discrepancies as checked."""

from __future__ import annotations

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.web.reconciliation import texts
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext

CHANGED = lazy("Not marked: this changed meanwhile, or a colleague was first. The latest is shown here.")
NONE_TICKED = lazy("Tick at least one row.")
NOT_REOPENED = lazy("Not undone: this changed meanwhile. The latest is shown here.")


def marked(kind: DiscrepancyKind) -> str:
    """Say that a discrepancy of a kind was acknowledged."""
    return _("Marked as checked: %(kind)s.", kind=texts.KINDS[kind].title)


def marked_several(kind: DiscrepancyKind, count: int) -> str:
    """Say of how many links discrepancies of a kind were acknowledged."""
    return _("Marked as checked: %(kind)s, %(links)s.", kind=texts.KINDS[kind].title, links=texts.links_of(count))


def reopened_several(kind: DiscrepancyKind, count: int) -> str:
    """Say of how many links discrepancies of a kind wait again."""
    return _("To be checked again: %(kind)s, %(links)s.", kind=texts.KINDS[kind].title, links=texts.links_of(count))


def changed_of_several(count: int) -> str:
    """Say how many of those that were ticked were not acknowledged."""
    return ngettext(
        "%(num)s not marked: it changed meanwhile, or a colleague was first. The latest is shown here.",
        "%(num)s not marked: they changed meanwhile, or a colleague was first. The latest is shown here.",
        count,
    )


def reopened(kind: DiscrepancyKind) -> str:
    """Say that a discrepancy of a kind waits again."""
    return _("To be checked again: %(kind)s.", kind=texts.KINDS[kind].title)


def note_refused(shortest: int, longest: int) -> str:
    return _(
        "Write a note of %(shortest)s to %(longest)s characters: what you found, or what was done.",
        shortest=shortest,
        longest=longest,
    )
