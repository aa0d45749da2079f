"""Show the page of the service's status, with and without failures."""

from __future__ import annotations

from dashboard.web.operations.page import CallRow, ServicePage
from dashboard.web.shared.records import StateWords
from tests.support.gallery.samples import Pages, ago

_OPEN = StateWords("Working", "", "good")
_LONG = "https://challans-and-payment-links.staging.internal.fleet-operator.example/api/v1/staging"


def service_pages() -> Pages:
    well = ServicePage(
        "https://api.example.in/api/v1/staging",
        (
            CallRow("Searching vehicles", _OPEN, 0, None, 0),
            CallRow("Creating links", _OPEN, 12, None, 0),
            CallRow("Checking links", _OPEN, 48_210, None, 0),
        ),
        *(0, None, None, 0),
    )
    broken = StateWords("Paused", "Failing since 2:01 pm. The next call is tried at 2:03 pm.", "waiting")
    refused = "Payment Link Generation was refused at 2:01 pm. Tried again at 2:11 pm."
    ill = ServicePage(
        _LONG,
        (
            CallRow("Searching vehicles", broken, 1_812, 2_000, 100),
            CallRow("Creating links", StateWords("Not enabled", refused, "wrong"), 12, 50, 0),
            CallRow("Checking links", _OPEN, 148_210, None, 0),
        ),
        *(3, ago(minutes=19), ago(minutes=4), 1),
    )
    return {name: ("operations/index.html", {"page": page}) for name, page in (("service", well), ("service-ill", ill))}
