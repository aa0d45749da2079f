"""Ask the dashboard of this container whether it answers; exit status 1 when it does not."""

import os
import sys
import urllib.request

port = os.environ.get("DASHBOARD_LISTEN", "127.0.0.1:8000").rpartition(":")[2]
# The dashboard answers to the names of its settings alone.
host = os.environ.get("DASHBOARD_TRUSTED_HOSTS", "").split(",")[0].strip().lstrip(".") or "127.0.0.1"
request = urllib.request.Request(f"http://127.0.0.1:{port}/healthz", headers={"Host": host})
try:
    with urllib.request.urlopen(request, timeout=4) as answer:  # noqa: S310 - our own.
        sys.exit(0 if answer.status == 200 else 1)
except OSError as error:
    sys.exit(f"no answer: {error}")
