"""Test deploy/compose.yaml: what it names exists, what it runs is closed to the rest, and it starts in a safe order."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask import Flask

from dashboard.cli import main
from dashboard.server import _GRACEFUL_SECONDS
from dashboard.settings import VARIABLES, Settings
from tests.conftest import CANARY, SECRET_KEY
from tests.support.documents import ROOT

FOLDER = ROOT / "deploy"
GIVEN = {"DASHBOARD_HOST": "challans.fleet.example", "DASHBOARD_SERVICE_URL": "https://service.example"}


def filled(text: str) -> str:
    """Put the variables of the caller in, as compose does: `${NAME:-default}`, `${NAME:?what it is}`."""

    def value(found: re.Match[str]) -> str:
        name, _, otherwise = found[1].partition(":")
        if name in GIVEN:
            return GIVEN[name]
        assert otherwise.startswith("-"), f"{name} must be given, and this test does not"
        return otherwise[1:]

    return re.sub(r"\$\{([^}]+)\}", value, text)


COMPOSE: dict[str, Any] = yaml.safe_load(filled((FOLDER / "compose.yaml").read_text(encoding="utf-8")))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: each for name, each in SERVICES.items() if each["image"].startswith("challan-dashboard:")}


def sources(service: dict[str, Any]) -> list[str]:
    return [each.partition(":")[0] for each in service.get("volumes", [])]


def test_it_runs_two_pairs_and_what_they_need() -> None:
    commands = [each["command"][0] for each in OURS.values()]
    assert sorted(commands) == ["migrate", "web", "web", "worker", "worker"]
    assert {"proxy", "database", "prometheus"} == SERVICES.keys() - OURS.keys()


@pytest.mark.parametrize("name", SERVICES)
def test_an_image_is_pinned_by_its_version(name: str) -> None:
    _, _, tag = SERVICES[name]["image"].rpartition(":")
    assert re.fullmatch(r"v?\d+\.\d+(\.\d+)?(-[a-z0-9]+)?", tag), SERVICES[name]["image"]


def test_our_image_has_the_version_of_the_project_and_is_built_from_its_files() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    for each in OURS.values():
        assert each["image"] == f"challan-dashboard:{version}"
        context = (FOLDER / each["build"]["context"]).resolve()
        assert context == ROOT
        assert (context / each["build"]["dockerfile"]).is_file()


def test_postgresql_is_16_or_later() -> None:
    assert int(re.split(r"[:.]", SERVICES["database"]["image"])[1]) >= 16


@pytest.mark.parametrize("kind", ["volumes", "networks", "secrets"])
def test_every_volume_network_and_secret_is_declared_and_used(kind: str) -> None:
    used = set()
    for name, each in SERVICES.items():
        for named in sources(each) if kind == "volumes" else each.get(kind, []):
            if named.startswith("."):
                assert (FOLDER / named).exists(), f"{name}: {named}"
            else:
                used.add(named)
    assert used == COMPOSE[kind].keys()


@pytest.mark.parametrize("name", OURS)
def test_a_container_of_ours_runs_a_command_with_options_that_it_has(name: str) -> None:
    command, *options = OURS[name]["command"]
    with main.commands[command].make_context(command, list(options)):
        pass


@pytest.mark.parametrize("name", OURS)
def test_every_variable_is_a_setting_and_together_they_are_complete(name: str, tmp_path: Path) -> None:
    known = {each.name: each for each in VARIABLES.values()}
    texts = {"api_secret": CANARY, "secret_key": SECRET_KEY, "metrics_token": "a-token-of-16-characters"}
    texts["database_url"] = "postgresql+psycopg://challans:password@database/challans"
    environ = {}
    for variable, value in OURS[name]["environment"].items():
        setting = variable.removesuffix("_FILE")
        assert setting in known, variable
        if variable.endswith("_FILE"):
            assert known[setting].secret, variable
            secret = Path(value)
            assert secret.parent == Path("/run/secrets")
            assert secret.name in OURS[name]["secrets"]
            (tmp_path / secret.name).write_text(texts[secret.name])
        environ[variable] = str(tmp_path / Path(value).name) if variable.endswith("_FILE") else value
    settings = Settings.from_environ({**environ, "DASHBOARD_LISTEN": "0.0.0.0:8000"})
    assert settings.proxy_count == 1
    # The proxy checks its health under the public name, and Prometheus asks for each by its own.
    assert set(settings.trusted_hosts) == {GIVEN["DASHBOARD_HOST"], "web-1", "web-2"}


def test_no_secret_stands_in_a_variable() -> None:
    for name, each in SERVICES.items():
        for variable, value in each.get("environment", {}).items():
            hidden = re.search("SECRET|PASSWORD|TOKEN|KEY|DATABASE_URL", variable)
            assert not hidden or value.startswith("/run/secrets/"), f"{name}: {variable}"


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_is_closed_to_the_rest_of_the_machine_and_starts_again(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert set(service.get("cap_add", [])) <= {"NET_BIND_SERVICE"}
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not service.keys() & {"privileged", "network_mode", "pid", "ipc", "devices", "userns_mode"}
    assert service["restart"] == ("on-failure" if name == "migrate" else "unless-stopped")
    assert "max-size" in service["logging"]["options"]


def test_only_the_proxy_is_open_to_others() -> None:
    ports = {(name, port) for name, each in SERVICES.items() for port in each.get("ports", [])}
    assert ports == {("proxy", "80:80"), ("proxy", "443:443"), ("prometheus", "127.0.0.1:9090:9090")}
    assert COMPOSE["networks"]["database"] == {"internal": True}
    assert SERVICES["database"]["networks"] == ["database"]
    assert "database" not in SERVICES["proxy"]["networks"]


def test_everything_but_the_migration_has_a_health_check_of_its_own() -> None:
    for name, each in SERVICES.items():
        check = each["healthcheck"]
        assert (check == {"disable": True}) == (name == "migrate"), name
        if name in OURS and name != "migrate":
            _, program, script, *arguments = check["test"]
            assert (program, script) == ("python", "/opt/dashboard/healthcheck.py")
            assert arguments == (["worker"] if "worker" in each["command"] else [])
    dockerfile = (FOLDER / "Dockerfile").read_text(encoding="utf-8")
    assert "COPY deploy/healthcheck.py /opt/dashboard/healthcheck.py" in dockerfile


def test_the_tables_come_before_web_and_workers_and_these_before_the_proxy() -> None:
    healthy, ended = {"condition": "service_healthy"}, {"condition": "service_completed_successfully"}
    assert SERVICES["migrate"]["depends_on"] == {"database": healthy}
    for name in ("web-1", "web-2", "worker-1", "worker-2"):
        assert SERVICES[name]["depends_on"] == {"migrate": ended, "database": healthy}
    assert SERVICES["proxy"]["depends_on"] == {"web-1": healthy, "web-2": healthy}


def test_a_pair_shares_a_data_folder_and_no_two_processes_a_name() -> None:
    for number in (1, 2):
        pair = [SERVICES[f"web-{number}"], SERVICES[f"worker-{number}"]]
        assert [each["volumes"] for each in pair] == [[f"data-{number}:/data"]] * 2
    names = [OURS[name]["hostname"] for name in OURS if name != "migrate"]
    assert sorted(names) == ["web-1", "web-2", "worker-1", "worker-2"]


def test_a_stop_is_given_longer_than_the_server_needs() -> None:
    for each in OURS.values():
        assert int(each["stop_grace_period"].removesuffix("s")) > _GRACEFUL_SECONDS


def test_the_database_takes_the_connections_of_all_processes() -> None:
    processes = sum(int(each["command"][2]) for each in OURS.values() if each["command"][0] == "web")
    workers = sum(each["command"][0] == "worker" for each in OURS.values())
    most = int(VARIABLES["database_connections"].default or 0)
    [allowed] = re.findall(r"max_connections=(\d+)", " ".join(SERVICES["database"]["command"]))
    assert int(allowed) >= (processes + workers) * most + 3


def test_proxy_and_prometheus_ask_the_web_processes_at_addresses_that_they_have(app: Flask) -> None:
    webs = [f"{name}:8000" for name in OURS if name.startswith("web")]
    caddy = (FOLDER / "compose" / "Caddyfile").read_text(encoding="utf-8")
    assert f"reverse_proxy {' '.join(webs)} {{" in caddy
    scraped = yaml.safe_load((FOLDER / "prometheus" / "prometheus.yml").read_text(encoding="utf-8"))
    [job] = scraped["scrape_configs"]
    assert job["static_configs"] == [{"targets": webs}]
    assert job["authorization"]["credentials_file"] == "/run/secrets/metrics_token"
    assert all((FOLDER / "prometheus" / name).is_file() for name in scraped["rule_files"])
    alerts = (FOLDER / "prometheus" / "alerts.yml").read_text(encoding="utf-8")
    assert f'job="{job["job_name"]}"' in alerts
    addresses = {rule.rule for rule in app.url_map.iter_rules()}
    assert {job["metrics_path"], "/healthz", *re.findall(r"health_uri (\S+)", caddy)} <= addresses
    assert "EXPOSE 8000" in (FOLDER / "Dockerfile").read_text(encoding="utf-8")
