"""Hold what a review says of the links that hold selected challans."""

from __future__ import annotations

from dashboard.web.creation.texts import NO_NEW_LINK
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import ngettext


def no_second_link(others: int) -> str:
    """Say that no other link was created because links hold all challans, or that the others can go on the new one."""
    return others_can_go(others) if others else str(NO_NEW_LINK)


def others_can_go(others: int) -> str:
    """Say that the rest of the selected challans can go on the link that the review offers."""
    return ngettext("The other one can go on this new link.", "The other %(num)s can go on this new link.", others)


def no_longer_selectable(lost: int, of: int) -> str:
    """Say how many of the selected challans no link can take any more, and that the others can go on the new one."""
    said = ngettext(
        "%(num)s of your %(all)s challans can no longer be selected.",
        "%(num)s of your %(all)s challans can no longer be selected.",
        lost,
        all=of,
    )
    return f"{said} {others_can_go(of - lost)}"


def which(count: int) -> str:
    """Name those of the selected challans that are on a link, within a sentence."""
    return ngettext("one of these challans", "%(num)s of these challans", count)


def on_this_link(count: int) -> str:
    """Say that the link that is shown holds all of the selected challans."""
    return ngettext("Your challan is already on this link.", "Your %(num)s challans are already on this link.", count)


def link_made(by: str | None, at: str, challans: str, *, own: bool) -> str:
    """Say who made a link for challans that are selected; `by` is None where it was made elsewhere."""
    if own:
        return _("You created a payment link for %(challans)s at %(time)s.", challans=challans, time=at)
    if by:
        return _("%(name)s created a payment link for %(challans)s at %(time)s.", name=by, challans=challans, time=at)
    return _("A payment link that was created elsewhere holds %(challans)s.", challans=challans)


def made_by(by: str | None, at: str, *, own: bool) -> str:
    """Say who made one of several links; `by` is None where it was made elsewhere."""
    if own:
        return _("created by you, %(time)s", time=at)
    return _("created by %(name)s, %(time)s", name=by, time=at) if by else _("created elsewhere")


def on_links(links: int, held: int, of: int) -> str:
    """Say how many of the selected challans are on so many links."""
    if held == of:
        return _("Your %(all)s challans are already on %(count)s links.", all=of, count=links)
    return ngettext(
        "%(num)s of your %(all)s challans is already on %(count)s links.",
        "%(num)s of your %(all)s challans are already on %(count)s links.",
        held,
        all=of,
        count=links,
    )
