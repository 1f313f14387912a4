"""How an internal error is worded: briefly, whatever it quotes."""

from __future__ import annotations

LONGEST_WORDS = 300
"""Characters of an error's message: it may quote what it met."""


def describe_error(error: BaseException) -> str:
    """Return the kind of an internal error and what it says, without the place in our code."""
    words = str(error)
    words = words if len(words) <= LONGEST_WORDS else f"{words[:LONGEST_WORDS]} ..."
    return f"internal error: {type(error).__name__}: {words}"
