"""Define the sentences of the review of a search run, and of the plan before it is confirmed."""

from __future__ import annotations

from decimal import Decimal

from dashboard.domain.allowance_forecast import Certainty, Forecast
from dashboard.domain.fleet_plan import MOST_SKIPPED
from dashboard.domain.links import MAX_HOURS, MIN_HOURS
from dashboard.domain.money import Sum
from dashboard.web.shared.current import format_amount, format_near, format_sum, last_minute
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext

ANY_STATE, ANY_TYPE, ANY_DRIVER = lazy("Any state"), lazy("Any type"), lazy("Any driver")
ALL, AMOUNT_UNKNOWN = lazy("All"), lazy("Amount unknown")
HAS_DRIVER, HAS_NO_DRIVER = lazy("Has a driver"), lazy("No driver")
NOT_A_NUMBER = lazy("Enter a whole number from 0 to 9999.")
NOT_AN_AMOUNT = lazy("Enter an amount such as 500.")
TOO_MANY_SKIPPED = lazy(
    "You can leave out at most %(most)s challans one by one. For more, set a filter or untick whole vehicles.",
    most=MOST_SKIPPED,
)
NOTHING_TICKED = lazy("Tick at least one vehicle.")
CHANGED = lazy("Some of these challans changed since you opened this page. No link was created. Read the plan again.")
#: A limit is near where a plan leaves no more than this share of it.
_NEAR = 0.2
HOURS = lazy("Enter a whole number of hours from %(least)s to %(most)s.", least=MIN_HOURS, most=MAX_HOURS)


def none_left(plate: str) -> str:
    """Say that a vehicle has no challan that can be put on a new link."""
    return _("%(plate)s has no challan left for a new link.", plate=plate)


def unticked(failed: int, sent_to: str, *, is_given: bool) -> str:
    """Say why challans of failed links are not ticked, and what to do first; "" where there is none.

    The one link was sent to somebody who is named, or else may have been `is_given` to somebody, whom nobody knows.
    """
    if not failed:
        return ""
    said = ngettext(
        "%(num)s challan is not ticked: its link failed.", "%(num)s challans are not ticked: their link failed.", failed
    )
    if sent_to:
        first = _("It was sent to %(name)s: ask whether money was taken.", name=sent_to)
    elif is_given:
        first = _("Ask the driver whether money was taken.")
    else:
        first = _("It was not sent from here. Check on the failed link whether money was taken.")
    then = ngettext("Tick it only if not.", "Tick them only if not.", failed)
    return f"{said} {first} {then}"


def older_than(days: int) -> str:
    return ngettext("Older than %(num)s day", "Older than %(num)s days", days)


def at_least(amount: Decimal) -> str:
    return _("From %(amount)s", amount=format_amount(amount).removesuffix(".00"))


def at_most(amount: Decimal) -> str:
    return _("Up to %(amount)s", amount=format_amount(amount).removesuffix(".00"))


def shown(first: int, last: int, of: int) -> str:
    """Say which challans of a vehicle a page shows."""
    return _("Showing %(first)s–%(last)s of %(all)s", first=first, last=last, all=f"{of:,}")


def hidden(count: int, to_pay: Sum) -> str:
    """Say what a filter leaves out of the plan; nothing is no words."""
    if not count:
        return ""
    if to_pay.unknown == count:
        return ngettext(
            "%(count)s challan does not fit these filters and is left out.",
            "%(count)s challans do not fit these filters and are left out.",
            count,
            count=f"{count:,}",
        )
    return ngettext(
        "%(count)s challan (%(sum)s) does not fit these filters and is left out.",
        "%(count)s challans (%(sum)s) do not fit these filters and are left out.",
        count,
        count=f"{count:,}",
        sum=format_sum(to_pay),
    )


def left_out(vehicles: int, challans: int, *, failed: int) -> str:
    """Say what is left out: whole vehicles, and challans of the others; nothing is no words. So many `failed` vehicles
    besides are, as all of them was on a failed link.
    """
    everything = vehicles + failed
    of_vehicles = ngettext("%(num)s vehicle", "%(num)s vehicles", everything)
    of_challans = ngettext("%(count)s challan", "%(count)s challans", challans, count=f"{challans:,}")
    if not (everything or challans):
        return ""
    if everything and challans:
        said = _("%(vehicles)s and %(challans)s left out", vehicles=of_vehicles, challans=of_challans)
    else:
        said = _("%(count)s left out", count=of_vehicles if everything else of_challans)
    if not failed:
        return said
    first = ngettext("check the failed payment first", "check the failed payments first", failed)
    return _("%(left_out)s: %(first)s", left_out=said, first=first)


def allowance(forecast: Forecast, links: int) -> tuple[str, ...]:
    """Say how much of today's limit a plan takes and what is probably left, where a known limit is near."""
    if forecast.left is None:
        return ()
    used = ngettext(
        "%(count)s link was requested today.",
        "%(count)s links were requested today.",
        forecast.used,
        count=f"{forecast.used:,}",
    )
    if forecast.learned is None:
        return (used, _("The daily limit is reached."))
    takes = min(forecast.fits, links)
    if takes == links and forecast.left - takes > forecast.learned * _NEAR:
        return ()
    said = _(
        "The daily limit is probably %(limit)s; %(reserved)s are reserved for people and for unclear requests.",
        limit=f"{forecast.learned:,}",
        reserved=f"{forecast.reserved:,}",
    )
    queued = ngettext(
        "%(num)s link of plans that are not finished takes part of it first.",
        "%(num)s links of plans that are not finished take part of it first.",
        forecast.queued,
    )
    after = _(
        "This plan takes %(takes)s of it today. After that %(left)s are left.",
        takes=f"{takes:,}",
        left=f"{forecast.left - takes:,}",
    )
    return (used, said, queued, after) if forecast.queued else (used, said, after)


def planned(count: int, total: Sum) -> str:
    """Say how many challans of a run stand in a plan that is not finished; the name of the plan follows.

    By their sum a review differs from the results.
    """
    return ngettext(
        "%(num)s challan (%(sum)s) is already in a plan that is not finished:",
        "%(num)s challans (%(sum)s) are already in a plan that is not finished:",
        count,
        sum=str(AMOUNT_UNKNOWN) if total.unknown == count else format_sum(total),
    )


def part(number: int, count: int) -> str:
    """Say which of the links of a vehicle a link is."""
    return _("link %(number)s of %(count)s", number=number, count=count) if count > 1 else ""


def waiting(count: int, forecast: Forecast) -> str:
    """Say how many links of a plan have to wait, and until when."""
    if not count:
        return ""
    said = ngettext(
        "%(count)s link waits for the next day’s limit.",
        "%(count)s links wait for the next day’s limit.",
        count,
        count=f"{count:,}",
    )
    return f"{said} {_back(forecast)}"


def _back(forecast: Forecast) -> str:
    at = last_minute(forecast.back_at)
    if forecast.certainty is Certainty.ASSUMED:
        return _("The limit probably comes back after %(when)s. The rest is created then.", when=format_near(at))
    return _("The limit comes back after %(when)s. The rest is created then.", when=format_near(at))
