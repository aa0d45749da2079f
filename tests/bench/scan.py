"""Have wapiti look for weaknesses of a running demo, as a signed-in manager (`make scan`).

    python -m tests.bench.scan [--url URL] [--minutes N]

Wapiti is installed into a virtual environment of its own, in `var/wapiti`, and is in none of our locks. Its report is
written beside it. Exit status 1 when it found anything but what plain HTTP on this machine cannot have.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import venv
from pathlib import Path

from dashboard.demo import PASSWORD
from tests.bench.clerk import Clerk
from tests.support.people import MEERA

_HOME = Path(__file__).parents[2] / "var" / "wapiti"
_MODULES = (
    "csp,cookieflags,http_headers,xss,permanentxss,sql,timesql,file,exec,redirect,crlf,upload,methods,backup,csrf"
)
#: Would end the session, or change the password that the scan signs in with.
_LEFT_OUT = ("/sign-out", "/account", "/language")
#: A demo on this machine speaks plain HTTP. Behind a proxy with TLS, tests hold both.
_OF_PLAIN_HTTP = ("Secure flag is not set", "Strict-Transport-Security is not set")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="a running demo")
    parser.add_argument("--minutes", type=float, default=10)
    asked = parser.parse_args()
    program = _HOME / "bin" / "wapiti"
    if not program.exists():
        venv.create(_HOME, with_pip=True)
        subprocess.run([str(_HOME / "bin" / "pip"), "install", "--quiet", "wapiti3"], check=True)
    report = _HOME / "report.json"
    cookie = Clerk(asked.url, MEERA.email, password=PASSWORD).cookie
    what = ["--url", f"{asked.url}/", "--module", _MODULES, "--scope", "folder", "--max-links-per-page", "60"]
    left_out = [part for path in _LEFT_OUT for part in ("--exclude", f"{asked.url}{path}*")]
    limits = ["--max-scan-time", str(round(asked.minutes * 60)), "--max-attack-time", "120", "--tasks", "2"]
    how = ["--header", f"Cookie: {cookie}", "--flush-session", "--no-bugreport", "--verbose", "0"]
    to = ["--format", "json", "--output", str(report)]
    subprocess.run([str(program), *what, *left_out, *limits, *how, *to], check=True)
    found = json.loads(report.read_text(encoding="utf-8"))
    findings = [
        f"{kind}: {each['method']} {each['path']} {each.get('parameter') or ''} {each['info']}"
        for section in ("vulnerabilities", "anomalies")
        for kind, every in found[section].items()
        for each in every
        if not any(words in each["info"] for words in _OF_PLAIN_HTTP)
    ]
    print(*findings, f"{len(findings)} findings; {found['infos']['crawled_pages_nbr']} pages were scanned.", sep="\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
