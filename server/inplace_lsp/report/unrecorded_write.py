"""Explain an in-place error whose write the recorder has not seen."""

from __future__ import annotations

import os
from collections.abc import Iterable

from inplace_lsp.tape.errors_of_torch import MESSAGES


def describe_unseen(error: str, lines: Iterable[tuple[str, int]]) -> str:
    """Return a sentence that explains why torch's `error` cannot be traced, "" if it is not about an in-place write.
    `lines`: those that started code that the recorder cannot watch."""
    if not any(words in error for words in MESSAGES):
        return ""
    places = ", ".join(f"{os.path.relpath(name)}:{row}" for name, row in lines)
    where = f"it happened inside of a transform of torch.func ({places}), which" if places else "it happened where"
    return f"What wrote was not seen: {where} the recorder cannot watch."
