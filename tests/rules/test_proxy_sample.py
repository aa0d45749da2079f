"""Test that the sample of a proxy's configuration fits the settings, and that the documents say why it is needed."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from dashboard.settings import Settings
from dashboard.web.shared.request_bodies import LARGEST_UPLOADS
from tests.conftest import SECRET_KEY
from tests.support.documents import DOCS, README, ROOT

SAMPLE = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")


#: How each sample states the largest body, and how long a body, or the next part of it, may take to arrive.
LIMITS = {
    "nginx.conf": (r"client_max_body_size (\d+)k;", r"client_body_timeout (\d+)s;"),
    "Caddyfile": (r"max_size (\d+)KiB", r"read_body (\d+)s"),
    "compose/Caddyfile": (r"max_size (\d+)KiB", r"read_body (\d+)s"),
}


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


@pytest.mark.parametrize("name", LIMITS)
def test_each_sample_takes_bodies_as_large_as_the_dashboard_does(name: str) -> None:
    sample = (ROOT / "deploy" / name).read_text(encoding="utf-8")
    (size,), (seconds,) = (re.findall(pattern, sample) for pattern in LIMITS[name])
    assert int(size) * 1024 == max(settings().max_request_kb * 1024, *LARGEST_UPLOADS.values())
    assert int(seconds) >= 30, "a file of 1 MB on a slow line"


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
