"""Ask whether a locked library has a known weakness (`make audit`). Fails for a weakness, not for missing data."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

LOCK = Path(__file__).parents[1] / "requirements.lock"
_SECONDS = 180


def audit(command: list[str]) -> int:
    """Run pip-audit, say what it found, and return the exit status."""
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=_SECONDS)
        found = json.loads(done.stdout)["dependencies"]
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError):
        print("The data of weaknesses cannot be reached: nothing was audited.")
        return 0
    weak = [(each, one) for each in found for one in each.get("vulns", ())]
    for each, one in weak:
        mended = ", ".join(one["fix_versions"]) or "no version"
        print(f"{each['name']} {each['version']}: {one['id']}, mended in {mended}")
    unknown = [each["name"] for each in found if "skip_reason" in each]
    if unknown:
        print(f"No data about {len(unknown)} of {len(found)} libraries, so they were not audited.")
    print(f"{len(weak)} known weaknesses in {len(found) - len(unknown)} libraries.")
    return 1 if weak else 0


if __name__ == "__main__":
    locked = ["--requirement", str(LOCK), "--require-hashes", "--disable-pip"]
    quiet = ["--format", "json", "--timeout", "5", "--progress-spinner", "off"]
    sys.exit(audit([sys.executable, "-m", "pip_audit", *locked, *quiet]))
