"""Word what people read about custom fields."""

from __future__ import annotations

from dashboard.web.shared.languages import lazy

CUSTOM_FIELD_TOO_LONG = lazy("This has {length} letters; at most {most} fit. Nothing was saved.")
#: The title of saved a saved form.
SAVED_CUSTOM_FIELDS = lazy("Cost centre, trip or note of a link")
#: The label of each custom field, by its name, in the order of forms.
LABELS = {
    "cost_centre": lazy("Cost centre"),
    "trip": lazy("Trip"),
    "customer": lazy("Customer to recharge"),
    "note": lazy("Note"),
}
#: Fields that a filter labels otherwise.
FILTER_LABELS = LABELS | {"note": lazy("Note contains")}
