"""Test the command that moves a store: killed at any point it ends whole, and the dashboard goes on afterwards."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from dashboard.store.engine import Store
from dashboard.store.links.tables import link
from dashboard.store.migrate import all_tables, is_current
from tests.bench.clerk import Clerk
from tests.commands.conftest import Run, Running
from tests.commands.moved_stores import everything, mark, rows
from tests.conftest import ServedReplica
from tests.support.forked_commands import ForkedCommand
from tests.support.full_tables import fill
from tests.support.people import ARUN, ASHA, add_to_store

RC = "MH12AB1001"


@pytest.fixture
def moving_environ(command_environ: dict[str, str], target: Store) -> dict[str, str]:
    url = target.url.render_as_string(hide_password=False)
    return {**command_environ, "DASHBOARD_DATABASE_URL": url}


def test_it_ends_whole_after_kills_at_random_points(
    store: Store, target: Store, moving_environ: dict[str, str], tmp_path: Path
) -> None:
    """Move 20,000 rows, and kill the command again and again, a little later each time."""
    tables = len(all_tables().sorted_tables)
    expected = fill(store, 20_000 // tables + 1)
    assert sum(expected.values()) >= 20_000
    before = everything(store)
    roll = random.Random(20)
    command = ["migrate-store", "--from", str(store.url), "--batch", "60"]
    seen, copied, pause = [], 0, threading.Event()
    for attempt in range(40):
        output = tmp_path / f"move-{attempt}"
        output.touch()
        child = ForkedCommand(command, moving_environ, folder=tmp_path, stdout=output, stderr=output)
        # The first words come when it begins to move: kills before that would prove little.
        while child.poll() is None and not output.read_text():
            pause.wait(0.005)
        if attempt < 12:
            pause.wait(roll.random() * 0.25 * (1 + attempt / 4))
        else:
            child.wait(120)
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
        child.wait(30)
        if child.returncode != -signal.SIGKILL:
            assert child.returncode == 0, output.read_text()
            break
        now = sum(rows(target).values())
        assert now >= copied, "what was committed is never copied again"
        copied = now
        seen.append(copied)
        if mark(store).startswith("moved") and is_current(target):
            break  # The kill came after the last commit, and before the end of the process.
    assert any(0 < each < sum(expected.values()) for each in seen), f"no kill came in the middle: {seen}"
    assert everything(target) == before
    assert is_current(target)
    assert mark(store).startswith("moved")


def test_the_dashboard_goes_on_with_sessions_links_and_audit(
    run: Run,
    start: Callable[..., Running],
    replica: ServedReplica,
    command_environ: dict[str, str],
    moving_environ: dict[str, str],
    target: Store,
) -> None:
    replica.levers.add_vehicle(RC, [{"challanNo": f"MH100{number}"} for number in range(3)])
    add_to_store(command_environ, ASHA, ARUN)
    url = f"http://{command_environ['DASHBOARD_LISTEN']}"
    before = start("serve")
    before.answers(f"{url}/readyz")
    asha, arun = Clerk(url), Clerk(url, ARUN.email)
    link_id = asha.creates_a_link(RC)
    address = target.url.render_as_string(hide_password=False)

    refused = run("migrate-store", DATABASE_URL=address)
    assert refused.returncode == 1
    assert "is in use. Stop every process of the dashboard first." in refused.stderr
    assert before.stop(signal.SIGTERM) == 0
    spool = Path(command_environ["DASHBOARD_DATA_DIR"]) / "spool"
    moved = run("migrate-store", DATABASE_URL=address, anew=True)
    assert moved.returncode == 0, moved.stderr
    assert "are equal on both sides" in moved.stdout
    assert not list(spool.glob("*.json"))

    old = run("check")
    assert "FAIL  Database: The rows of this database were moved to PostgreSQL" in old.stdout
    assert run("worker").stderr.startswith("The rows of this database were moved to PostgreSQL")
    after = start("serve", environ=moving_environ)
    after.answers(f"{url}/readyz")
    assert "Copy link" in asha.opens(f"/links/{link_id}"), "the session went along"
    assert "person added" in arun.opens("/audit").lower()
    replica.levers.pay(link_id)
    deadline, pause = time.monotonic() + 60, threading.Event()
    while True:
        with target.read() as connection:
            if connection.execute(select(link.c.status).where(link.c.id == link_id)).scalar() == "PAID":
                break
        assert time.monotonic() < deadline, after.said
        asha.opens(f"/links/{link_id}/panel", {"HX-Request": "true"})
        pause.wait(0.1)
    assert after.stop(signal.SIGTERM) == 0
