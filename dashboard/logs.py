"""Log lines on standard error: one JSON object each, or, where people read along, one line of words.

Whatever a message holds, it stays in its entry: no line break in hostile text can forge another one.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
from datetime import UTC, datetime
from typing import Any

from dashboard import log_context

JSON, TEXT = "json", "text"

log = logging.getLogger(__name__)

#: What every record has; anything else was given as `extra` and is a field of its own.
_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_FIXED = frozenset({"at", "level", "logger", log_context.REQUEST, "message", "trace"})


class JsonFormatter(logging.Formatter):
    """One JSON object, in ASCII: it escapes line breaks, and also the characters that some viewers take for one."""

    def format(self, record: logging.LogRecord) -> str:
        trace = {"trace": text} if (text := _trace(self, record)) else {}
        return json.dumps({**_head(record), **_fields(record), **trace}, default=str)


class TextFormatter(logging.Formatter):
    """Words first, then the fields. Lines of a trace are set in, so that none of them can pass for an entry."""

    def format(self, record: logging.LogRecord) -> str:
        head = _head(record)
        words = f"{head['at']} {head['level']:<7} {head['logger']} [{head['request']}] {_visible(head['message'])}"
        pairs = "".join(f" {key}={json.dumps(value, default=str)}" for key, value in _fields(record).items())
        trace = "".join(f"\n    | {_visible(line)}" for line in _trace(self, record).splitlines())
        return words + pairs + trace


def _head(record: logging.LogRecord) -> dict[str, str]:
    moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    return {
        "at": moment.replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "logger": record.name,
        log_context.REQUEST: log_context.fields()[log_context.REQUEST],
        "message": _message(record),
    }


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    """What the work is about, and what the line itself gives; neither takes the place of the head."""
    given = {key: value for key, value in vars(record).items() if key not in _USUAL}
    return {key: value for key, value in {**log_context.fields(), **given}.items() if key not in _FIXED}


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # The arguments do not fit; the library would print a trace of many lines instead.
        return f"{record.msg} (with arguments that do not fit)"


def _trace(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    return formatter.formatException(record.exc_info) if record.exc_info else ""


def _visible(text: str) -> str:
    """As it is, but for characters that would break the line or steer a terminal."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def set_up(level: str, form: str = TEXT) -> None:
    """Send every log line, warnings and fatal errors included, to standard error. Called by the commands alone."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == JSON else TextFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.captureWarnings(True)
    sys.excepthook = _tell_the_end
    threading.excepthook = _tell_the_end_of_a_thread
    # Below a warning these tell nothing that our own line per call does not; urllib3 would log addresses.
    for name in ("urllib3", "alembic", "werkzeug", "gunicorn.error"):
        logging.getLogger(name).setLevel(logging.WARNING)


def _tell_the_end(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    log.critical("the process ends on an error of its own", exc_info=(kind, error, trace))


def _tell_the_end_of_a_thread(ended: threading.ExceptHookArgs) -> None:
    if ended.exc_value is None or ended.exc_type is SystemExit:
        return
    name = ended.thread.name if ended.thread else "?"
    log.error("thread %s has ended", name, exc_info=(ended.exc_type, ended.exc_value, ended.exc_traceback))
