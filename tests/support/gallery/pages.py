"""List all pages of the gallery by name, with the few that belong to no noun."""

from __future__ import annotations

from dashboard.web.shared.errors import Way
from dashboard.web.shared.saved_forms import SentForm
from tests.support.gallery.accounts import account_pages, audit_pages, people_pages, saved_form_pages
from tests.support.gallery.creation import release_pages, request_pages
from tests.support.gallery.forms import SignInForm
from tests.support.gallery.home import home_pages
from tests.support.gallery.links import link_pages
from tests.support.gallery.lists import list_pages
from tests.support.gallery.operations import service_pages
from tests.support.gallery.reconciliation import reconcile_pages
from tests.support.gallery.related_links import tied_pages
from tests.support.gallery.reviews import review_pages
from tests.support.gallery.samples import HOSTILE, Pages
from tests.support.gallery.sharing import sharing_pages
from tests.support.gallery.vehicles import vehicle_pages


def _sign_in_pages() -> Pages:
    sign_in, wrong = SignInForm(), SignInForm(data={"email": "asha@"})
    wrong.email.errors = ["Enter your email address."]
    ways = {"takes_passwords": True, "has_provider": False}
    return {
        "sign-in": (
            "accounts/sign_in.html",
            ways | {"form": sign_in, "notice": None, "meaning": ""},
        ),
        "sign-in-no-passwords": (
            "accounts/sign_in.html",
            {"form": sign_in, "notice": None, "meaning": "", "takes_passwords": False, "has_provider": True},
        ),
        "sign-in-wrong": (
            "accounts/sign_in.html",
            {
                "form": wrong,
                "notice": "Your session has ended. Sign in to go on.",
                "meaning": "waiting",
                "takes_passwords": True,
                "has_provider": True,
            },
        ),
    }


def _error_pages() -> Pages:
    return {
        "error-sent": (
            "shared/error.html",
            {
                "title": "The dashboard is too busy to save",
                "text": "Nothing was saved by this click. Try again in 5 s.",
                "status": 503,
                "ways": (Way("Go back", "/drivers"), Way("Go to the search", "/")),
                "finds": False,
                "sent": SentForm("/drivers", "token", (("Name", HOSTILE), ("Note", "A note. " * 40)), (("name", "R"),)),
            },
        ),
    }


PAGES: Pages = {
    **_sign_in_pages(),
    **home_pages(),
    **vehicle_pages(),
    **review_pages(),
    **request_pages(),
    **_error_pages(),
    **release_pages(),
    **link_pages(),
    **service_pages(),
    **sharing_pages(),
    **saved_form_pages(),
    **people_pages(),
    **account_pages(),
    **audit_pages(),
    **reconcile_pages(),
    **list_pages(),
    **tied_pages(),
}
