"""Word what people read about payment links."""

from __future__ import annotations

CUSTOM_FIELD_TOO_LONG = "This has {length:,} letters, and at most {most} are kept. Nothing was saved."
