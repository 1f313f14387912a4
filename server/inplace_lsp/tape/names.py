"""The words that make up the names of variables on a tape."""

from __future__ import annotations

import re

ELEMENT = "an element of "
"""First part of the name of an element that has no expression of its own."""


def split_words(name: str) -> list[str]:
    """Return the words of a name, in lower case: `optimizer`, `g` and `2` of `optimizerG_2`."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


SOURCES_OF_DATA = frozenset(("dataset", "dataloader", "loader"))
"""Words by which programs call what gives them data."""


def names_source_of_data(name: str) -> bool:
    """Return whether the name is that of something that gives data: `train_loader`, `get_dataloader`."""
    words = split_words(name)
    return bool(words) and words[-1].removesuffix("s") in SOURCES_OF_DATA


OTHER_OPTIONS = "is made with other options than its defaults"
"""The assumption of a tape whose object was made with options that are off by default (`Tape.assumed`)."""
TESTED = "a backward walks what the test computes"
"""The assumption of a tape of a test that requests gradients but only looks at results (`Tape.assumed`)."""
