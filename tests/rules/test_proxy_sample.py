"""Test that the sample of a proxy's configuration fits the settings, and that the documents say why it is needed."""

from __future__ import annotations

import re
from datetime import timedelta

from dashboard.settings import Settings
from tests.conftest import SECRET_KEY
from tests.support.documents import DOCS, README, ROOT

SAMPLE = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")


def settings() -> Settings:
    return Settings.from_environ(
        {
            "DASHBOARD_SERVICE_URL": "https://service.example",
            "DASHBOARD_API_SECRET": "a-secret-of-the-service",
            "DASHBOARD_SECRET_KEY": SECRET_KEY,
        }
    )


def directive(name: str) -> str:
    """Return the value of a directive, without its comment."""
    [value] = re.findall(rf"^\s*{name}\s+(.*?);", SAMPLE, re.M)
    return str(value)


def test_the_sample_sets_each_header_that_the_dashboard_believes_and_appends_to_none() -> None:
    sent = dict(re.findall(r"^\s*proxy_set_header (\S+) (\S+);", SAMPLE, re.M))
    believed = {"X-Forwarded-For": "$remote_addr", "X-Forwarded-Proto": "$scheme", "X-Forwarded-Host": "$host"}
    assert believed.items() <= sent.items()


def test_the_sample_sends_no_form_twice_and_outwaits_a_creation() -> None:
    assert directive("proxy_next_upstream") == "off"
    defaults = settings()
    longest = defaults.create_deadline + defaults.refresh_deadline
    assert timedelta(seconds=int(directive("proxy_read_timeout").removesuffix("s"))) > longest


def test_the_sample_takes_bodies_as_large_as_the_dashboard_does() -> None:
    assert directive("client_max_body_size") == f"{settings().max_request_kb}k"


def test_the_sample_waits_for_slow_clients_in_place_of_the_dashboard() -> None:
    assert directive("proxy_request_buffering") == "on"
    for name in ("client_header_timeout", "client_body_timeout"):
        assert int(directive(name).removesuffix("s")) <= 30


def test_the_sample_logs_no_address_of_an_invitation() -> None:
    assert re.search(r"map \$uri \$is_logged \{\s*~\^/invitation/ 0;", SAMPLE)
    assert re.findall(r"^\s*access_log (.*);", SAMPLE, re.M) == [
        "off",
        "/var/log/nginx/access.log combined if=$is_logged",
    ]


def test_the_documents_say_that_only_the_proxy_may_reach_the_port() -> None:
    for file in (README, DOCS / "operating.md"):
        words = " ".join(file.read_text(encoding="utf-8").split())
        assert re.search(r"Only the proxy may reach the dashboard's (own )?port", words), file
        assert "deploy/nginx.conf" in words, file
