"""Log lines on standard error: one JSON object each, or one line of text for people.

No line break in hostile text can forge another entry.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from dashboard import log_context

JSON, TEXT = "json", "text"

log = logging.getLogger(__name__)

_LONGEST_TRACE = 8000
_HEAD = ("at", "level", "logger", "request", "message")
#: Attributes of every record; any other one was given as `extra`.
_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "trace"}


def _entry(record: logging.LogRecord) -> dict[str, Any]:
    """Return the fields of a line: the head, the log context, what was given as `extra` (never over the head), the
    trace of an exception.
    """
    try:
        message = record.getMessage()
    except Exception:  # The library would print a trace of many lines instead.
        message = f"{record.msg} (with arguments that do not fit)"
    moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    context = log_context.fields()
    head = dict(zip(_HEAD, (moment, record.levelname.lower(), record.name, context["request"], message), strict=True))
    extra = {key: value for key, value in vars(record).items() if key not in _USUAL}
    trace = {"trace": _cut(logging.Formatter().formatException(record.exc_info))} if record.exc_info else {}
    return {**head, **context, **extra, **head, **trace}


def _cut(trace: str) -> str:
    """Leave out the middle of a very long trace: its beginning and its end say what happened."""
    if len(trace) <= _LONGEST_TRACE:
        return trace
    half = _LONGEST_TRACE // 2
    return f"{trace[:half]}\n… {len(trace) - 2 * half} characters left out …\n{trace[-half:]}"


class JsonFormatter(logging.Formatter):
    """One JSON object, in ASCII: it escapes line breaks, and also the characters that some viewers take for one."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(_entry(record), default=str)


class TextFormatter(logging.Formatter):
    """The message, then the fields. Lines of a trace are indented, so that none of them can pass for an entry."""

    def format(self, record: logging.LogRecord) -> str:
        entry = _entry(record)
        trace = "".join(f"\n    | {_visible(line)}" for line in entry.pop("trace", "").splitlines())
        at, level, logger, request, message = (entry.pop(key) for key in _HEAD)
        pairs = "".join(f" {key}={json.dumps(value, default=str)}" for key, value in entry.items())
        return f"{at} {level:<7} {logger} [{request}] {_visible(message)}{pairs}{trace}"


def _visible(text: str) -> str:
    """Escape characters that would break the line or steer a terminal."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def set_up(level: str, form: str = TEXT) -> None:
    """Send every log line, warnings and fatal errors included, to standard error. Called by the commands alone."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == JSON else TextFormatter())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.captureWarnings(True)
    sys.excepthook = _log_end_of_process
    threading.excepthook = _log_end_of_thread
    # Below a warning these repeat our own line for each call; urllib3 would log addresses.
    for name in ("urllib3", "alembic", "werkzeug", "gunicorn.error"):
        logging.getLogger(name).setLevel(logging.WARNING)


def _log_end_of_process(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        log.critical("the process ends on an error of its own", exc_info=(kind, error, trace))


def _log_end_of_thread(ended: threading.ExceptHookArgs) -> None:
    if ended.exc_value is not None and ended.exc_type is not SystemExit:
        name = ended.thread.name if ended.thread else "?"
        log.error("thread %s has ended", name, exc_info=(ended.exc_type, ended.exc_value, ended.exc_traceback))
