"""Serve the gallery (`python -m tests.support.gallery`) on http://127.0.0.1:8020."""

from tests.support.gallery.site import application

application().run("127.0.0.1", 8020)
