"""Test log lines: an entry is one line that programs can parse, with any text, and has the log context."""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
import threading
from typing import Any

import pytest

from dashboard import log_context, logs
from dashboard.errors import Operation, ServiceFailed
from dashboard.upstream.call_log import CallRecord, report

FORGED = 'X\n{"at":"2026","level":"info","message":"forged"}\r\u2028\x85\x1b[2Jx\ud800'
HEAD = ["at", "level", "logger", "request", "message"]


def record(message: str, *values: object, error: BaseException | None = None, **extra: Any) -> logging.LogRecord:
    given = logging.makeLogRecord({"name": "dashboard.here", "levelname": "INFO", "msg": message, "args": values})
    given.exc_info = (type(error), error, error.__traceback__) if error else None
    vars(given).update(extra)
    return given


def written(*given: Any, **more: Any) -> dict[str, Any]:
    """Return the fields of the one line that a record is written as."""
    (line,) = logs.JsonFormatter().format(record(*given, **more)).splitlines()
    read: dict[str, Any] = json.loads(line)
    return read


def raised(words: str) -> BaseException:
    try:
        raise ValueError(words)
    except ValueError as error:
        return error


def test_a_line_begins_with_moment_level_logger_request_and_message() -> None:
    line = written("rc %s", "MH12")
    assert list(line) == HEAD
    assert line["at"].endswith("Z")
    assert [line[key] for key in HEAD[1:]] == ["info", "dashboard.here", "-", "rc MH12"]


def test_each_extra_is_a_field() -> None:
    line = written("a poll failed", intent_id="one", attempt=2, sent=False, status=None)
    assert list(line) == [*HEAD, "intent_id", "attempt", "sent", "status"]
    assert (line["intent_id"], line["attempt"], line["sent"], line["status"]) == ("one", 2, False, None)


def test_an_extra_cannot_replace_the_head_of_a_line() -> None:
    line = written("words", at="never", level="none", logger="x", request="forged", trace="x")
    assert (line["level"], line["logger"], line["request"]) == ("info", "dashboard.here", "-")
    assert list(line) == HEAD


def test_hostile_text_stays_in_its_entry_unchanged() -> None:
    line = written("rc %s", FORGED, rc=FORGED, error=raised(FORGED))
    assert line["message"] == f"rc {FORGED}"
    assert line["rc"] == FORGED
    assert FORGED in line["trace"]
    text = logs.JsonFormatter().format(record("rc %s", FORGED))
    assert text.isascii()
    assert text.isprintable()


def test_no_text_can_forge_a_line_for_people() -> None:
    text = logs.TextFormatter().format(record("rc %s", FORGED, rc=FORGED, error=raised(FORGED)))
    first, *rest = text.splitlines()
    assert first.startswith("20")
    assert "rc X\\n{" in first
    assert rest, "the trace"
    assert all(line.startswith("    | ") for line in rest)
    assert all(line.isprintable() for line in (first, *rest))


def test_lines_for_people_keep_indian_scripts() -> None:
    assert "मुंबई ₹500" in logs.TextFormatter().format(record("मुंबई ₹500"))


def test_a_line_is_written_even_when_its_arguments_do_not_fit() -> None:
    assert written("%d links", "no number")["message"] == "%d links (with arguments that do not fit)"


def test_a_call_to_the_service_has_fields_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    caplog.handler.setFormatter(logs.JsonFormatter())
    operation = Operation.SEARCH_CHALLANS
    call = CallRecord(operation, operation.group, 2, True, 502, "ServiceFailed", 12.5, 40)
    report(call, ServiceFailed(operation, status=502), None)
    line = json.loads(caplog.text)
    assert line["level"] == "warning"
    fields = {name: line[name] for name in ("group", "operation", "attempt", "sent", "status", "class", "ms", "bytes")}
    assert fields == {
        "group": "Challan Search",
        "operation": "search_challans",
        "attempt": 2,
        "sent": True,
        "status": 502,
        "class": "ServiceFailed",
        "ms": 12.5,
        "bytes": 40,
    }


# The log context


def test_every_line_within_a_log_context_has_its_ids() -> None:
    with log_context.bound(request="watch-1", link_id="one"):
        line = written("words")
        assert (line["request"], line["link_id"]) == ("watch-1", "one")
        with log_context.bound(intent_id="two"):
            line = written("words")
            assert (line["request"], line["link_id"], line["intent_id"]) == ("watch-1", "one", "two")
        assert "intent_id" not in written("words")
    assert list(written("words")) == HEAD


def test_two_new_ids_of_a_kind_differ() -> None:
    first, second = log_context.new_id("watch"), log_context.new_id("watch")
    assert re.fullmatch(r"watch-[0-9a-f]{8}", first)
    assert first != second


def in_a_thread(call: Any) -> Any:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(call()))
    thread.start()
    thread.join()
    return found[0]


def test_a_thread_has_the_context_only_of_a_call_that_was_carried() -> None:
    with log_context.bound(request="watch-1", link_id="one"):
        carried, alone = log_context.carried(lambda: written("words")), lambda: written("words")
        assert in_a_thread(carried)["request"] == "watch-1"
        assert in_a_thread(alone)["request"] == "-"
    later = log_context.carried(lambda: written("words"))
    assert in_a_thread(later)["request"] == "-"
    assert in_a_thread(carried)["request"] == "watch-1", "the context that it was carried from"


# As a command sets it up


PROGRAM = """
import logging, threading, warnings
from dashboard import logs
logs.set_up("INFO", {form!r})
logging.getLogger("dashboard.x").info("hello %s", "x\\ny", extra={{"link_id": "one"}})
logging.getLogger("dashboard.x").debug("not this")
warnings.warn("an old way\\nof things")
def fail(): raise RuntimeError("in a\\nthread")
thread = threading.Thread(target=fail, name="sweeper")
thread.start()
thread.join()
raise RuntimeError("at the\\nend")
"""


def lines_of_a_program(form: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(form=form)], check=False, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert done.stdout == ""
    return done.stderr.splitlines()


def test_a_program_logs_one_json_object_a_line_to_its_end() -> None:
    lines = [json.loads(line) for line in lines_of_a_program("json")]
    assert [line["level"] for line in lines] == ["info", "warning", "error", "critical"]
    assert lines[0]["message"] == "hello x\ny"
    assert lines[0]["link_id"] == "one"
    assert "an old way\nof things" in lines[1]["message"]
    assert lines[2]["message"] == "thread sweeper has ended"
    assert "RuntimeError: in a\nthread" in lines[2]["trace"]
    assert "RuntimeError: at the\nend" in lines[3]["trace"]


def test_a_program_may_log_text_for_people() -> None:
    entries = [line for line in lines_of_a_program("text") if not line.startswith("    | ")]
    assert len(entries) == 4
    assert entries[0].endswith('info    dashboard.x [-] hello x\\ny link_id="one"')


def test_a_very_long_trace_is_cut_in_its_middle() -> None:
    try:
        raise ValueError("begins " + "x" * 200_000 + " ends")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "x", 1, "failed", (), sys.exc_info())
    entry = json.loads(logs.JsonFormatter().format(record))
    assert len(entry["trace"]) < 8_100
    assert entry["trace"].startswith("Traceback")
    assert entry["trace"].endswith(" ends")
    assert "characters left out" in entry["trace"]
