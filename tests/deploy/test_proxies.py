"""Test the samples of proxies: their programs accept them, and a clerk works through them over TLS."""

from __future__ import annotations

import os
import shutil
import sqlite3
import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from dashboard.web.fleet.input_files import MAX_BYTES
from tests.bench.clerk import Clerk
from tests.commands.conftest import Running
from tests.deploy.proxies import HOST, ByName, certificate, running
from tests.support.documents import ROOT
from tests.support.people import ASHA, MEERA, add_to_store
from tests.support.ports import free_port

__all__ = ["certificate"]

FORGED = "203.0.113.9"
_NOTE = b"x" * 150
#: A file of vehicles that is as large as is allowed.
LARGEST_FILE = b"Registration number,Note\n" + b"".join(
    b"MH12AB%04d,%s\n" % (number, _NOTE) for number in range((MAX_BYTES - 100) // (len(_NOTE) + 12))
)


def nginx(folder: Path, port: int, behind: str, certificate: tuple[Path, Path]) -> list[str]:
    """Write nginx's configuration around the sample; return the command that runs it."""
    sample = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    changed = {
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "/etc/ssl/challans.pem": str(certificate[0]),
        "/etc/ssl/private/challans.key": str(certificate[1]),
        "/var/log/nginx/access.log": str(folder / "access.log"),
        "http://127.0.0.1:8000": f"http://{behind}",
    }
    for before, after in changed.items():
        assert before in sample, before
        sample = sample.replace(before, after)
    parts = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{part}_temp_path {folder}/{part};\n" for part in parts)
    file = folder / "nginx.conf"
    # Started by root it would work as a user who may not write into the folder of a test.
    user = "user root; " if os.geteuid() == 0 else ""
    file.write_text(f"{user}daemon off; pid {folder}/pid; events {{}} http {{ {paths} {sample} }}", encoding="utf-8")
    return ["nginx", "-c", str(file), "-p", str(folder), "-e", str(folder / "error.log")]


def caddy(folder: Path, port: int, behind: str, certificate: tuple[Path, Path]) -> list[str]:
    """Write the sample with a port and a certificate of this test; return the command that runs it."""
    sample = (ROOT / "deploy" / "Caddyfile").read_text(encoding="utf-8")
    made, key = certificate
    own = f"admin off\n\thttp_port {free_port()}\n\tstorage file_system {folder}\n\tservers {{"
    changed = {
        "\tservers {": f"\t{own}",
        f"{HOST} {{": f"https://{HOST}:{port} {{\n\ttls {made} {key}",
        "127.0.0.1:8000": behind,
    }
    for before, after in changed.items():
        assert before in sample, before
        sample = sample.replace(before, after, 1)
    (folder / "Caddyfile").write_text(sample, encoding="utf-8")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


PROXIES = {"nginx": (nginx, ["-t"]), "caddy": (caddy, [])}


@pytest.mark.parametrize("name", PROXIES)
def test_a_clerk_works_through_the_sample_over_tls_and_cannot_forge_an_address(
    name: str,
    tmp_path: Path,
    certificate: tuple[Path, Path],
    command_environ: dict[str, str],
    start: Callable[..., Running],
    walk: Callable[..., Clerk],
) -> None:
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed on this machine")
    add_to_store(command_environ, ASHA, MEERA)
    behind = command_environ["DASHBOARD_LISTEN"]
    environ = {**command_environ, "DASHBOARD_TRUSTED_HOSTS": HOST, "DASHBOARD_PROXY_COUNT": "1"}
    del environ["DASHBOARD_INSECURE_COOKIES"]
    dashboard = start("serve", environ=environ)
    dashboard.says("Data:")
    write, test = PROXIES[name]
    port = free_port()
    folder = tmp_path / name
    folder.mkdir()
    command = write(folder, port, behind, certificate)
    if test:
        done = subprocess.run([*command, *test], check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    trust = ssl.create_default_context(cafile=str(certificate[0]))
    headers = {"Host": HOST, "Origin": f"https://{HOST}", "Referer": f"https://{HOST}/", "X-Forwarded-For": FORGED}
    with running(command, folder, port):
        clerk = walk(f"https://{HOST}", connection=ByName(port, trust), headers=headers)
        with pytest.raises(AssertionError, match="404"):
            clerk.opens("/invitation/a-token-that-is-secret")
        manager = Clerk(f"https://{HOST}", MEERA.email, connection=ByName(port, trust), headers=headers)
        manager.uploads("/fleet", "trucks.csv", LARGEST_FILE)
        assert manager.address.startswith("/fleet/drafts/")
    assert "__Host-" in clerk.cookie
    with sqlite3.connect(Path(command_environ["DASHBOARD_DATA_DIR"]) / "dashboard.db") as database:
        addresses = {address for (address,) in database.execute("SELECT address FROM session")}
    assert addresses == {"127.0.0.1"}, "the proxy's client, not what it wrote into a header"
    written = "".join(file.read_text(errors="replace") for file in folder.rglob("*.log"))
    assert "a-token-that-is-secret" not in written
