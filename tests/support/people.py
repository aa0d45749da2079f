"""Define the people of the tests, one for each role, with cheap password hashes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from argon2 import PasswordHasher
from flask import Flask

from dashboard.domain.roles import Role
from dashboard.services.accounts.audit import COMMAND_LINE
from dashboard.services.accounts.passwords import Passwords
from dashboard.services.accounts.people import People
from dashboard.services.steady_clock import utcnow
from dashboard.settings import Settings
from dashboard.store.accounts.people import Person
from dashboard.store.engine import Store
from dashboard.store.migrate import migrate
from dashboard.store.private_files import close_to_others

PASSWORD = "a long enough phrase"


@dataclass(frozen=True)
class Somebody:
    email: str
    name: str
    role: Role


ASHA = Somebody("asha@example.com", "Asha Rao", Role.STAFF)
MEERA = Somebody("meera@example.com", "Meera Iyer", Role.MANAGER)
ARUN = Somebody("admin@example.com", "Arun Das", Role.ADMIN)


def cheap_passwords() -> Passwords:
    """Return passwords with the cheapest hash, to save time."""
    return Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


def add_to_store(environ: dict[str, str], *several: Somebody) -> None:
    """Add people to the store that commands with this environment open, as `dashboard user add` does."""
    settings = Settings.from_environ(environ)
    store = Store(settings.database_url)
    migrate(store)
    close_to_others(store, settings.data_dir)
    people = People(store, utcnow, cheap_passwords(), idle=timedelta(0), longest=timedelta(0))
    for each in several:
        people.add(email=each.email, name=each.name, role=each.role, password=PASSWORD, origin=COMMAND_LINE)
    store.close()


def add(app: Flask, somebody: Somebody) -> Person:
    """Return the person, adding them if they are not stored."""
    people = app.extensions["people"]
    return people.find(somebody.email) or people.add(
        email=somebody.email, name=somebody.name, role=somebody.role, password=PASSWORD, origin=COMMAND_LINE
    )
