"""Test the settings: every problem is reported at once, no secret is shown, no unsafe value is accepted."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import make_url

from dashboard.app import create_schedule
from dashboard.services.schedule import Schedule
from dashboard.settings import Settings, SettingsError
from dashboard.store.engine import Store

NEEDED = {
    "DASHBOARD_SERVICE_URL": "https://service.example",
    "DASHBOARD_API_SECRET": "the-api-secret",
    "DASHBOARD_SECRET_KEY": "a key of thirty-two characters or more",
}


def read(**changed: str) -> Settings:
    return Settings.from_environ({**NEEDED, **{f"DASHBOARD_{name}": value for name, value in changed.items()}})


def problems(**changed: str) -> str:
    with pytest.raises(SettingsError) as refused:
        read(**changed)
    return "\n".join(refused.value.problems)


def test_three_variables_are_enough() -> None:
    settings = read()
    assert settings.service_url == "https://service.example"
    assert settings.service_prefix == "/api/v1/staging"
    assert settings.staging
    assert settings.data_dir == Path("var").absolute()
    assert settings.database_url == f"sqlite:///{Path('var').absolute() / 'dashboard.db'}"
    assert (settings.listen.host, settings.listen.port) == ("127.0.0.1", 8000)
    assert settings.trusted_hosts == ("127.0.0.1", "localhost")
    assert str(settings.timezone) == "Asia/Kolkata"
    assert settings.currency == "INR"
    assert not settings.insecure_cookies
    assert settings.payment_page_base is None
    assert settings.support_email is None
    assert settings.metrics_token is None
    assert (settings.create_deadline, settings.threads) == (timedelta(seconds=30), 64)
    assert (settings.session_idle, settings.session_lifetime) == (timedelta(minutes=30), timedelta(hours=12))


def test_every_problem_is_reported_at_once() -> None:
    with pytest.raises(SettingsError) as refused:
        Settings.from_environ(
            {
                "DASHBOARD_SERVICE_URL": "ftp://service",
                "DASHBOARD_TIMEZONE": "Mars/Olympus",
                "DASHBOARD_THREADS": "many",
                "DASHBOARD_CURRENCY": "RUPEE",
            }
        )
    named = {problem.split()[0] for problem in refused.value.problems}
    assert named == {
        "DASHBOARD_SERVICE_URL",
        "DASHBOARD_API_SECRET",
        "DASHBOARD_SECRET_KEY",
        "DASHBOARD_TIMEZONE",
        "DASHBOARD_THREADS",
        "DASHBOARD_CURRENCY",
    }


def test_an_empty_variable_counts_as_not_given() -> None:
    settings = read(SERVICE_PREFIX="", LISTEN="  ", METRICS_TOKEN="", API_SECRET_FILE="")
    assert settings.service_prefix == "/api/v1/staging"
    assert settings.metrics_token is None
    assert "DASHBOARD_SECRET_KEY is missing" in problems(SECRET_KEY="")


def test_no_repr_of_the_settings_shows_a_secret() -> None:
    settings = read(METRICS_TOKEN="the-metrics-token", DATABASE_URL="postgresql://me:the-password@db/ledger")
    shown = f"{settings!r} {settings!s} {settings.api_secret!r}"
    for secret in ("the-api-secret", "a key of thirty-two", "the-metrics-token", "the-password"):
        assert secret not in shown


@pytest.mark.parametrize(
    "changed",
    [
        {"API_SECRET": "has a space"},
        {"SECRET_KEY": "hunter2"},
        {"DATABASE_URL": "mysql://me:hunter2@db/x"},
        {"SERVICE_URL": "https://me:hunter2@service.example"},
    ],
)
def test_no_problem_repeats_a_secret(changed: dict[str, str]) -> None:
    reported = problems(**changed)
    assert "hunter2" not in reported
    assert "has a space" not in reported


# Secrets in files


def test_a_secret_may_be_in_a_file(tmp_path: Path) -> None:
    for name in ("api", "key", "token", "database"):
        (tmp_path / name).write_text(f"  the-{name}-with-more-than-enough-characters\n")
    (tmp_path / "database").write_text("postgresql://db/ledger\n")
    settings = read(
        API_SECRET="",
        API_SECRET_FILE=str(tmp_path / "api"),
        SECRET_KEY="",
        SECRET_KEY_FILE=str(tmp_path / "key"),
        METRICS_TOKEN_FILE=str(tmp_path / "token"),
        DATABASE_URL_FILE=str(tmp_path / "database"),
    )
    assert settings.api_secret.file == tmp_path / "api"
    assert settings.api_secret.literal is None, "it is read again when the file changes"
    assert settings.secret_key == "the-key-with-more-than-enough-characters"
    assert settings.metrics_token == "the-token-with-more-than-enough-characters"
    assert settings.database_url == "postgresql+psycopg://db/ledger"


def test_a_secret_given_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "api").write_text("another")
    assert "given twice" in problems(API_SECRET_FILE=str(tmp_path / "api"))


@pytest.mark.parametrize("content", [None, "", " \n"])
def test_a_file_that_is_missing_or_empty_is_named(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "api"
    if content is not None:
        file.write_text(content)
    reported = problems(API_SECRET="", API_SECRET_FILE=str(file))
    assert "DASHBOARD_API_SECRET" in reported
    assert str(file) in reported


def test_only_secrets_are_read_from_files(tmp_path: Path) -> None:
    (tmp_path / "zone").write_text("UTC")
    assert str(read(TIMEZONE_FILE=str(tmp_path / "zone")).timezone) == "Asia/Kolkata"


@pytest.mark.parametrize("given", ["support@service.example", "help+fleet@mail.service.example", "a.b-c_d@x-y.in"])
def test_the_address_of_support_is_an_e_mail_address(given: str) -> None:
    assert read(SUPPORT_EMAIL=f" {given} ").support_email == given


@pytest.mark.parametrize(
    "given",
    [
        "support",
        "support@localhost",
        "@service.example",
        "Support <support@service.example>",
        "a@service.example, b@service.example",
        "a@service.example?cc=b@evil.example",
        "a&b@service.example",
        "mailto:a@service.example",
        "https://service.example",
        "a" * 65 + "@service.example",
        "a@" + "b.example." * 30 + "in",
    ],
)
def test_what_is_no_address_of_support_is_refused(given: str) -> None:
    assert "DASHBOARD_SUPPORT_EMAIL is not an e-mail address" in problems(SUPPORT_EMAIL=given)


# Addresses


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("https://service.example/", "https://service.example"),
        ("https://service.example:8443/base/", "https://service.example:8443/base"),
        ("http://127.0.0.1:8001", "http://127.0.0.1:8001"),
        ("http://localhost:8001/", "http://localhost:8001"),
        ("http://[::1]:8001", "http://[::1]:8001"),
    ],
)
def test_an_address_loses_its_last_slash(given: str, expected: str) -> None:
    assert read(SERVICE_URL=given).service_url == expected
    assert read(PAYMENT_PAGE_BASE=given).payment_page_base == expected


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("http://service.example", "https://"),
        ("http://127.0.0.1.evil.example", "https://"),
        ("http://10.0.0.1", "https://"),
        ("https://me:secret@service.example", "user"),
        ("https://me@service.example", "user"),
        ("https://service.example?x=1", "query"),
        ("https://service.example#x", "query"),
        ("service.example", "not an http"),
        ("https://", "not an http"),
        ("https://service.example:99999", "not a URL"),
        ("https://service .example", "character"),
        ("https://sérvice.example", "character"),
    ],
)
def test_an_unsafe_address_is_refused(given: str, why: str) -> None:
    assert why in problems(SERVICE_URL=given)
    assert why in problems(PAYMENT_PAGE_BASE=given)


@pytest.mark.parametrize(
    ("given", "expected"), [("/", ""), ("/api/v2/", "/api/v2"), ("/api/v1/staging", "/api/v1/staging")]
)
def test_the_prefix_is_a_path(given: str, expected: str) -> None:
    settings = read(SERVICE_PREFIX=given)
    assert settings.service_prefix == expected
    assert settings.staging == ("staging" in given)


@pytest.mark.parametrize("given", ["api/v1", "/a?b", "/a/../b", "https://x/api", "/a b", "//a"])
def test_an_invalid_prefix_is_refused(given: str) -> None:
    assert "DASHBOARD_SERVICE_PREFIX" in problems(SERVICE_PREFIX=given)


@pytest.mark.parametrize(
    "given", ["127.0.0.1", ":8000", "127.0.0.1:0", "127.0.0.1:70000", "127.0.0.1:http", "ho st:80", "::1:x"]
)
def test_where_to_listen_is_a_host_and_a_port(given: str) -> None:
    assert "DASHBOARD_LISTEN" in problems(LISTEN=given)


def test_an_ipv6_address_may_be_listened_on() -> None:
    listen = read(LISTEN="[::1]:8000", INSECURE_COOKIES="1").listen
    assert (listen.host, listen.port, listen.is_loopback, str(listen)) == ("::1", 8000, True, "[::1]:8000")


@pytest.mark.parametrize("listen", ["0.0.0.0:8000", "192.168.1.5:8000", "[::]:8000", "dashboard.example:443"])
def test_insecure_cookies_are_refused_off_this_machine(listen: str) -> None:
    assert "DASHBOARD_INSECURE_COOKIES" in problems(LISTEN=listen, INSECURE_COOKIES="1")
    assert not read(LISTEN=listen, INSECURE_COOKIES="0").insecure_cookies


@pytest.mark.parametrize("listen", ["127.0.0.1:8000", "localhost:8000", "127.8.8.8:80"])
def test_insecure_cookies_are_accepted_on_it(listen: str) -> None:
    assert read(LISTEN=listen, INSECURE_COOKIES="1").insecure_cookies


def test_the_trusted_hosts_are_the_ones_named() -> None:
    assert read(TRUSTED_HOSTS="a.example, .b.example ,a.example").trusted_hosts == ("a.example", ".b.example")
    assert read(LISTEN="fleet.example:80").trusted_hosts == ("fleet.example", "127.0.0.1", "localhost")
    assert "DASHBOARD_TRUSTED_HOSTS" in problems(TRUSTED_HOSTS="a.example:80")
    assert "DASHBOARD_TRUSTED_HOSTS" in problems(TRUSTED_HOSTS="*")


# Databases


def test_postgresql_goes_through_psycopg() -> None:
    assert read(DATABASE_URL="postgresql://u:p%40@db/x").database_url == "postgresql+psycopg://u:p%40@db/x"
    assert read(DATABASE_URL="postgres://db/x").database_url == "postgresql+psycopg://db/x"


def test_a_relative_sqlite_file_becomes_absolute() -> None:
    assert read(DATABASE_URL="sqlite:///x.db").database_url == f"sqlite:///{Path('x.db').absolute()}"


@pytest.mark.parametrize("given", ["sqlite://", "sqlite:///:memory:", "mysql://db/x", "nonsense", "oracle://x"])
def test_other_databases_are_refused(given: str) -> None:
    assert "DASHBOARD_DATABASE_URL" in problems(DATABASE_URL=given)


def test_the_data_folder_may_have_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "odd %20 ? name"
    assert make_url(read(DATA_DIR=str(folder)).database_url).database == str(folder / "dashboard.db")
    (tmp_path / "file").write_text("")
    assert "not a folder" in problems(DATA_DIR=str(tmp_path / "file"))


# The rest


@pytest.mark.parametrize("given", ["Asia", "../../etc/passwd", "/etc/localtime", "Kolkata", "IST+5"])
def test_a_time_zone_must_exist(given: str) -> None:
    assert "DASHBOARD_TIMEZONE" in problems(TIMEZONE=given)


@pytest.mark.parametrize("given", ["inr", "RS", "XXXX", "₹"])
def test_a_currency_must_exist(given: str) -> None:
    assert "DASHBOARD_CURRENCY" in problems(CURRENCY=given)


def test_secrets_of_ours_are_long_and_varied() -> None:
    assert "shorter than 32 characters" in problems(SECRET_KEY="0123456789abcdef0123456789abcde")
    assert "fewer than 6 different" in problems(SECRET_KEY="a" * 64)
    assert read(SECRET_KEY="0123456789abcdef0123456789abcdef").secret_key
    assert "shorter than 16 characters" in problems(METRICS_TOKEN="x")
    assert "fewer than 6 different" in problems(METRICS_TOKEN="ab" * 20)
    assert read(METRICS_TOKEN="0123456789abcdef").metrics_token


@pytest.mark.parametrize("given", ["has space", "né", "a\tb"])
def test_an_api_secret_must_fit_into_a_header(given: str) -> None:
    assert "DASHBOARD_API_SECRET" in problems(API_SECRET=given)


@pytest.mark.parametrize("given", ["0", "-1", "1e3", "nan", "inf", "1_0", "٣", "10000", "3,5", "3 s"])
def test_a_duration_is_a_plain_number_within_bounds(given: str) -> None:
    assert "DASHBOARD_CONNECT_SECONDS is not a number from" in problems(CONNECT_SECONDS=given)


def test_durations_may_have_fractions_and_counts_may_not() -> None:
    assert read(CONNECT_SECONDS="0.25").connect_timeout == timedelta(seconds=0.25)
    assert "whole number" in problems(THREADS="8.5")
    assert read(THREADS="8", PROXY_COUNT="1", MAX_REQUEST_KB="4096").proxy_count == 1


@pytest.mark.parametrize("given", ["yes", "true", "2"])
def test_a_switch_is_0_or_1(given: str) -> None:
    assert "DASHBOARD_INSECURE_COOKIES" in problems(INSECURE_COOKIES=given)


def test_the_log_level_is_one_of_four() -> None:
    assert read(LOG_LEVEL="debug").log_level == "DEBUG"
    assert "DASHBOARD_LOG_LEVEL" in problems(LOG_LEVEL="LOUD")


# Renamed settings


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("SETTLE_SECONDS", "DASHBOARD_COMMIT_WINDOW_SECONDS"),
        ("GAP_SECONDS", "DASHBOARD_RESOLVE_GAP_SECONDS"),
    ],
)
def test_an_old_name_that_is_still_set_stops_the_start_and_names_the_new_one(old: str, new: str) -> None:
    assert problems(**{old: "60"}) == f"DASHBOARD_{old} is now called {new}: set that instead."
    assert read(**{old: " "}), "an empty variable counts as not given"


# The schedule


def test_the_schedule_without_settings_is_the_default_one() -> None:
    assert create_schedule(read()) == Schedule()


def test_settings_reach_the_schedule() -> None:
    schedule = create_schedule(
        read(COMMIT_WINDOW_SECONDS="7", RESOLVE_GAP_SECONDS="2.5", YOUNG_MINUTES="3", PERSON_SEARCHES_PER_HOUR="9")
    )
    assert schedule == Schedule(
        commit_window=timedelta(seconds=7),
        resolve_gap=timedelta(seconds=2.5),
        young_for=timedelta(minutes=3),
        person_searches=9,
    )


def test_the_connections_to_the_database_are_limited_by_a_setting() -> None:
    store = Store("postgresql+psycopg://dashboard@127.0.0.1:1/none", connections=9)
    assert store.engine.pool.size() == 9  # type: ignore[attr-defined]  # Of a QueuePool.
    store.close()
