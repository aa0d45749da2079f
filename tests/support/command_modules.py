"""Import what the commands import once they run, for the server that they are forked from."""

from __future__ import annotations

import dashboard.background.watcher
import dashboard.backup
import dashboard.check
import dashboard.cli
import dashboard.demo
import dashboard.migrate_store
import dashboard.replica.server
import dashboard.server
import dashboard.server_worker
import dashboard.services.operations.restoration
import dashboard.services.sharing.forgetting  # noqa: F401
from dashboard.memory import freeze_objects

freeze_objects()
