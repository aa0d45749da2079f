"""Write the list of parts that the dashboard is made of, in the format of CycloneDX (`make sbom`)."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements.lock"
VENDORED = ROOT / "static" / "vendor"


def parts() -> dict[str, Any]:
    """Return the list: every locked library with its hashes, and every vendored script."""
    command = [
        sys.executable,
        "-m",
        "cyclonedx_py",
        "requirements",
        str(LOCK),
        "--pyproject",
        str(ROOT / "pyproject.toml"),
    ]
    done = subprocess.run(
        [*command, "--short-PURLs", "--output-reproducible"], check=True, capture_output=True, text=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    found["components"] += [_vendored(file) for file in sorted(VENDORED.glob("*.js"))]
    return found


def _vendored(file: Path) -> dict[str, Any]:
    name = re.fullmatch(r"(?P<name>[a-z-]+)-(?P<version>[\d.]+)\.min\.js", file.name)
    assert name, f"{file.name} does not tell its version"
    digest = hashlib.sha384(file.read_bytes())
    return {
        "type": "library",
        "bom-ref": f"static/vendor/{file.name}",
        "purl": f"pkg:npm/{name['name']}.org@{name['version']}",
        **name.groupdict(),
        "hashes": [{"alg": "SHA-384", "content": digest.hexdigest()}],
        "properties": [{"name": "integrity", "value": f"sha384-{base64.b64encode(digest.digest()).decode()}"}],
    }


if __name__ == "__main__":
    file = Path(sys.argv[1])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(parts(), indent=1) + "\n", encoding="utf-8")
    print(f"Wrote {file}.")
