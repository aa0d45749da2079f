"""Define what the template for the choice of drivers receives: plain, frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.domain.money import Sum
from dashboard.web.sharing.forms import DriverForm


@dataclass(frozen=True, slots=True)
class VehicleToChoose:
    """Offer the choice of who gets the links of a vehicle; `why` says why nobody does by now.

    `typed` was typed, `problem` says what is wrong with it, and `driver_id` is whose page mends that. `form` asks for
    what is missing of somebody who is not among the drivers.
    """

    rc: str
    plate: str
    links: int
    to_pay: Sum
    why: str
    typed: str = ""
    problem: str = ""
    driver_id: int | None = None
    form: DriverForm | None = None


@dataclass(frozen=True, slots=True)
class PlanDriversPage:
    """Show the vehicles of a plan for whose links a driver is to be chosen, a page at a time.

    `names` are all drivers who can be reached, as they may be typed; `left` counts the vehicles without a driver, and
    `focused` is the one whose field has the focus.
    """

    plan_id: str
    rows: tuple[VehicleToChoose, ...]
    names: tuple[str, ...]
    also_usual: bool
    left: int
    left_sum: Sum
    problem: str
    focused: str
    page: int
    pages: int
