"""A run in words: where its inputs came from, and its reason as a sentence."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Protocol

_ORIGINS = {
    "directive": "from the `# inplace: verify(...)` comment",
    "annotation": "made up to fit the annotations",
    "inferred": "made up by inplace-lsp",
}


class Run(Protocol):
    """The result of a run: a verdict, or a measurement of memory."""

    @property
    def source(self) -> str:
        """The kind of place where the inputs came from."""

    @property
    def arguments(self) -> Mapping[str, str]:
        """The inputs."""


def format_sentence(words: str) -> str:
    """Return the words with a capital letter and a full stop."""
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."


def describe_inputs(run: Run) -> str:
    """Return the inputs of a run, and where they came from: `x=torch.rand(3) (made up by inplace-lsp)`."""
    if run.source == "program":
        return "none: the file was run as a program"
    driver = run.arguments.get("call")
    if run.source == "call-site" and driver is not None:
        return f"taken from a real call, by running `{os.path.basename(driver) if os.path.isabs(driver) else driver}`"
    given = ", ".join(f"{name}={text}" for name, text in run.arguments.items()) or "no arguments"
    return f"{given} ({_ORIGINS.get(run.source, run.source)})"
