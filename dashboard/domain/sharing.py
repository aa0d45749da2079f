"""Define the channels through which a payment link is shared with a driver."""

from __future__ import annotations

from enum import StrEnum


class Channel(StrEnum):
    """Name the channel of a share. The values are stored with each share."""

    COPY = "copy"
    WHATSAPP = "whatsapp"
    SMS = "sms"
    EMAIL = "email"
    SHEET = "sheet"
    QR = "qr"
    PRINT = "print"


#: The channels by which a message goes to a driver.
SENDS = (Channel.WHATSAPP, Channel.SMS, Channel.EMAIL)
