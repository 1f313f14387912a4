"""The files that pages are made of: template, style sheets, script."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def read_asset(name: str) -> str:
    """Return the text of the file `name` in `page/`."""
    return (files(__package__) / "page" / name).read_text(encoding="utf-8")
