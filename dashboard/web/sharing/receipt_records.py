"""Define what the templates of a receipt receive: plain, frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from dashboard.domain.links import receipt_number
from dashboard.domain.messages import Message
from dashboard.web.shared.languages import gettext as _
from dashboard.web.sharing.records import Addressee, Way


@dataclass(frozen=True, slots=True)
class ReceiptChallan:
    """Show a challan that was paid; `offence` and `date` are None where no search of its vehicle has shown them."""

    label: str
    amount: Decimal | None
    offence: str | None
    date: datetime | None


@dataclass(frozen=True, slots=True)
class Receipt:
    """Show what was paid by a link, and the thanks to its driver."""

    link_id: str
    plate: str | None
    organization: str | None
    driver: str | None
    to: Addressee  # who is written to: nobody who has left
    total: Decimal | None
    paid_at: datetime | None
    challans: tuple[ReceiptChallan, ...]
    made_of: tuple[tuple[str, Decimal], ...]  # fines and fees of the total; empty where one of them is not known
    how_paid: str  # by which ways it may have been, all for the total; "" where they differ, or none is known
    added_otherwise: str  # how much more it came to in the ways of another amount
    message: Message
    ways: tuple[Way, ...]
    said: str = ""  # how it was sent or opened last, by whom and when
    is_sent: bool = False  # to a driver
    undo_id: int = 0  # of how it was sent, while the signed-in person can take it back

    @property
    def number(self) -> str:
        """Return the number that WhatsApp opens with; "" where it asks."""
        return next((way.number for way in self.ways if way.number), "")

    @property
    def receipt_number(self) -> str:
        """Return the number by which people name the receipt."""
        return receipt_number(self.link_id)

    @property
    def title(self) -> str:
        return _("Receipt · %(plate)s · Challan Dashboard", plate=self.plate or _("Payment link"))
