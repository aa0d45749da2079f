"""Test the health addresses: whether the process is alive, and whether it is ready."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from dashboard.app import create_app
from dashboard.settings import Settings
from dashboard.store.engine import Store
from tests.support.web_client import WebClient


def test_a_running_process_is_healthy_and_ready(visitor: WebClient) -> None:
    for address, text in (("/healthz", "ok\n"), ("/readyz", "ready\n")):
        answer = visitor.get(address)
        assert (answer.status_code, answer.text) == (200, text)
        assert answer.mimetype == "text/plain"


def test_without_its_database_it_is_healthy_but_not_ready(settings: Settings, tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"no database at all " * 100)
    store = Store(f"sqlite:///{broken}")
    client = create_app(settings, store=store).test_client()
    assert client.get("/healthz").status_code == 200
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == (503, "not ready\n")
    page = client.get("/", headers={"Cookie": "dashboard=x"})
    assert page.status_code in (302, 500)
    store.close()


def test_an_unmigrated_database_is_not_ready(settings: Settings, tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'fresh.db'}")
    assert create_app(settings, store=store).test_client().get("/readyz").status_code == 503
    store.close()


@pytest.mark.parametrize(
    ("revision", "status"), [("r9999", 200), ("r1", 503), ("moving r9999 1", 503), ("moved r1 1", 503)]
)
def test_a_process_goes_on_when_a_later_version_migrates_and_for_no_other_reason(
    visitor: WebClient, store: Store, revision: str, status: int
) -> None:
    with store.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = ?", (revision,))
    assert visitor.get("/readyz").status_code == status


def test_a_failing_database_gets_a_plain_page(
    build_app: Callable[[Settings], Flask], staff: WebClient, store: Store
) -> None:
    with store.write() as connection:
        connection.exec_driver_sql("DROP TABLE session")
    answer = staff.get("/")
    assert answer.status_code == 500
    assert "Something went wrong here" in answer.text
    assert answer.headers["X-Request-Id"] in answer.text
    assert "sign_in" not in answer.text
