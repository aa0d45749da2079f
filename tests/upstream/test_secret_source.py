"""Test where the secret is read from, and that a new one is read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dashboard.upstream import SecretSource, SecretUnavailable
from tests.upstream.conftest import CANARY, WatchedClient
from tests.upstream.rude_server import RudeServer, answer


def test_a_literal_secret_is_read_without_the_space_around_it() -> None:
    assert SecretSource.literal(f" {CANARY}\n").read() == CANARY


@pytest.mark.parametrize("value", ["", " \n", "two words", "line\nbreak", "nul\0", "é", "x" * 20_000])
def test_an_invalid_secret_is_refused_without_being_quoted(value: str, tmp_path: Path) -> None:
    with pytest.raises(SecretUnavailable) as caught:
        SecretSource.literal(value)
    assert value.strip() == "" or value.strip() not in str(caught.value)
    path = tmp_path / "secret"
    path.write_text(value)
    with pytest.raises(SecretUnavailable, match="secret"):
        SecretSource.file(path).read()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SecretUnavailable, match=r"missing cannot be read: No such file"):
        SecretSource.file(tmp_path / "missing").read()


@pytest.mark.parametrize("way", ["rewrite", "replace", "link"])
def test_a_changed_file_is_read_again_and_has_another_fingerprint(tmp_path: Path, way: str) -> None:
    path = tmp_path / "secret"
    if way == "link":
        (tmp_path / "one").write_text("first-secret")
        path.symlink_to(tmp_path / "one")
    else:
        path.write_text("first-secret\n")
    source = SecretSource.file(path)
    assert source.read() == "first-secret"
    before = source.fingerprint
    (tmp_path / "two").write_text("other-secret")
    if way == "rewrite":
        path.write_text("other-secret\n")
        os.utime(path, ns=(1, 1))  # A clock too coarse to show the change must not matter here.
    elif way == "replace":
        (tmp_path / "two").replace(path)
    else:
        path.unlink()
        path.symlink_to(tmp_path / "two")
    assert source.read() == "other-secret"
    assert source.fingerprint != before


def test_an_unchanged_file_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret"
    path.write_text(CANARY)
    source = SecretSource.file(path)
    source.read()
    monkeypatch.setattr(Path, "open", lambda *a, **k: pytest.fail("opened again"))
    assert source.read() == CANARY


def test_a_file_that_becomes_empty_is_an_error_until_it_is_filled_again(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text(CANARY)
    source = SecretSource.file(path)
    good = source.fingerprint
    path.write_text("")
    with pytest.raises(SecretUnavailable, match="is empty"):
        source.read()
    assert source.fingerprint == "unreadable"
    path.write_text(CANARY)
    assert source.fingerprint == good


def test_fingerprints_of_secrets_differ_and_contain_nothing_of_them() -> None:
    one, two = SecretSource.literal("secret-one"), SecretSource.literal("secret-two")
    assert one.fingerprint == SecretSource.literal("secret-one").fingerprint != two.fingerprint
    assert len(one.fingerprint) == 16
    assert set(one.fingerprint) <= set("0123456789abcdef")


def test_the_next_call_uses_the_new_secret(
    rude: Callable[..., RudeServer], connect: Callable[..., WatchedClient], tmp_path: Path
) -> None:
    path = tmp_path / "secret"
    path.write_text("first-secret")
    server = rude(answer([]))
    client = connect(server, secret=SecretSource.file(path))
    client.list_locations()
    path.write_text("a-second-secret")
    client.list_locations()
    server.close()
    assert [b"Bearer first-secret\r\n" in server.requests[0], b"Bearer a-second-secret\r\n" in server.requests[1]] == [
        True,
        True,
    ]
