"""Define the commands. Each reads the environment; those that open the store create or migrate it under a lock."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dashboard import logs, ports
from dashboard.command_settings import failure, needs_settings, opened_settings
from dashboard.domain.roles import Role
from dashboard.memory import collect_garbage_less_often, give_freed_memory_back
from dashboard.services.accounts.audit import COMMAND_LINE
from dashboard.setting_parsers import Listen
from dashboard.setting_parsers import listen as parse_listen
from dashboard.settings import Settings, SettingsError

if TYPE_CHECKING:
    from dashboard.services.accounts.people import People


class _ListenParam(click.ParamType[Listen]):
    name = "host:port"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Listen:
        try:
            return value if isinstance(value, Listen) else parse_listen(str(value))
        except ValueError as problem:
            self.fail(f"{value} {problem}", param, ctx)


@click.group(help="Challan Dashboard: find challans, create payment links, watch them until they are paid.")
def main() -> None:
    """Settings come from the environment; docs/settings.md has a table of them."""
    os.umask(0o077)  # What the commands write is for their own account alone.
    collect_garbage_less_often()


@main.command()
@click.option("--quiet", is_flag=True, hidden=True)
@needs_settings
def serve(quiet: bool) -> None:
    """Run the dashboard, web and background work in one go."""
    _serve(opened_settings(server=True), workers=1, watch=True, quiet=quiet)


@main.command()
@click.option("-w", "--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Processes.")
@needs_settings
def web(workers: int) -> None:
    """Run the web half alone; the background work is `dashboard worker`."""
    _serve(opened_settings(server=True), workers=workers, watch=False)


@main.command()
@needs_settings
def worker() -> None:
    """Run the background half alone; any number may run."""
    settings = opened_settings(server=True)
    from dashboard.app import create_app
    from dashboard.background import watcher
    from dashboard.metrics import Metrics

    give_freed_memory_back()
    # Block the signals before any thread starts, then wait for them: a handler could run just before the main thread
    # waits, and the thread would never wake.
    stop_signals = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, stop_signals)
    metrics = Metrics.of_process(settings.data_dir / "metrics", "worker")
    running = watcher.start(create_app(settings, metrics=metrics).extensions["services"], jobs_in=settings.data_dir)
    metrics.start()
    click.echo(f"The worker runs. Data: {settings.data_dir}")
    signal.sigwait(stop_signals)
    ended = running.stop()
    metrics.stop()
    if not ended:
        # A call outlasts its deadline. Its lease has ended, so other workers may take its row, and its thread must not
        # delay the end of the process.
        logging.shutdown()
        os._exit(0)


@main.command()
@click.option("--listen", type=_ListenParam(), default="127.0.0.1:8001", show_default=True)
def replica(listen: Listen) -> None:
    """Run the local replica of the service alone (settings: REPLICA_…)."""
    from dashboard.replica.server import serve as serve_replica
    from dashboard.replica.settings import InvalidReplicaSettings, ReplicaSettings

    logs.set_up(os.environ.get("DASHBOARD_LOG_LEVEL") or "INFO")
    try:
        serve_replica(ReplicaSettings.from_environ(os.environ), listen.host, listen.port)
    except InvalidReplicaSettings as error:
        raise failure("The settings are not complete:", *(f"  {problem}" for problem in error.problems)) from None
    except (OSError, SystemExit) as error:
        # The server that the replica uses reports a taken port by SystemExit.
        raise failure(f"The replica cannot listen on {listen}: {error}") from None


@main.group()
def user() -> None:
    """People who may sign in."""


_ROLE = click.Choice([role.value for role in Role])
_PASSWORD_STDIN = click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")


@user.command("list")
@needs_settings
def user_list() -> None:
    """List everybody: email, name, role, and since when somebody is disabled."""
    with _people() as people:
        for each in people.everybody():
            state = f"disabled since {each.disabled_at:%Y-%m-%d}" if each.disabled_at else ""
            click.echo("\t".join((each.email, each.name, each.role, state)).rstrip())


@user.command("add")
@click.argument("email")
@click.option("--name", required=True)
@click.option("--role", type=_ROLE, required=True)
@_PASSWORD_STDIN
@needs_settings
def user_add(email: str, name: str, role: str, password_stdin: bool) -> None:
    """Add a person."""
    with _people() as people:
        password = _password(password_stdin)
        person = people.add(email=email, name=name, role=Role(role), password=password, origin=COMMAND_LINE)
    click.echo(f"Added {person.name} <{person.email}> as {person.role}.")


@user.command("role")
@click.argument("email")
@click.argument("role", type=_ROLE)
@needs_settings
def user_role(email: str, role: str) -> None:
    """Change what a person may do, and end their sessions."""
    with _people() as people:
        person = people.require(email)
        people.set_role(person, Role(role), by=None, origin=COMMAND_LINE)
    click.echo(f"{person.name} <{person.email}> is {role} from the next sign-in.")


@user.command("disable")
@click.argument("email")
@needs_settings
def user_disable(email: str) -> None:
    """Lock a person out at once: end their sessions and refuse their password."""
    with _people() as people:
        person = people.require(email)
        people.disable(person, by=None, origin=COMMAND_LINE)
    click.echo(f"{person.name} <{person.email}> is disabled and signed out everywhere.")


@user.command("enable")
@click.argument("email")
@needs_settings
def user_enable(email: str) -> None:
    """Let a disabled person sign in again, with the password they had."""
    with _people() as people:
        person = people.require(email)
        people.enable(person, by=None, origin=COMMAND_LINE)
    click.echo(f"{person.name} <{person.email}> can sign in again.")


@user.command("password")
@click.argument("email")
@_PASSWORD_STDIN
@needs_settings
def user_password(email: str, password_stdin: bool) -> None:
    """Set a person's password, and end their sessions."""
    with _people() as people:
        person = people.require(email)
        people.set_password(person, _password(password_stdin), by=None, origin=COMMAND_LINE)
    click.echo(f"{person.name} <{person.email}> has a new password and is signed out everywhere.")


@main.group()
def person() -> None:
    """Personal data of drivers."""


@person.command("forget")
@click.argument("driver")
@click.option("--yes", is_flag=True, help="Do not ask.")
@needs_settings
def person_forget(driver: str, yes: bool) -> None:
    """Forget a DRIVER, by number, name or phone: remove name, phone, email, note and vehicles wherever they are."""
    settings = opened_settings()
    from dashboard.app import steady_clock
    from dashboard.services.sharing.forgetting import Forgetting
    from dashboard.store.engine import Store

    store = Store(settings.database_url)
    try:
        forgetting = Forgetting(store, steady_clock(store))
        found = forgetting.find(driver)
        if len(found) != 1:
            several = [f"  {each.id}\t{each.name}\t{each.phone or ''}".rstrip() for each in found]
            raise failure(f"{len(several) or 'No'} drivers are found by {driver!r}.", *several)
        name = found[0].name
        if not yes:
            click.confirm(f"Forget {name} ({found[0].phone or 'no phone'})? This cannot be undone", abort=True)
        texts = forgetting.forget(found, COMMAND_LINE)
    finally:
        store.close()
    click.echo(f"{name} is forgotten: now Forgotten driver {found[0].id}. Texts changed: {texts}.")
    click.echo("Links and amounts stay. Backups that were made before still hold the data.")


@user.command("factor")
@click.argument("email")
@needs_settings
def user_factor(email: str) -> None:
    """Remove a person's second factor, a lost phone say, and end their sessions."""
    with _people() as people:
        person = people.require(email)
        people.remove_second_factor(person, by=None, origin=COMMAND_LINE)
    click.echo(f"{person.name} <{person.email}> has no second factor any more and is signed out everywhere.")


@contextmanager
def _people() -> Iterator[People]:
    """Open the store for a command about people, and report a refusal as a sentence."""
    settings = opened_settings()
    from dashboard.services.accounts.passwords import PasswordRefused, Passwords
    from dashboard.services.accounts.people import People, PersonRefused
    from dashboard.services.steady_clock import utcnow
    from dashboard.store.engine import Store

    store = Store(settings.database_url)
    try:
        yield People(store, utcnow, Passwords(), idle=timedelta(0), longest=timedelta(0))
    except (PersonRefused, PasswordRefused) as refused:
        raise failure(str(refused)) from None
    finally:
        store.close()


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    password: str = click.prompt("Password", hide_input=True, confirmation_prompt="Password again")
    return password


@main.command()
def check() -> None:
    """Check configuration, database, API secret and services; exit status 1 when one of them fails."""
    try:
        settings = Settings.from_environ(os.environ)
    except SettingsError as error:
        for problem in error.problems:
            click.echo(f"FAIL  Configuration: {problem}")
        sys.exit(1)
    from dashboard.check import run_checks

    logs.set_up("ERROR")
    logging.getLogger().setLevel(logging.CRITICAL)  # One line each, and nothing between them.
    passed = True
    for result in run_checks(settings):
        click.echo(f"{'ok  ' if result.ok else 'FAIL'}  {result.subject}: {result.words}")
        passed &= result.ok
    sys.exit(0 if passed else 1)


@main.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@needs_settings
def backup(file: Path) -> None:
    """Write a backup of the database and the spooled links to FILE, also while the dashboard runs."""
    settings = Settings.from_environ(os.environ)
    from dashboard.backup import BackupFailed, back_up

    try:
        size = back_up(settings, file)
    except BackupFailed as failed:
        raise failure(str(failed)) from None
    click.echo(f"Wrote {file} ({size:,} bytes).")


@main.command()
@needs_settings
def migrate() -> None:
    """Create the tables of the database, or bring them to this version, and end."""
    opened_settings()
    click.echo("The database stands at this version.")


@main.command("migrate-store")
@click.option("--from", "source", metavar="URL", help="SQLite database to move.  [default: the data folder's]")
@click.option("--to", "target", metavar="URL", help="PostgreSQL to move to.  [default: DASHBOARD_DATABASE_URL]")
@click.option(
    "--batch", type=click.IntRange(1, 100_000), default=5000, show_default=True, help="Rows in a transaction."
)
@click.option("--cancel", is_flag=True, help="Give up a move that has not ended.")
@needs_settings
def migrate_store(source: str | None, target: str | None, batch: int, cancel: bool) -> None:
    """Move the embedded SQLite store to PostgreSQL, and compare every row. Run it again after an interruption."""
    settings = Settings.from_environ(os.environ)
    logs.set_up(settings.log_level, logs.TEXT)
    from dashboard import migrate_store as moving

    origin = source or f"sqlite:///{settings.data_dir / 'dashboard.db'}"
    try:
        if cancel:
            moving.cancel(origin, click.echo)
        else:
            moving.move(origin, target or settings.database_url, settings.data_dir, click.echo, batch)
    except moving.MoveRefused as refused:
        raise failure(str(refused)) from None


@main.command()
@needs_settings
def restored() -> None:
    """Ask anew for all that may be stale after the database was restored from a backup; run it before anything else."""
    settings = opened_settings()
    from dashboard.app import steady_clock
    from dashboard.backup import forget_jobs
    from dashboard.services.operations.restoration import Restoration
    from dashboard.store.engine import Store

    store = Store(settings.database_url)
    try:
        done = Restoration(store, steady_clock(store)).record()
    finally:
        store.close()
    click.echo(f"Requests whose outcome is unclear now: {done.requests}. Links to be asked for: {done.links}.")
    click.echo("Before its next link, each vehicle is searched at the source.")
    if forget_jobs(settings.data_dir):
        click.echo("The record of jobs is newer than the backup and was removed: runs go on from what the store says.")


@main.command()
@needs_settings
def demo() -> None:
    """Run the local replica and the dashboard together, with demo people and a believable fleet."""
    from dashboard.demo import Demo, DemoCannotStart

    logs.set_up("WARNING")
    try:
        sys.exit(Demo(os.environ).run())
    except DemoCannotStart as problem:
        raise failure(str(problem)) from None


def _serve(settings: Settings, *, workers: int, watch: bool, quiet: bool = False) -> None:
    from dashboard.server import Server

    give_freed_memory_back()
    if not quiet:
        click.echo(f"Challan Dashboard on http://{settings.listen}")
        click.echo(f"Data: {settings.data_dir}")
    parent = os.getpid()
    try:
        Server(settings, workers=workers, watch=watch).run()
    except SystemExit:
        # gunicorn gives up on a taken port after a while. Its workers end here as well and print nothing.
        if os.getpid() == parent and (problem := ports.why_not(settings.listen)):
            raise failure(problem) from None
        raise
