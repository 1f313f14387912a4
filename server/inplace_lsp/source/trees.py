"""Parse a whole text with Python's own parser, for readers that need no more than its syntax tree."""

from __future__ import annotations

import ast


def parse_tree(text: str) -> ast.Module | None:
    """Parse `text`; None where it cannot be: newer than the Python that runs, nested too deeply, or no Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
