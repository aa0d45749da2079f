"""Show the page of a vehicle in many states."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

from babel.numbers import format_currency

from dashboard.domain.money import add_up
from dashboard.web.shared.records import ChallanRow, HeldBy
from dashboard.web.vehicles.records import (
    ChallanGroup,
    SelectionSum,
    UsualDriver,
    VehicleLink,
    VehiclePage,
    VehiclePanel,
)
from tests.support.gallery.forms import search_form
from tests.support.gallery.samples import (
    ACTIVE,
    HINDI,
    HOSTILE,
    LARGE,
    LINK_ID,
    NOT_PAYABLE,
    NOW,
    ON_LINK,
    PLATE,
    RC,
    Page,
    Pages,
    ago,
    challan,
)

_RESERVED = challan(22, reason="Reserved by a request", held_by=HeldBy("/requests/1", "your request of 2:01 pm"))
TWELVE = (
    challan(0, mark="new", ticked=True),
    challan(1, mark="changed", changes=("Fine was 500", "Status was To be assigned"), ticked=True),
    challan(2, offence=HINDI, ticked=True),
    challan(3, amount=None, total=None),
    challan(4, amount=LARGE, total=LARGE),
    challan(5, date=None, age_days=None, place=None, state=None, type=None, offence=None),
    challan(6),
)
#: Enough challans to filter them.
TWENTY = (*TWELVE, *(challan(n) for n in range(40, 53)))


def vehicle_pages() -> Pages:
    return {
        "vehicle": _vehicle(_vehicle_page(TWELVE, (*ON_LINK, _RESERVED), NOT_PAYABLE, gone=(challan(30), challan(31)))),
        "vehicle-filters": _vehicle(_vehicle_page(TWENTY, ON_LINK, NOT_PAYABLE)),
        "vehicle-179": _vehicle(_many(230, 179)),
        "vehicle-trouble": _vehicle(
            replace(
                _many(3, 1),
                unreadable=2,
                refreshing_by="Meera",
                trouble="The service did not answer. This is from 9:03 am.",
                panel=_vehicle_panel(
                    True,
                    outdated=(
                        "The vehicle was searched again at 2:01 pm by Meera.",
                        "The state of a payment link has changed, so the payable challans may have changed.",
                    ),
                ),
            )
        ),
        "vehicle-hostile": _vehicle(_hostile_vehicle()),
    }


def _vehicle(page: VehiclePage) -> Page:
    return "vehicles/show.html", {"page": page, "form": search_form(), "first_search": False}


def _vehicle_page(
    payable: tuple[ChallanRow, ...],
    on_link: tuple[ChallanRow, ...] = (),
    not_payable: tuple[ChallanRow, ...] = (),
    **changes: Any,
) -> VehiclePage:
    rows = (*payable, *on_link, *not_payable)
    page = VehiclePage(
        rc=RC,
        plate=PLATE,
        searched_at=ago(seconds=64),
        searched_by="Asha R.",
        new_count=2,
        compared_with=ago(days=3),
        groups=(
            ChallanGroup("payable", "Can be paid", payable),
            ChallanGroup("on_link", "On an active link", on_link),
            ChallanGroup("not_payable", "Not payable", not_payable),
        ),
        gone=(),
        payable_sum=add_up(row.total for row in payable),
        fines_sum=add_up(row.amount for row in payable),
        fee_sum=add_up(row.total - row.amount if row.total and row.amount else None for row in payable),
        drivers=(UsualDriver(1, "Ramesh Kumar", "98765 43210"),),
        unreadable=0,
        states=tuple(sorted({row.state for row in rows if row.state})),
        types=tuple(sorted({row.type for row in rows if row.type})),
        panel=_vehicle_panel(bool(on_link)),
        selection=_selection(payable),
        announcement=f"{PLATE}: {len(payable)} can be paid, {len(on_link)} on a link",
        refresh_seconds=45,
    )
    return replace(page, **changes)


def _selection(payable: tuple[ChallanRow, ...]) -> SelectionSum:
    ticked = [row for row in payable if row.ticked]
    total = add_up(row.total for row in ticked)
    words = f"{len(ticked)} of {len(payable)} selected · {format_currency(total.total, 'INR', locale='en_IN')}"
    plan = f"{len(ticked)} challans make 2 links: 100 + {len(ticked) - 100}" if len(ticked) > 100 else ""
    return SelectionSum(RC, len(ticked), len(payable), words, plan)


def _vehicle_panel(with_link: bool, **changes: Any) -> VehiclePanel:
    link = VehicleLink(LINK_ID, ACTIVE, Decimal("2236.00"), 2, NOW + timedelta(hours=31, minutes=5), ago(hours=17))
    panel = VehiclePanel(RC, (link,) if with_link else (), (), 15, "0123456789abcdef", "0.1.2")
    return replace(panel, **changes)


def _hostile_vehicle() -> VehiclePage:
    row = challan(1, challan_no=HOSTILE, offence=HOSTILE, place=HOSTILE, state=HOSTILE, type=HOSTILE, status=HOSTILE)
    page = _vehicle_page((row,), (replace(ON_LINK[0], challan_no=HOSTILE),), (replace(row, id=None, reason=HOSTILE),))
    return replace(page, plate=HOSTILE, states=(HOSTILE, "Delhi"), types=(HOSTILE, "ONLINE"), searched_by=HOSTILE)


def _many(count: int, ticked: int) -> VehiclePage:
    return _vehicle_page(tuple(challan(n, ticked=n < ticked) for n in range(count)), ON_LINK, NOT_PAYABLE)
