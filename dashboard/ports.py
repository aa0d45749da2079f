"""Test whether an address can be listened on."""

from __future__ import annotations

import socket

from dashboard.setting_parsers import Listen


def why_not(listen: Listen) -> str | None:
    """Return a sentence when the address cannot be used, else None."""
    family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((listen.host, listen.port))
        except OSError as error:
            return f"{listen} cannot be used ({error.strerror or error})."
    return None
