"""The names of variables, which tapes carry: the words that they are put together from."""

from __future__ import annotations

import re

ELEMENT = "an element of "
"""How the name of an element begins that has no expression of its own."""


def split_words(name: str) -> list[str]:
    """Return the words of a name, in lower case: `optimizer`, `g` and `2` of `optimizerG_2`."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


OTHER_OPTIONS = "is made with other options than its defaults"
"""What a tape assumes of a class whose object has options that are off by default (`Tape.assumed`)."""
TESTED = "a backward walks what the test computes"
"""What a tape assumes whose function asks for gradients and looks at results alone (`Tape.assumed`)."""
