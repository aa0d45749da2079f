"""Ask the dashboard of this container whether it answers, or with `worker` whether its worker lives; 1 when not."""

import os
import sys
import time
import urllib.request
from pathlib import Path

#: A worker writes its counts every 5 s.
_SECONDS = 30


def web() -> str:
    """Return why the web process is not well; nothing when it is."""
    port = os.environ.get("DASHBOARD_LISTEN", "127.0.0.1:8000").rpartition(":")[2]
    # The dashboard answers to the names of its settings alone.
    host = os.environ.get("DASHBOARD_TRUSTED_HOSTS", "").split(",")[0].strip().lstrip(".") or "127.0.0.1"
    request = urllib.request.Request(f"http://127.0.0.1:{port}/healthz", headers={"Host": host})
    try:
        with urllib.request.urlopen(request, timeout=4) as answer:  # noqa: S310 - our own.
            return "" if answer.status == 200 else f"answered {answer.status}"
    except OSError as error:
        return f"no answer: {error}"


def worker() -> str:
    """Return why no worker of this data folder is well; nothing when one is."""
    files = Path(os.environ.get("DASHBOARD_DATA_DIR", "var"), "metrics").glob("worker-*.json")
    written = max((file.stat().st_mtime for file in files), default=0.0)
    return "" if time.time() - written < _SECONDS else f"wrote no counts for {_SECONDS} s"


if __name__ == "__main__":
    sys.exit((worker if sys.argv[1:] == ["worker"] else web)() or 0)
