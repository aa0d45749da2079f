"""Word the head and the fixed values of an exported file of links."""

from __future__ import annotations

from dashboard.store.links import links
from dashboard.web.shared.languages import lazy

EXPORT_OF_LINK = [
    lazy("Link id"),
    lazy("Vehicle"),
    lazy("State"),
    lazy("State since ({zone})"),
    lazy("Made ({zone})"),
    lazy("Made by"),
    lazy("Origin"),
    lazy("Hours"),
    lazy("Ends ({zone})"),
    lazy("Paid ({zone})"),
    lazy("Challans"),
    lazy("Fines ({currency})"),
    lazy("Legal fee ({currency})"),
    lazy("GST ({currency})"),
    lazy("Convenience fee ({currency})"),
    lazy("Total ({currency})"),
    lazy("Payment URL"),
]
EXPORT_OF_CHALLAN = [
    lazy("Challan number"),
    lazy("Challan vehicle"),
    lazy("Challan state"),
    lazy("Challan type"),
    lazy("Challan status"),
    lazy("Challan fine ({currency})"),
    lazy("Challan legal fee ({currency})"),
    lazy("Challan total ({currency})"),
]
EXPORT_ORIGINS = {
    links.CREATED: lazy("made here"),
    links.RECOVERED: lazy("found by checking"),
    links.OBSERVED: lazy("made elsewhere"),
}
EXPORT_SHEET = lazy("Payment links")
