"""Test the commands as processes."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from dashboard.domain.roles import Role
from dashboard.store.accounts import people
from dashboard.store.engine import Store
from tests.commands.conftest import Run, Running, plain_environ
from tests.conftest import ServedReplica
from tests.support.people import ASHA, PASSWORD, add_to_store
from tests.support.ports import free_port

ADD_ASHA = ("user", "add", "asha@example.com", "--name", "Asha Rao", "--role", "staff", "--password-stdin")


def test_every_problem_of_the_settings_is_printed_before_anything_starts(run: Run) -> None:
    done = run("serve", SERVICE_URL="http://service.example", API_SECRET="", SECRET_KEY="short")
    assert done.returncode == 1
    for name in ("DASHBOARD_SERVICE_URL", "DASHBOARD_API_SECRET", "DASHBOARD_SECRET_KEY"):
        assert name in done.stderr
    assert done.stdout == ""


def test_a_person_is_added_to_a_store_that_did_not_exist(run: Run, tmp_path: Path) -> None:
    done = run(*ADD_ASHA, stdin=f"{PASSWORD}\n")
    assert (done.returncode, done.stdout) == (0, "Added Asha Rao <asha@example.com> as staff.\n")
    store = Store(f"sqlite:///{tmp_path / 'data' / 'dashboard.db'}")
    with store.read() as connection:
        asha = people.find_by_email(connection, "asha@example.com")
    store.close()
    assert asha is not None
    assert asha.password_hash.startswith("$argon2id$")


def test_a_database_of_another_version_is_not_opened(run: Run, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(exist_ok=True)
    with closing(sqlite3.connect(tmp_path / "data" / "dashboard.db")) as connection:
        connection.executescript(
            "CREATE TABLE alembic_version (version_num VARCHAR(32)); INSERT INTO alembic_version VALUES ('0007');"
        )
    done = run(*ADD_ASHA, stdin=f"{PASSWORD}\n")
    assert done.returncode == 1
    assert "The database stands at revision 0007, which this version does not know." in done.stderr


def test_an_email_is_added_once(run: Run, command_environ: dict[str, str]) -> None:
    add_to_store(command_environ, ASHA)
    done = run("user", "add", "ASHA@example.com", *ADD_ASHA[3:], stdin=f"{PASSWORD}\n")
    assert done.returncode == 1
    assert "There is already a person with the email ASHA@example.com." in done.stderr


@pytest.mark.parametrize(
    ("arguments", "password", "words"),
    [
        (ADD_ASHA, "password1\n", "among the first that anybody would guess"),
        (ADD_ASHA, "short\n", "at least 8 characters"),
        (ADD_ASHA, "", "at least 8 characters"),
        (("user", "add", "nonsense", *ADD_ASHA[3:]), f"{PASSWORD}\n", "is not an email address"),
        ((*ADD_ASHA[:5], " ", *ADD_ASHA[5:]), f"{PASSWORD}\n", ""),
        ((*ADD_ASHA[:6], "owner", *ADD_ASHA[7:]), f"{PASSWORD}\n", "owner"),
    ],
)
def test_a_person_who_cannot_be_added_is_refused_in_words(
    run: Run, arguments: tuple[str, ...], password: str, words: str
) -> None:
    done = run(*arguments, stdin=password)
    assert done.returncode in (1, 2)
    assert words in done.stderr


def test_people_are_listed_changed_and_locked_out(run: Run, command_environ: dict[str, str]) -> None:
    add_to_store(command_environ, ASHA)
    assert "is manager from the next sign-in" in run("user", "role", "ASHA@example.com", "manager").stdout
    assert "signed out everywhere" in run("user", "disable", "asha@example.com").stdout
    (line,) = run("user", "list").stdout.splitlines()
    assert line.split("\t")[:3] == ["asha@example.com", "Asha Rao", "manager"]
    assert "disabled since" in line
    run("user", "enable", "asha@example.com")
    assert run("user", "list").stdout == "asha@example.com\tAsha Rao\tmanager\n"
    done = run("user", "password", "asha@example.com", "--password-stdin", stdin="another long phrase\n")
    assert (done.returncode, "has a new password" in done.stdout) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("disable", "nobody@example.com"), "There is nobody with the email nobody@example.com."),
        (("password", "asha@example.com", "--password-stdin"), "at least 8 characters"),
        (("disable", "asha@example.com"), "Asha Rao is the last administrator. Make somebody else one first."),
        (("role", "asha@example.com", "staff"), "Asha Rao is the last administrator. Make somebody else one first."),
    ],
)
def test_a_change_of_a_person_that_is_refused_is_told_in_words(
    run: Run, command_environ: dict[str, str], arguments: tuple[str, ...], words: str
) -> None:
    add_to_store(command_environ, replace(ASHA, role=Role.ADMIN))
    done = run("user", *arguments, stdin="short\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert words in done.stderr


def test_check_passes_when_everything_is_there(run: Run) -> None:
    done = run("check")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines() == [
        "ok    Configuration: complete and well formed",
        "ok    Database: reachable and migrated",
        "ok    Files: for this account alone",
        "ok    API secret: accepted",
        "ok    Payment Link Generation: enabled",
        "ok    Challan Search: enabled",
        "ok    Clock of the database: agrees with this host's within 1 s",
        "ok    Clock of the service: agrees with this host's within 3 s",
    ]


def test_check_reports_a_service_whose_clock_is_off(run: Run, replica: ServedReplica) -> None:
    replica.levers.set_clock(offset=60)
    try:
        done = run("check")
    finally:
        replica.levers.set_clock(offset=0)
    assert "FAIL  Clock of the service: is 60 s ahead of this host's" in done.stdout or "59 s ahead" in done.stdout
    assert done.returncode == 1


def test_check_reports_a_refused_secret(run: Run, replica: ServedReplica) -> None:
    replica.levers.revoke_secret()
    done = run("check")
    assert done.returncode == 1
    assert "FAIL  API secret: the service refused it" in done.stdout


def test_check_accepts_no_secret_that_is_throttled(run: Run, replica: ServedReplica) -> None:
    replica.levers.fault("link_status", "status", status=429)
    done = run("check")
    assert done.returncode == 1
    assert "FAIL  API secret: the service throttles it (429), and may have refused it" in done.stdout


@pytest.mark.parametrize("service", ["Challan Search", "Payment Link Generation"])
def test_check_reports_which_service_is_not_enabled(run: Run, replica: ServedReplica, service: str) -> None:
    field = {"Challan Search": "searchEnabled", "Payment Link Generation": "linksEnabled"}[service]
    replica.levers.set_organization(**{field: False})
    done = run("check")
    assert done.returncode == 1
    assert f"FAIL  {service}: is not enabled for the organization" in done.stdout
    assert "ok    API secret: accepted" in done.stdout


def test_check_reports_that_the_service_does_not_answer(run: Run) -> None:
    done = run("check", SERVICE_URL=f"http://127.0.0.1:{free_port()}")
    assert done.returncode == 1
    assert "FAIL  API secret: not known" in done.stdout
    assert "did not answer" in done.stdout


def test_check_reports_an_unreachable_database_without_its_password(run: Run) -> None:
    done = run("check", DATABASE_URL=f"postgresql://me:hunter2@127.0.0.1:{free_port()}/ledger")
    assert done.returncode == 1
    assert "FAIL  Database: cannot be reached" in done.stdout
    assert "hunter2" not in done.stdout + done.stderr


def test_check_reports_incomplete_settings(run: Run) -> None:
    done = run("check", SECRET_KEY="", TIMEZONE="Mars")
    assert done.returncode == 1
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == ["FAIL  Configuration"] * 2


def test_a_database_that_cannot_be_opened_stops_the_start(run: Run) -> None:
    done = run("serve", DATABASE_URL=f"postgresql://me:hunter2@127.0.0.1:{free_port()}/ledger")
    assert done.returncode == 1
    assert "The database cannot be opened" in done.stderr
    assert "hunter2" not in done.stderr


@pytest.mark.parametrize("command", [("serve",), ("web", "--workers", "2")])
def test_the_server_answers_and_stops_on_a_signal(
    start: Callable[..., Running], command_environ: dict[str, str], command: tuple[str, ...]
) -> None:
    running = start(*command, anew=True)
    address = f"http://{command_environ['DASHBOARD_LISTEN']}"
    assert running.answers(f"{address}/readyz") == "ready\n"
    assert "Sign in" in running.answers(f"{address}/sign-in")
    assert f"Challan Dashboard on {address}" in running.said
    assert f"Data: {command_environ['DASHBOARD_DATA_DIR']}" in running.said
    assert running.stop(signal.SIGTERM) == 0
    assert "Traceback" not in running.said
    assert "GET /" not in running.said, "addresses are not logged"


def test_the_worker_runs_and_stops_on_a_signal(start: Callable[..., Running]) -> None:
    running = start("worker", anew=True)
    running.says("The worker runs.")
    assert running.stop(signal.SIGTERM) == 0
    assert "Traceback" not in running.said


def test_the_replica_answers_and_stops_on_a_signal(
    start: Callable[..., Running], command_environ: dict[str, str], tmp_path: Path
) -> None:
    listen = f"127.0.0.1:{free_port()}"
    environ = {**command_environ, "REPLICA_DATABASE": str(tmp_path / "r")}
    running = start("replica", "--listen", listen, environ=environ, anew=True)
    running.answers(f"http://{listen}/")
    assert running.stop(signal.SIGTERM) == 0
    assert "Traceback" not in running.said


def test_a_taken_port_is_reported_in_a_sentence(run: Run, command_environ: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        replica = run("replica", "--listen", listen)
        serve = run("serve", LISTEN=listen)
    assert replica.returncode == 1
    assert listen in replica.stderr
    assert serve.returncode == 1
    assert f"{listen} cannot be used" in serve.stderr


def test_help_names_every_command(run: Run) -> None:
    listed = run("--help", anew=True).stdout
    for name in ("serve", "web", "worker", "replica", "user", "check", "demo"):
        assert f"  {name} " in listed


# The demo


@pytest.fixture
def demo_environ(tmp_path: Path) -> dict[str, str]:
    return {
        **plain_environ(),
        "DASHBOARD_DATA_DIR": str(tmp_path / "var"),
        "DASHBOARD_LISTEN": f"127.0.0.1:{free_port()}",
        "REPLICA_LISTEN": f"127.0.0.1:{free_port()}",
        # Settings of a real configuration, which the demo must not use.
        "DASHBOARD_DATABASE_URL": f"sqlite:///{tmp_path / 'real.db'}",
        "DASHBOARD_SERVICE_URL": "https://service.example",
        "DASHBOARD_API_SECRET": "the-real-secret",
    }


def test_the_demo_starts_twice_and_leaves_nothing_running(
    start: Callable[..., Running], demo_environ: dict[str, str], tmp_path: Path
) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        running = start("demo", environ=demo_environ, anew=True)
        running.says("Stop with Ctrl-C")
        for words in ("asha@example.com", "meera@example.com", "admin@example.com", str(tmp_path / "var" / "demo")):
            assert words in running.said
        assert running.answers(f"http://{demo_environ['DASHBOARD_LISTEN']}/readyz") == "ready\n"
        running.answers(f"http://{demo_environ['REPLICA_LISTEN']}/")
        assert running.stop(number) == 0
        assert "Traceback" not in running.said
        for listen in (demo_environ["DASHBOARD_LISTEN"], demo_environ["REPLICA_LISTEN"]):
            host, port = listen.split(":")
            with pytest.raises(OSError, match="refused"):
                socket.create_connection((host, int(port)), timeout=5)
    assert not (tmp_path / "real.db").exists()
    assert "the-real-secret" not in running.said


def test_the_demo_reports_a_taken_port_in_a_sentence(run: Run, demo_environ: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run("demo", LISTEN=f"127.0.0.1:{taken.getsockname()[1]}")
    assert done.returncode == 1
    assert "cannot be used" in done.stderr
    assert "DASHBOARD_LISTEN=" in done.stderr


def test_the_demo_listens_on_this_machine_only(run: Run) -> None:
    done = run("demo", LISTEN="0.0.0.0:8000")
    assert done.returncode == 1
    assert "DASHBOARD_INSECURE_COOKIES" in done.stderr


def modes(folder: Path) -> dict[str, int]:
    return {str(each.relative_to(folder.parent)): each.stat().st_mode & 0o777 for each in (folder, *folder.rglob("*"))}


def test_what_the_commands_write_is_for_their_account_alone(run: Run, tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        assert run(*ADD_ASHA, stdin=f"{PASSWORD}\n", anew=True).returncode == 0
        assert run("check", anew=True).returncode == 0
    finally:
        os.umask(before)
    found = modes(tmp_path / "data")
    assert found["data/dashboard.db"] == 0o600
    assert {mode for name, mode in found.items() if mode & 0o077} == set(), found


def test_check_names_what_others_may_open_and_the_next_start_closes_it(run: Run, tmp_path: Path) -> None:
    run("check")
    (tmp_path / "data").chmod(0o755)
    (tmp_path / "data" / "dashboard.db").chmod(0o644)
    checked = run("check")
    assert checked.returncode == 1
    assert f"may open {tmp_path / 'data'}, {tmp_path / 'data' / 'dashboard.db'}" in checked.stdout
    run(*ADD_ASHA, stdin=f"{PASSWORD}\n")
    assert {mode for mode in modes(tmp_path / "data").values() if mode & 0o077} == set()
    assert run("check").returncode == 0
