"""Read the settings for a command, report what is wrong with them in sentences, and open the store."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import click
from sqlalchemy.exc import SQLAlchemyError

from dashboard import logs
from dashboard.settings import Settings, SettingsError

P = ParamSpec("P")
R = TypeVar("R")


def needs_settings(command: Callable[P, R]) -> Callable[P, R]:
    """Report every problem of the settings at once, and do not start."""

    @wraps(command)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except SettingsError as error:
            raise failure("The settings are not complete:", *(f"  {problem}" for problem in error.problems)) from None

    return checked


def opened_settings(*, server: bool = False) -> Settings:
    """Read the settings, set up the log, create and migrate the store. Commands other than servers log for people."""
    settings = Settings.from_environ(os.environ)
    logs.set_up(settings.log_level, settings.log_format if server else logs.TEXT)
    from dashboard.store.engine import Store
    from dashboard.store.migrate import UnknownRevision, migrate
    from dashboard.store.private_files import close_to_others

    try:
        store = Store(settings.database_url)
        migrate(store)
        close_to_others(store, settings.data_dir)
        store.close()
    except UnknownRevision as unknown:
        raise failure(str(unknown)) from None
    except (SQLAlchemyError, OSError) as error:
        # A driver's message may hold the address with its password.
        raise failure(f"The database cannot be opened ({type(error).__name__}). See DASHBOARD_DATABASE_URL.") from None
    return settings


def failure(*lines: str) -> SystemExit:
    """Say why a command failed, and return what ends it."""
    for line in lines:
        click.echo(line, err=True)
    return SystemExit(1)
