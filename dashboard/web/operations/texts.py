"""The sentences of the service page that code chooses."""

from __future__ import annotations

from dashboard.errors import Operation

CALLS = {
    Operation.SEARCH_CHALLANS: "Searching vehicles",
    Operation.CREATE_PAYMENT_LINK: "Creating links",
    Operation.GET_PAYMENT_LINK: "Checking links",
}
WORKING = "Working"
KEY_REFUSED = "The API key was refused {since}. Next try at {until}."
KEY_THROTTLED = "Refused since {since}, though no limit is reached. Next try at {until}."
OTHER_ORGANIZATION = "The key belongs to another organization, since {since}."
NOT_ENABLED = "{group} was refused at {since}. Tried again at {until}."
BREAKER_OPEN = "Failing since {since}. The next call is tried at {until}."
ALLOWANCE_SPENT = "Reached at {since}. Tried again from {until}."
TRIED_AGAIN = "The service answers again. Paused calls go on by themselves."
