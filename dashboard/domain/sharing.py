"""Define the channels through which a payment link is shared with a driver, and what the driver answers."""

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


class Answer(StrEnum):
    """Name what a driver says of money after a failed payment. The values are stored in the history of the link."""

    NOT_TAKEN = "not taken"
    TAKEN = "taken"


#: The channels by which a message goes to a driver.
SENDS = (Channel.WHATSAPP, Channel.SMS, Channel.EMAIL)
