"""Test what the store imports before any request: what is imported during one is half there for the others."""

from __future__ import annotations

import subprocess
import sys


def test_the_mapper_of_objects_is_whole_before_statements_are_built() -> None:
    """DBOS, which is loaded when a search begins, imports it; a statement with an enum failed meanwhile."""
    script = "import sys, dashboard.store.engine; sys.exit('sqlalchemy.orm' not in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
