"""Read which database this is, and at which revision its tables stand."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, text


@dataclass(frozen=True, slots=True)
class DatabaseVersion:
    name: str  # "sqlite" or "postgresql"
    version: str
    revision: str


_REVISION = text("SELECT version_num FROM alembic_version")


def read(connection: Connection) -> DatabaseVersion:
    version = ".".join(map(str, connection.dialect.server_version_info or ()))
    revision = connection.execute(_REVISION).scalars().first()
    return DatabaseVersion(connection.dialect.name, version, revision or "")
