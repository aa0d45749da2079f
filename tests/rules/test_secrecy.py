"""Test that the API secret, the signing key and the metrics token are in no body, header, log line, repr or file."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from flask import Flask

from dashboard import logs
from dashboard.settings import Settings
from dashboard.store.engine import Store
from tests.conftest import CANARY, SECRET_KEY, ServedReplica
from tests.support.web_client import WebClient

TOKEN = "canary-93c0f5aa-metrics-token"
SECRETS = (CANARY, SECRET_KEY, TOKEN)


@pytest.fixture
def environ(environ: dict[str, str]) -> dict[str, str]:
    return {**environ, "DASHBOARD_METRICS_TOKEN": TOKEN}


def assert_clean(text: str, where: str) -> None:
    for secret in SECRETS:
        assert secret not in text, f"a secret stands in {where}"


def work(replica: ServedReplica, staff: WebClient) -> None:
    """Search once with success, once refused and once unanswered. `WebClient` checks every answer for secrets."""
    replica.levers.add_vehicle("MH12AB1001", [{"challanNo": "MH1", "challanAmount": 500}])
    page = staff.page("/")
    assert staff.read(page.submit("Search", rc_number="mh12 ab 1001")).status == 200
    page.submit("Search", rc_number="KA05 MN 4321")
    replica.levers.revoke_secret()
    page.submit("Search", rc_number="MH12 AB 1001")
    staff.get("/nowhere")
    for token in (TOKEN, f"{TOKEN}x"):
        staff.get("/metrics", headers={"Authorization": f"Bearer {token}"})


@pytest.mark.parametrize("formatter", [logs.JsonFormatter, logs.TextFormatter])
def test_no_log_line_holds_a_secret(
    replica: ServedReplica,
    broken_page: str,
    staff: WebClient,
    caplog: pytest.LogCaptureFixture,
    formatter: type[logging.Formatter],
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.handler.setFormatter(formatter())
    work(replica, staff)
    staff.get(broken_page)
    assert "on purpose" in caplog.text
    assert "search_challans" in caplog.text
    assert "operations.metrics" in caplog.text
    assert_clean(caplog.text, "the log")
    assert "a long enough phrase" not in caplog.text


def test_no_file_of_the_data_folder_holds_a_secret(
    replica: ServedReplica, staff: WebClient, store: Store, tmp_path: Path
) -> None:
    work(replica, staff)
    store.close()
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert files
    for file in files:
        content = file.read_bytes().decode("latin-1")
        assert_clean(content, str(file))
        assert "a long enough phrase" not in content


def test_no_repr_shows_a_secret(app: Flask, settings: Settings) -> None:
    services = app.extensions["services"]
    shown = [settings, settings.api_secret, app, services, services.vehicle_search, app.extensions["people"]]
    for thing in shown:
        assert_clean(f"{thing!r} {thing!s}", repr(type(thing)))
    client = services.vehicle_search.client
    assert_clean(f"{client!r} {client.config!r} {client.config.secret!r}", "the client")


def test_templates_are_given_neither_settings_nor_framework(app: Flask) -> None:
    for name in ("config", "request", "session", "g"):
        assert name not in app.jinja_env.globals
    with app.test_request_context():
        context: dict[str, object] = {}
        app.update_template_context(context)
    assert context.keys() == {"now", "banners", "current_user", "csrf_token", "csrf_meta_tag"}
    for names in app.template_context_processors.values():
        assert not [each for each in names if each.__module__ == "flask.templating"]
