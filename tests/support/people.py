"""Define the people of the tests, one for each role, with cheap password hashes."""

from __future__ import annotations

from dataclasses import dataclass

from argon2 import PasswordHasher
from flask import Flask

from dashboard.domain.roles import Role
from dashboard.services.accounts.audit import COMMAND_LINE
from dashboard.services.accounts.passwords import Passwords
from dashboard.store.accounts.people import Person

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


def add(app: Flask, somebody: Somebody) -> Person:
    """Return the person, adding them if they are not stored."""
    people = app.extensions["people"]
    return people.find(somebody.email) or people.add(
        email=somebody.email, name=somebody.name, role=somebody.role, password=PASSWORD, origin=COMMAND_LINE
    )
