"""Provide every page of the product in every state that the gallery has."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from shutil import copyfile

import pytest
from jinja2 import BytecodeCache

from dashboard.app import create_app
from dashboard.settings import Settings
from dashboard.store.engine import Store
from tests.conftest import CANARY, SECRET_KEY, ServedReplica
from tests.gallery.drawn import Drawn, drawn_once
from tests.support.people import cheap_passwords


@pytest.fixture(scope="session")
def drawn(
    tmp_path_factory: pytest.TempPathFactory,
    migrated_database: Path,
    served_replica: ServedReplica,
    compiled_templates: BytecodeCache,
) -> Drawn:
    """Return the HTML of every page, drawn once for all processes of this run."""
    folder, shared = tmp_path_factory.mktemp("drawn"), tmp_path_factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    copyfile(migrated_database, folder / "dashboard.db")
    environ = {
        "DASHBOARD_SERVICE_URL": served_replica.url,
        "DASHBOARD_API_SECRET": CANARY,
        "DASHBOARD_SECRET_KEY": SECRET_KEY,
        "DASHBOARD_DATA_DIR": str(folder),
        "DASHBOARD_INSECURE_COOKIES": "1",
    }
    with closing(Store(f"sqlite:///{folder / 'dashboard.db'}")) as store:
        app = create_app(Settings.from_environ(environ), store=store, passwords=cheap_passwords())
        app.jinja_env.bytecode_cache = compiled_templates
        return drawn_once(shared / "drawn.json", app, served_replica.levers)
