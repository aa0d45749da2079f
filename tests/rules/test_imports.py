"""Test which part may import which, by reading the imports."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import dashboard

ROOT = Path(dashboard.__file__).parent
LEAVES = {"domain", "errors", "failpoints", "log_context"}
#: Part of `dashboard` -> the parts that it may import. `logs` and what `settings` is made of are leaves as well.
ALLOWED = {
    "domain": {"domain"},
    "errors": set(),
    "failpoints": set(),
    "log_context": set(),
    "logs": {"log_context"},
    "setting_parsers": {"domain"},
    "setting_variables": {"setting_parsers"},
    "settings": {"setting_parsers", "setting_variables"},
    "upstream": {"upstream", *LEAVES},
    "store": {"store", *LEAVES},
    "services": {"services", "upstream", "store", *LEAVES},
    "metrics": {"metrics", "services", "upstream", "store", *LEAVES},
    "background": {"background", "services", "store", *LEAVES},
    "translations": {"translations"},
    "web": {"web", "services", "store", "settings", "logs", "translations", *LEAVES},
    "replica": {"replica"},
}
WIRING = {"app", "cli", "command_settings", "backup", "migrate_store", "check", "demo", "ports", "server", "memory"}
WIRING |= {"server_worker", "__main__", "__init__"}
FORBIDDEN_OUTSIDE = {
    "domain": {"flask", "requests", "sqlalchemy", "werkzeug", "jinja2"},
    "upstream": {"flask", "sqlalchemy", "werkzeug"},
    "services": {"flask", "werkzeug", "jinja2", "requests"},
    "metrics": {"flask", "werkzeug", "jinja2", "requests"},
    "background": {"flask", "werkzeug", "jinja2", "requests"},
    "store": {"flask", "werkzeug", "requests"},
    "errors": {"flask", "requests", "sqlalchemy"},
}


@cache
def modules() -> tuple[tuple[str, str, set[str]], ...]:
    """Return each file with its part, and every module that it imports."""
    return tuple(_read_modules())


def _read_modules() -> Iterator[tuple[str, str, set[str]]]:
    for file in sorted(ROOT.rglob("*.py")):
        relative = file.relative_to(ROOT)
        imported: set[str] = set()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{relative} imports relatively"
                imported |= {f"{node.module}.{alias.name}" for alias in node.names}
        yield str(relative), relative.parts[0].removesuffix(".py"), imported


def ours(imported: set[str]) -> set[str]:
    return {name.split(".")[1] for name in imported if name.startswith("dashboard.")}


def test_every_part_of_the_package_has_its_place_in_the_order() -> None:
    parts = {part for _, part, _ in modules()}
    assert parts <= ALLOWED.keys() | WIRING, f"new parts: {parts - ALLOWED.keys() - WIRING}"


def test_every_part_imports_only_what_it_may() -> None:
    for file, part, imported in modules():
        if part not in WIRING:
            known = {name for name in ours(imported) if (ROOT / name).exists() or (ROOT / f"{name}.py").exists()}
            assert known <= ALLOWED[part], f"{file} imports {known - ALLOWED[part]}"


def test_the_domain_imports_no_framework() -> None:
    for file, part, imported in modules():
        foreign = {name.split(".")[0] for name in imported}
        assert not (found := foreign & FORBIDDEN_OUTSIDE.get(part, set())), f"{file} imports {found}"


def test_only_the_commands_import_the_replica() -> None:
    users = {file for file, part, imported in modules() if part != "replica" and "replica" in ours(imported)}
    assert users <= {"cli.py"}


def test_htmx_flask_is_imported_in_one_place() -> None:
    users = {file for file, _, imported in modules() if any(name.startswith("htmx_flask") for name in imported)}
    assert users == {"web/shared/htmx.py"}


def test_prometheus_is_imported_in_one_place() -> None:
    """Other parts are only observed, so metrics can fail without any effect on them."""
    users = {part for _, part, imported in modules() if any(name.startswith("prometheus_client") for name in imported)}
    assert users == {"metrics"}


def test_no_file_is_past_four_hundred_lines() -> None:
    long = {file: count for file, count in _lengths() if count > 400}
    assert not long


def _lengths() -> Iterator[tuple[str, int]]:
    for file, _, _ in modules():
        # A migration is long because its tables are.
        if "migrations" not in file:
            yield file, len((ROOT / file).read_text(encoding="utf-8").splitlines())


def test_web_shared_imports_no_noun() -> None:
    for file, _, imported in modules():
        if file.startswith("web/shared/"):
            nouns = {name for name in imported if name.startswith("dashboard.web.")} - {
                name for name in imported if name.startswith("dashboard.web.shared.")
            }
            assert nouns <= {"dashboard.web.shared"}, f"{file} imports {nouns}"


def test_no_two_modules_import_each_other() -> None:
    """Two modules may not import each other, directly or through others, even under TYPE_CHECKING."""
    remaining = _graph()
    while leaves := [name for name, needed in remaining.items() if not needed & remaining.keys()]:
        for name in leaves:
            del remaining[name]
    assert not remaining, f"these modules import each other: {sorted(remaining)}"


def _graph() -> dict[str, set[str]]:
    """Return every module with the modules of ours that it imports."""
    names = {_name(file): imported for file, _, imported in modules()}
    return {name: {_module(each, names) for each in imported} - {name, ""} for name, imported in names.items()}


def _name(file: str) -> str:
    parts = ("dashboard", *Path(file).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _module(imported: str, names: Collection[str]) -> str:
    """Return the module that an imported name is or belongs to; "" when it is not ours."""
    if imported in names:
        return imported
    module = imported.rpartition(".")[0]
    return module if module in names else ""


def test_pages_write_through_services_alone() -> None:
    writing = {
        str(file.relative_to(ROOT))
        for file in (ROOT / "web").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "write"
        if ast.unparse(node.func.value).endswith("store")
    }
    assert not writing, f"these open a write transaction: {writing}"


def test_a_process_starts_without_the_libraries_that_few_processes_use() -> None:
    program = (
        "import sys, dashboard.cli, dashboard.app, dashboard.server; print({'dbos', 'openpyxl'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
