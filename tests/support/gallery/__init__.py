"""Render every page of the dashboard in many states from sample records: no store, no service, no sign-in.

`python -m tests.support.gallery` serves them on http://127.0.0.1:8020 for work on their design.
"""

from tests.support.gallery.pages import PAGES
from tests.support.gallery.samples import STATES, URL
from tests.support.gallery.site import ROOT, application, environment, render
from tests.support.gallery.vehicles import TWELVE

__all__ = ["PAGES", "ROOT", "STATES", "TWELVE", "URL", "application", "environment", "render"]
