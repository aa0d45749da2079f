"""Provide every page of the product in every state that the gallery has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import BytecodeCache

from tests.conftest import CANARY, ServedReplica
from tests.gallery.drawn import Drawn, application, draw, once
from tests.gallery.workplace import Offices
from tests.support.servers import serving


@pytest.fixture(scope="session")
def drawn(
    shared_folder: Path, migrated_database: Path, served_replica: ServedReplica, compiled_templates: BytecodeCache
) -> Drawn:
    """Return the HTML of every page, drawn once for all processes of this run."""
    offices = Offices(served_replica.levers, CANARY, migrated_database, compiled_templates)
    return once(shared_folder / "drawn.json", lambda: draw(offices))


@pytest.fixture(scope="session")
def address(drawn: Drawn) -> Iterator[str]:
    """Yield where a browser finds the pages in English, by their names."""
    with serving(application(drawn["en"])) as base:
        yield f"{base}/drawn"
