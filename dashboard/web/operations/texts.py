"""The sentences of the service page that code chooses."""

from __future__ import annotations

from dashboard.errors import Operation

CALLS = {
    Operation.SEARCH_CHALLANS: "Searching vehicles",
    Operation.CREATE_PAYMENT_LINK: "Creating links",
    Operation.GET_PAYMENT_LINK: "Checking links",
}
OPEN = "Nothing is held back."
KEY_REFUSED = "The API key was refused {since}. Next try at {until}."
KEY_THROTTLED = "Turned away since {since}, without any limit. Next try at {until}."
OTHER_ORGANIZATION = "The key belongs to another organization, since {since}."
NOT_ENABLED = "{group} was refused {since}. Asked again at {until}."
BREAKER_OPEN = "Failing since {since}. One call may try from {until}."
ALLOWANCE_SPENT = "The service has said so since {since}. Asked again from {until}."
TRIED_AGAIN = "The service has just answered. What was held back goes on by itself."
