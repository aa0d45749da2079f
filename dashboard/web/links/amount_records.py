"""Define what the templates receive of a link's amounts and challans: frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from dashboard.domain.discrepancies import differ
from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.money import add_up


@dataclass(frozen=True, slots=True)
class ModeAmounts:
    """Show what a link comes to in one way to pay: fines, fees and their total."""

    label: str
    parts: tuple[Decimal | None, ...]  # one for each of `AmountTable.parts`
    total: Decimal | None
    by: str = ""  # "by UPI"

    @property
    def adds_up(self) -> bool:
        """Return whether the parts may come to the total: those that do not explain nothing."""
        whole = add_up(self.parts)
        return whole.unknown > 0 or self.total is None or not differ(whole.total, self.total)


@dataclass(frozen=True, slots=True)
class AmountTable:
    """Show the amounts of a link, part by part, in each way to pay."""

    link_id: str
    parts: tuple[str, ...]  # what the total is made of
    ways: tuple[ModeAmounts, ...]
    total: Decimal | None = None  # of the link itself, by the cheapest way
    way_unknown: str = ""  # that the service does not say by which of several amounts a paid link was paid
    of_challans: Decimal | None = None  # what its challans come to, where that is another amount
    beyond: str = ""  # by how much the link asks more or less than that
    source: str = ""  # that the link alone has the amount, where those of some challans are not known
    not_known: str = ""  # which parts of the only way to pay the service does not give
    fines: tuple[Decimal, Decimal] | None = None  # of its challans and of the link, where both are known
    is_mismatch: bool = False  # the amounts do not match: no way to pay is known to come to what is shown
    is_detailed: bool = True  # more than a search has shown the link

    @property
    def fingerprint(self) -> str:
        """Return what changes with the link's answers; what its challans come to does not."""
        return fingerprint((self.ways, self.total, self.way_unknown, self.is_mismatch, self.is_detailed))

    @property
    def difference(self) -> Decimal | None:
        """Return how far a link whose amounts do not match is from what its challans come to, where both are known."""
        if not self.is_mismatch or self.total is None or self.of_challans is None:
            return None
        return abs(self.total - self.of_challans)

    @property
    def fines_apart(self) -> Decimal | None:
        """Return how far the fines of a link without a known total are from its challans'; None if they match."""
        if not self.is_mismatch or self.total is not None or self.fines is None:
            return None
        return self.fines[1] - self.fines[0] or None

    @property
    def asks_less(self) -> bool:
        """Return whether the link asks less than its challans come to."""
        return self.total is not None and self.of_challans is not None and self.total < self.of_challans

    @property
    def is_known(self) -> bool:
        """Return whether any part is known: a table of unknown ones says nothing."""
        return any(part is not None for way in self.ways for part in way.parts)

    @property
    def shared(self) -> tuple[tuple[str, Decimal | None], ...]:
        """Return the parts before the last, if they are the same in each of several ways to pay; else nothing."""
        parts = {way.parts[:-1] for way in self.ways}
        numbers = [number for way in self.ways for number in (*way.parts, way.total)]
        if len(self.ways) < 2 or len(parts) > 1 or None in numbers:
            return ()
        return tuple(zip(self.parts, parts.pop(), strict=False))


@dataclass(frozen=True, slots=True)
class LinkChallanRow:
    """Show a challan of a link; `date`, `offence` and `place` are None where no search of its vehicle has shown it."""

    challan_no: str
    rc: str | None
    status: str | None
    type: str | None
    state: str | None
    date: datetime | None
    offence: str | None
    place: str | None
    amount: Decimal | None
    total: Decimal | None
    pending: str | None = None  # the status that the source still gives of it, though the link is paid
    is_missing: bool = False  # it was requested, and is not on the link

    @property
    def fees(self) -> Decimal | None:
        """Return what the total has beyond the fine: legal fee and GST."""
        return self.total - self.amount if self.total is not None and self.amount is not None else None
