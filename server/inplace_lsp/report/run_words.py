"""A run in words: where its inputs came from, and its reason as a sentence."""

from __future__ import annotations

import os

from inplace_lsp.verify.verdict import Verdict

_ORIGINS = {
    "directive": "from the `# inplace: verify(...)` comment",
    "annotation": "made up to fit the annotations",
    "inferred": "made up by inplace-lsp",
}


def as_sentence(words: str) -> str:
    """Return words as a sentence of their own."""
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."


def describe_inputs(verdict: Verdict) -> str:
    """Return the inputs of a run, and where they came from: `x=torch.rand(3) (made up by inplace-lsp)`."""
    if verdict.source == "program":
        return "none: the file was run as a program"
    driver = verdict.arguments.get("call")
    if verdict.source == "call-site" and driver is not None:
        return f"taken from a real call, by running `{os.path.basename(driver) if os.path.isabs(driver) else driver}`"
    given = ", ".join(f"{name}={text}" for name, text in verdict.arguments.items()) or "no arguments"
    return f"{given} ({_ORIGINS.get(verdict.source, verdict.source)})"
