"""Log lines: one entry is one line that programs can read, whatever stands in it, and it tells what it was for."""

from __future__ import annotations

import json
import logging
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
    """The one line of a record, read back."""
    (line,) = logs.JsonFormatter().format(record(*given, **more)).splitlines()
    read: dict[str, Any] = json.loads(line)
    return read


def raised(words: str) -> BaseException:
    try:
        raise ValueError(words)
    except ValueError as error:
        return error


def test_a_line_begins_with_when_how_grave_where_for_what_and_the_words() -> None:
    line = written("rc %s", "MH12")
    assert list(line) == HEAD
    assert line["at"].endswith("Z")
    assert [line[key] for key in HEAD[1:]] == ["info", "dashboard.here", "-", "rc MH12"]


def test_what_is_given_beside_the_words_is_a_field() -> None:
    line = written("a look failed", intent_id="one", attempt=2, sent=False, status=None)
    assert list(line) == [*HEAD, "intent_id", "attempt", "sent", "status"]
    assert (line["intent_id"], line["attempt"], line["sent"], line["status"]) == ("one", 2, False, None)


def test_a_field_cannot_take_the_place_of_what_every_line_tells() -> None:
    line = written("words", at="never", level="none", logger="x", request="forged", trace="x")
    assert (line["level"], line["logger"], line["request"]) == ("info", "dashboard.here", "-")
    assert list(line) == HEAD


def test_hostile_text_stays_in_its_entry_and_is_kept_as_it_came() -> None:
    line = written("rc %s", FORGED, rc=FORGED, error=raised(FORGED))
    assert line["message"] == f"rc {FORGED}"
    assert line["rc"] == FORGED
    assert FORGED in line["trace"]
    text = logs.JsonFormatter().format(record("rc %s", FORGED))
    assert text.isascii()
    assert text.isprintable()


def test_lines_for_people_cannot_be_forged_either() -> None:
    text = logs.TextFormatter().format(record("rc %s", FORGED, rc=FORGED, error=raised(FORGED)))
    first, *rest = text.splitlines()
    assert first.startswith("20")
    assert "rc X\\n{" in first
    assert rest, "the trace"
    assert all(line.startswith("    | ") for line in rest)
    assert all(line.isprintable() for line in (first, *rest))


def test_lines_for_people_keep_indian_scripts() -> None:
    assert "मुंबई ₹500" in logs.TextFormatter().format(record("मुंबई ₹500"))


def test_arguments_that_do_not_fit_lose_no_line() -> None:
    assert written("%d links", "no number")["message"] == "%d links (with arguments that do not fit)"


def test_a_call_is_told_in_fields_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    caplog.handler.setFormatter(logs.JsonFormatter())
    operation = Operation.SEARCH_CHALLANS
    call = CallRecord(operation, operation.group, 2, True, 502, "ServiceFailed", 12.5, 40)
    report(call, ServiceFailed(operation, status=502), None)
    line = json.loads(caplog.text)
    assert line["level"] == "warning"
    told = {name: line[name] for name in ("group", "operation", "attempt", "sent", "status", "class", "ms", "bytes")}
    assert told == {
        "group": "Challan Search",
        "operation": "search_challans",
        "attempt": 2,
        "sent": True,
        "status": 502,
        "class": "ServiceFailed",
        "ms": 12.5,
        "bytes": 40,
    }


# For what


def test_every_line_of_a_work_tells_its_id_and_what_it_is_about() -> None:
    with log_context.working("watch", link_id="one") as first:
        assert first.startswith("watch-")
        assert len(first) == len("watch-") + 8
        line = written("words")
        assert (line["request"], line["link_id"]) == (first, "one")
        with log_context.about(intent_id="two"):
            assert (written("words")["link_id"], written("words")["intent_id"]) == ("one", "two")
        assert "intent_id" not in written("words")
    assert list(written("words")) == HEAD
    with log_context.working("watch") as second:
        assert second != first


def in_a_thread(call: Any) -> Any:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(call()))
    thread.start()
    thread.join()
    return found[0]


def test_the_id_goes_along_into_a_thread_only_when_it_is_carried() -> None:
    with log_context.working("watch", link_id="one") as request_id:
        carried, alone = log_context.carried(lambda: written("words")), lambda: written("words")
        assert in_a_thread(carried)["request"] == request_id
        assert in_a_thread(alone)["request"] == "-"
    later = log_context.carried(lambda: written("words"))
    assert in_a_thread(later)["request"] == "-"
    assert in_a_thread(carried)["request"] == request_id, "the work it was carried from"


# As a program sets it up


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


def told_by_a_program(form: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(form=form)], check=False, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert done.stdout == ""
    return done.stderr.splitlines()


def test_whatever_a_program_says_is_an_object_a_line() -> None:
    lines = [json.loads(line) for line in told_by_a_program("json")]
    assert [line["level"] for line in lines] == ["info", "warning", "error", "critical"]
    assert lines[0]["message"] == "hello x\ny"
    assert lines[0]["link_id"] == "one"
    assert "an old way\nof things" in lines[1]["message"]
    assert lines[2]["message"] == "thread sweeper has ended"
    assert "RuntimeError: in a\nthread" in lines[2]["trace"]
    assert "RuntimeError: at the\nend" in lines[3]["trace"]


def test_a_program_may_speak_to_people_instead() -> None:
    entries = [line for line in told_by_a_program("text") if not line.startswith("    | ")]
    assert len(entries) == 4
    assert entries[0].endswith('info    dashboard.x [-] hello x\\ny link_id="one"')
