"""Read what an address of the review asks for, and write such an address.

Everything that a person chose is in the address: filters, order, and the vehicles that are left out. So the review
survives a reload and an expired session, and two tabs do not disturb each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from dashboard.domain.fleet_plan import Order, ReviewFilter, pack, pack_marks, unpack, unpack_marks
from dashboard.web.fleet import forms
from dashboard.web.fleet import review_texts as texts

#: The vehicles that anybody, or nobody, usually drives, in the field for a driver.
ANY, NONE = "any", "none"
_FILTERS = ("plate", "days", "least", "most", "state", "type", "driver")
_NAMES = (*_FILTERS, "order")
_MAX_DAYS, _MAX_AMOUNT, _MAX_TEXT = 9999, Decimal(10**9), 200


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold what an address asks for: the filter, the order, the places of the vehicles that are left out, the marks of
    the challans that are `skipped`, and the places of the vehicles whose challans are ticked `anyway`, also those that
    were on a failed link.
    """

    filter: ReviewFilter
    order: Order
    without: frozenset[int]
    typed: dict[str, str]
    problems: dict[str, str] = field(default_factory=dict)
    skipped: frozenset[bytes] = frozenset()
    anyway: frozenset[int] = frozenset()

    def arguments(self, **changes: Any) -> dict[str, Any]:
        """Return the arguments of an address that asks for the same, with these changes."""
        found: dict[str, Any] = {name: value for name, value in self.typed.items() if value}
        if self.without:
            found["without"] = pack(self.without)
        if self.skipped:
            found["skip"] = pack_marks(self.skipped)
        if self.anyway:
            found["anyway"] = pack(self.anyway)
        return {name: value for name, value in (found | changes).items() if value not in (None, "")}


def read(args: Mapping[str, str]) -> Asked:
    """Read what an address asks for; a field that cannot be read narrows nothing, and is named in `problems`."""
    typed = {name: args.get(name, "").strip()[:_MAX_TEXT] for name in _NAMES}
    problems: dict[str, str] = {}
    days = _whole(typed["days"], problems)
    least, most = (_amount(name, typed[name], problems) for name in ("least", "most"))
    driver = typed["driver"]
    driver_id = int(driver) if driver.isascii() and driver.isdecimal() and len(driver) < 10 else None
    order = Order.LARGEST if typed["order"] == Order.LARGEST else Order.OLDEST
    plate = "".join(each for each in typed["plate"].upper() if each.isalnum()) or None
    has_driver = {ANY: True, NONE: False}.get(driver)
    asked = ReviewFilter(days, least, most, typed["state"] or None, typed["type"] or None, driver_id, plate, has_driver)
    skipped, anyway = unpack_marks(args.get("skip", "")), unpack(args.get("anyway", ""))
    return Asked(asked, order, unpack(args.get("without", "")), typed, problems, skipped, anyway)


def narrowing(form: Mapping[str, str]) -> dict[str, str] | None:
    """Return the fields of the filter that a button changes, with their new values; None for any other button."""
    match form.get("go", ""):
        case "filter":
            return {name: form.get(name, "").strip()[:_MAX_TEXT] for name in _FILTERS}
        case "clear":
            return dict.fromkeys(_FILTERS, "")
    name, _equals, value = form.get("change", "").partition("=")
    return {name: value[:_MAX_TEXT]} if name in _NAMES else None


def _whole(text: str, problems: dict[str, str]) -> int | None:
    if not text or (text.isascii() and text.isdecimal() and len(text) <= 4 and int(text) <= _MAX_DAYS):
        return int(text) if text else None
    problems["days"] = str(texts.NOT_A_NUMBER)
    return None


def _amount(name: str, text: str, problems: dict[str, str]) -> Decimal | None:
    found = forms.amount(text, _MAX_AMOUNT) if text else None
    if text and found is None:
        problems[name] = str(texts.NOT_AN_AMOUNT)
    return found
