"""The ways in which a payment link is given to a driver."""

from __future__ import annotations

from enum import StrEnum


class Channel(StrEnum):
    """How a link was shared. The values are stored with each share."""

    COPY = "copy"
    WHATSAPP = "whatsapp"
    SMS = "sms"
    EMAIL = "email"
    SHEET = "sheet"
    QR = "qr"
    PRINT = "print"
