"""Sum up what drivers were given, owe and have paid."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from dashboard.domain.links import is_live, is_paid
from dashboard.domain.money import Sum, add_up
from dashboard.store.engine import Store
from dashboard.store.sharing import follow_ups, shares
from dashboard.store.sharing.follow_ups import UnsentLink
from dashboard.store.sharing.shares import GivenTo


@dataclass(frozen=True, slots=True)
class DriverMoney:
    """Sum up the links that a driver was given: all, those that can still be paid, and those that are paid."""

    links: int
    given: Sum
    open_links: int
    open: Sum
    paid_links: int
    paid: Sum
    last_paid_at: datetime | None


def links_by_driver(store: Store) -> Mapping[int, Sequence[GivenTo]]:
    """Return the links that each driver was given, by driver; read once for as long as nobody commits."""
    found: dict[int, list[GivenTo]] = defaultdict(list)
    for each in store.cached_read("links given to drivers", shares.given_to_drivers):
        found[each.driver_id].append(each)
    return found


def unsent_by_driver(store: Store) -> Mapping[int, Sequence[UnsentLink]]:
    """Return the links that each driver could be given, by usual driver; read once for as long as nobody commits."""
    found: dict[int, list[UnsentLink]] = defaultdict(list)
    for each in store.cached_read("links for usual drivers", follow_ups.unsent_of_usual_drivers):
        found[each.driver_id].append(each)
    return found


def still_open(given: Sequence[GivenTo]) -> list[GivenTo]:
    """Return the links that can still be paid."""
    return [each for each in given if is_live(each.status) and not each.is_unknown]


def money_of(given: Sequence[GivenTo]) -> DriverMoney:
    """Sum up links that were given."""
    live = still_open(given)
    paid = [each for each in given if is_paid(each.status)]
    return DriverMoney(
        links=len(given),
        given=add_up(each.total for each in given),
        open_links=len(live),
        open=add_up(each.total for each in live),
        paid_links=len(paid),
        paid=add_up(each.total for each in paid),
        last_paid_at=max((each.paid_at for each in paid if each.paid_at), default=None),
    )
