"""Render the pages of the gallery, and serve them as a site."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from zoneinfo import ZoneInfo

from flask import Flask, Response, abort, request
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from dashboard.domain.roles import Role
from dashboard.web.links.records import CustomFieldRow, CustomFieldsForm
from dashboard.web.shared import qr
from dashboard.web.shared.access import least_role
from dashboard.web.shared.assets import Assets
from dashboard.web.shared.banner import Banner, BannerLink, Banners
from dashboard.web.shared.drawn_rows import reusing
from dashboard.web.shared.edit_conflicts import Editing
from dashboard.web.shared.filters import FORMATS, Formats
from dashboard.web.shared.languages import add_to_templates, init_languages
from dashboard.web.shared.security import CONTENT_SECURITY_POLICY
from dashboard.web.shared.service_words import challan_status, challan_type, state_of_india
from dashboard.web.shared.texts import role_name
from tests.support.gallery.addresses import url_for
from tests.support.gallery.pages import PAGES
from tests.support.gallery.samples import HOSTILE, LINK_ID, NEW_ID, NOW, PLATE

ROOT = Path(__file__).resolve().parents[3]
_SIGNED_OUT = ("sign-in", "invitation")
_FOR_ADMINISTRATORS = ("service", "people", "person", "audit")
_FOR_MANAGERS = (
    "links-full",
    "share",
    "messages",
    "messages-conflict",
    "messages-hostile",
)
_REFUSED = Banner(
    "The API key was refused", "No calls have been made since 2:01 pm. Pages show the last known data, with its age."
)
_DOUBLED = Banner(
    "Money may be paid twice",
    f"Links of {PLATE} have the same challans. Open them to see what to do. "
    "This alarm shows until a manager or an administrator writes a note.",
    (
        BannerLink(f"{PLATE}, link of 19 Nov, 2:03 pm: PAID", f"/links/{LINK_ID}"),
        BannerLink(f"{PLATE}, link of 1:53 pm: ACTIVE", f"/links/{NEW_ID}"),
    ),
)
_BANNERS = {
    "vehicle-trouble": (_REFUSED,),
    "home": (_DOUBLED,),
    "link-doubled": (_DOUBLED, _REFUSED),
    "link-doubled-new": (_DOUBLED,),
}


def environment(asset: Callable[[str], str], integrity: Callable[[str], str]) -> Environment:
    """Return Jinja as the application configures it, with stubs for the request and the session."""
    env = Environment(loader=FileSystemLoader(ROOT / "templates"), autoescape=True, undefined=StrictUndefined)
    formats = Formats(SimpleNamespace(timezone=ZoneInfo("Asia/Kolkata"), currency="INR"), lambda: NOW)  # type: ignore[arg-type]  # Only these two are read.
    for name in FORMATS:
        env.filters[name] = getattr(formats, name)
    env.filters |= {
        "qr": qr.draw,
        "challan_status": challan_status,
        "state_of_india": state_of_india,
        "challan_type": challan_type,
        "role_name": role_name,
    }
    add_to_templates(env)
    env.globals.update(
        asset=asset,
        integrity=integrity,
        url_for=url_for,
        csrf_token=lambda: "token",
        drawn=reusing(),
        in_place=lambda: False,
        notices=list,
        toasts=list,
        waiting_counts=lambda: {"follow_up": 11, "reconcile": 2},
        paid_notifications=lambda: None,
        staging=True,
    )
    return env


def render(env: Environment, name: str) -> str:
    template, context = PAGES[name]
    role = Role.ADMIN if name.startswith(_FOR_ADMINISTRATORS) else Role.MANAGER if name in _FOR_MANAGERS else Role.STAFF
    user = SimpleNamespace(
        is_authenticated=not name.startswith(_SIGNED_OUT),
        name="Asha Raghunathan",
        email="asha@fleet.example",
        role=role,
        uses_keys=True,
        may_open=lambda endpoint: role.may(least_role(endpoint)),
    )
    fields = CustomFieldsForm(
        (
            CustomFieldRow(
                "cost_centre", "Cost centre", 60, "Pune depot", "Mumbai", "Pune depot", None, ("Mumbai", "Pune depot")
            ),
            CustomFieldRow("trip", "Trip", 60, "", "T-4711", "", None, ()),
            CustomFieldRow("customer", "Customer to recharge", 100, HOSTILE, "", HOSTILE, None, ()),
            CustomFieldRow("note", "Note", 500, "", "", "", None, ()),
        ),
        action="/links/x/fields",
        editing=Editing("1795000000-0"),
    )
    surroundings = {
        "fields": fields,
        "current_user": user,
        "now": NOW,
        "banners": lambda: Banners(_BANNERS.get(name, ())),
    }
    return env.get_template(template).render(surroundings | context)


def application() -> Flask:
    """Return the gallery as a Flask application, under the product's content security policy."""
    app = Flask(__name__, static_folder=None)
    init_languages(app, lambda: request.args.get("language", "en"))
    assets = Assets(ROOT / "static")
    env = environment(lambda path: f"/static/{path}?v={assets[path].version}", lambda path: assets[path].integrity)
    env.auto_reload = True

    @app.get("/static/<path:path>")
    def static(path: str) -> Response:
        found = assets.find(path) or abort(404)
        return Response(found.content, content_type=found.type)

    @app.get("/gallery/<name>")
    def page(name: str) -> str:
        return render(env, name) if name in PAGES else abort(404)

    @app.get("/gallery")
    def index() -> str:
        return "".join(f'<p><a href="/gallery/{name}">{name}</a></p>' for name in PAGES)

    @app.errorhandler(404)
    def nothing_new(_error: object) -> Response:
        """Answer whatever a page asks for by itself."""
        return Response(status=204)

    @app.after_request
    def add_policy(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        return response

    return app
