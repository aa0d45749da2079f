"""Write a backup of a database, with the spooled links of this machine, while the dashboard runs.

The file is a tar archive: `dashboard.db` (SQLite) or `dashboard.dump` (PostgreSQL, for pg_restore), and `spool/`.

The record of jobs beside an embedded store, `jobs.db`, is left out: two files cannot be copied at one moment, and a
record newer than the store would call lanes ended whose parts are still to be done. The store says what is left.
On PostgreSQL the record is a schema of the same database, so that the dump holds both as they were at one moment.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import tarfile
import tempfile
from pathlib import Path

from sqlalchemy import URL, make_url

from dashboard.settings import Settings

#: The record of jobs beside an embedded store, with the files of its write-ahead log.
_JOBS = ("jobs.db", "jobs.db-wal", "jobs.db-shm")


class BackupFailed(Exception):
    """Report that no backup was written; `str()` says why."""


def back_up(settings: Settings, file: Path) -> int:
    """Write a backup; return its size in bytes. Raises BackupFailed, and leaves nothing behind then."""
    if file.exists():
        raise BackupFailed(f"{file} exists already.")
    try:
        with tempfile.TemporaryDirectory(prefix=".backup-", dir=file.absolute().parent) as name:
            folder = Path(name)
            # The spool first: a link that is recorded meanwhile is then in both, and recording it twice does no harm.
            spool = [(each.name, each.read_bytes()) for each in _spooled(settings.data_dir / "spool")]
            url = make_url(settings.database_url)
            copy = _copy_sqlite if url.get_backend_name() == "sqlite" else _dump_postgresql
            database = copy(url, folder)
            (folder / "spool").mkdir(mode=0o700)
            for spooled, content in spool:
                (folder / "spool" / spooled).write_bytes(content)
            archive = folder / "archive"
            with open(os.open(archive, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
                with tarfile.open(fileobj=written, mode="w") as tar:
                    tar.add(database, database.name)
                    tar.add(folder / "spool", "spool")
                written.flush()
                os.fsync(written.fileno())
            archive.rename(file)
    except OSError as error:
        raise BackupFailed(f"{file} cannot be written ({error.strerror or error}).") from None
    return file.stat().st_size


def forget_jobs(data_dir: Path) -> bool:
    """Remove the record of jobs beside an embedded store that was restored; return whether there was one."""
    there = [data_dir / name for name in _JOBS if (data_dir / name).exists()]
    for file in there:
        file.unlink()
    return bool(there)


def _spooled(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


def _copy_sqlite(url: URL, folder: Path) -> Path:
    """Copy the database as one consistent state, the part that is in its write-ahead log included."""
    copy = folder / "dashboard.db"
    try:
        source = sqlite3.connect(f"{Path(str(url.database)).absolute().as_uri()}?mode=ro", uri=True, timeout=20)
        target = sqlite3.connect(copy)
        try:
            source.backup(target)
        finally:
            target.close()
            source.close()
    except sqlite3.Error as error:
        raise BackupFailed(f"The database cannot be copied ({error}).") from None
    copy.chmod(0o600)
    return copy


def _dump_postgresql(url: URL, folder: Path) -> Path:
    dump = folder / "dashboard.dump"
    # The password is no argument: everybody on the machine could read it.
    environ = {**os.environ, "PGPASSWORD": str(url.password)} if url.password else dict(os.environ)
    address = url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)
    try:
        done = subprocess.run(  # noqa: S603 - the arguments are our own settings.
            ["pg_dump", "--format=custom", f"--file={dump}", f"--dbname={address}"],  # noqa: S607 - as the operator's PATH finds it.
            env=environ,
            check=False,
            capture_output=True,
        )
    except FileNotFoundError:
        raise BackupFailed("pg_dump is not installed on this machine.") from None
    if done.returncode:
        raise BackupFailed("pg_dump failed; run it by hand to see why.")
    dump.chmod(0o600)
    return dump
