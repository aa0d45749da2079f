"""Wire every part of the application, in the order that `create_app` states."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from pathlib import Path

from flask import Flask
from jinja2 import StrictUndefined
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.middleware.proxy_fix import ProxyFix

from dashboard.domain.roles import Role
from dashboard.metrics import Metrics
from dashboard.services.accounts.hashing_places import HashingPlaces
from dashboard.services.accounts.invitations import Invitations
from dashboard.services.accounts.passwords import Passwords
from dashboard.services.accounts.people import People
from dashboard.services.accounts.second_factors import SecondFactors
from dashboard.services.accounts.single_sign_on import SingleSignOn
from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.schedule import Clock, Schedule
from dashboard.services.steady_clock import SteadyClock, database_clock
from dashboard.settings import Settings
from dashboard.store.engine import Store
from dashboard.upstream import CallRecord, SecretSource, ServiceClient, ServiceConfig
from dashboard.upstream.identity_provider import Client, IdentityProvider
from dashboard.web.accounts.routes import init_auth
from dashboard.web.blueprints import BLUEPRINTS
from dashboard.web.shared.assets import init_assets
from dashboard.web.shared.compression import init_compression
from dashboard.web.shared.direction_marks import init_direction_marks
from dashboard.web.shared.drawn_rows import init_drawn_rows
from dashboard.web.shared.errors import init_errors
from dashboard.web.shared.filters import init_filters, remove_framework_values
from dashboard.web.shared.htmx import init_htmx
from dashboard.web.shared.indentation import WithoutIndentation
from dashboard.web.shared.languages import init_languages
from dashboard.web.shared.menu import init_menu
from dashboard.web.shared.request_id import init_request_ids
from dashboard.web.shared.request_log import init_request_log
from dashboard.web.shared.security import configure, init_security
from dashboard.web.shared.template_globals import SharedGlobals
from dashboard.web.shared.toasts import init_toasts


def create_app(
    settings: Settings,
    *,
    store: Store | None = None,
    client: ServiceClient | None = None,
    clock: Clock | None = None,
    passwords: Passwords | None = None,
    metrics: Metrics | None = None,
) -> Flask:
    """Wire every part. The commands migrate, call the service and start threads.

    The observer of a given `client` should be `call_made` of the `metrics` given with it.
    """
    app = Flask("dashboard", static_folder=None, template_folder=str(_assets("templates")))
    app.jinja_environment = SharedGlobals
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.add_extension(WithoutIndentation)
    configure(app, settings)
    if settings.proxy_count:
        hops = settings.proxy_count
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]  # As Flask documents it.

    store = store or Store(settings.database_url, connections=settings.database_connections)
    clock = clock or steady_clock(store)
    metrics = metrics or Metrics()
    client = client or create_client(settings, metrics.call_made)
    app.extensions["settings"] = settings
    app.extensions["clock"] = clock
    app.extensions["store"] = store
    app.extensions["metrics"] = metrics
    app.extensions["people"] = People(
        store,
        clock,
        passwords or Passwords(places=HashingPlaces(waiting=max(4, settings.threads * 3 // 8))),
        idle=settings.session_idle,
        longest=settings.session_lifetime,
    )
    app.extensions["invitations"] = Invitations(app.extensions["people"])
    app.extensions["second_factors"] = SecondFactors(app.extensions["people"], settings.secret_key)
    app.extensions["single_sign_on"] = create_single_sign_on(settings, app.extensions["people"])
    app.extensions["services"] = Services(
        store,
        client,
        clock,
        create_schedule(settings),
        UnrecordedLinks(settings.data_dir / "spool"),
        settings.payment_page_base,
    )

    # Hooks before a request run in the order of this list, hooks after it in the opposite order.
    init_request_ids(app)
    init_request_log(app, metrics.request_served)
    init_languages(app)
    init_filters(app, settings, clock)
    init_drawn_rows(app)
    init_assets(app, _assets("static"))
    init_auth(app)
    init_security(app, settings)
    init_compression(app)
    init_direction_marks(app)
    init_htmx(app)
    init_toasts(app)
    init_menu(app)
    init_errors(app)

    for bp in BLUEPRINTS:
        app.register_blueprint(bp)
    remove_framework_values(app)
    return app


def steady_clock(store: Store) -> SteadyClock:
    """Return the clock of a process, compared with the database's if that can be reached."""
    clock = SteadyClock(database_clock(store))
    with suppress(SQLAlchemyError):
        clock.compare()
    return clock


def create_client(settings: Settings, observer: Callable[[CallRecord], None] | None = None) -> ServiceClient:
    secret = settings.api_secret
    source = SecretSource.file(secret.file) if secret.file else SecretSource.literal(secret.literal or "")
    config = ServiceConfig(
        settings.service_url,
        source,
        prefix=settings.service_prefix,
        connect_timeout=settings.connect_timeout.total_seconds(),
        create_deadline=settings.create_deadline.total_seconds(),
        search_deadline=settings.search_deadline.total_seconds(),
        refresh_deadline=settings.refresh_deadline.total_seconds(),
        status_deadline=settings.status_deadline.total_seconds(),
        lookup_deadline=settings.status_deadline.total_seconds(),
        pool_size=settings.threads,
    )
    return ServiceClient(config, observer=observer)


def create_single_sign_on(settings: Settings, people: People) -> SingleSignOn | None:
    """Build single sign-on; None without a provider."""
    if not (settings.oidc_issuer and settings.oidc_client_id and settings.oidc_client_secret):
        return None
    client = Client(settings.oidc_issuer, settings.oidc_client_id, settings.oidc_client_secret)
    return SingleSignOn(
        people,
        IdentityProvider(client),
        role_claim=settings.oidc_role_claim,
        roles={value: Role(role) for value, role in (settings.oidc_roles or {}).items()},
        makes_people=settings.oidc_new_people,
    )


def create_schedule(settings: Settings) -> Schedule:
    """Build the schedule from the settings that carry the name of one of its fields."""
    shared = {each.name for each in fields(Schedule)} & {each.name for each in fields(settings)}
    return Schedule(**{name: getattr(settings, name) for name in shared})


def _assets(name: str) -> Path:
    """Return the folder of templates/ or static/: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).parent
    installed = package / "_assets" / name
    return installed if installed.is_dir() else package.parent / name
