"""One line per event, as `key=value` pairs, with the id of the request that caused it.

Whatever a message holds, it stays on its line: a line break in hostile text cannot forge another entry.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from contextvars import ContextVar
from datetime import UTC, datetime

#: The id of the request being answered; "-" outside of one (the watcher, the commands).
request_id: ContextVar[str] = ContextVar("request_id", default="-")

_PLAIN = re.compile(r"[\w.:/@+,-]+", re.ASCII)


class LineFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        parts = {
            "at": moment.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "request": request_id.get(),
            "message": record.getMessage(),
        }
        if record.exc_info:
            parts["trace"] = self.formatException(record.exc_info)
        return " ".join(f"{key}={_quoted(value)}" for key, value in parts.items())


def _quoted(value: str) -> str:
    # As ASCII: JSON escapes line breaks, and also the characters that some viewers take for one.
    return value if _PLAIN.fullmatch(value) else json.dumps(value)


def set_up(level: str) -> None:
    """Send every log line to standard error. Called by the commands, never on import."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LineFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    # Below a warning these tell nothing that our own line per call does not; urllib3 would log addresses.
    for name in ("urllib3", "alembic", "werkzeug", "gunicorn.error"):
        logging.getLogger(name).setLevel(logging.WARNING)
