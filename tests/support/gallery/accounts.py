"""Show the page of a saved form, in many states."""

from __future__ import annotations

from dashboard.web.accounts.records import SavedFormPage
from tests.support.gallery.samples import HOSTILE, Pages


def saved_form_pages() -> Pages:
    driver = (("Name", "Ramesh Yadav"), ("Phone", "98765 43210"), ("Vehicles", "MH12 AB 1001, MH12 AB 1002"))
    long = (("Cost centre", HOSTILE), ("Trip", ""), ("Note", f"{HOSTILE}\n{'A long note. ' * 38}\n{'M' * 200}"))
    forms = {
        "saved-form": SavedFormPage("k", "A new driver", None, None, driver, driver),
        "saved-form-odd": SavedFormPage(
            "k", "Cost centre, trip or note of a vehicle", HOSTILE, "/vehicles/MH12AB1001", long, long
        ),
    }
    return {name: ("accounts/saved_form.html", {"form": form}) for name, form in forms.items()}
