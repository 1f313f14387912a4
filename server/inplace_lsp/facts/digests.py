"""What an analysis was told about other modules, short enough to keep on the disk."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from typing import Any

from inplace_lsp.interpret.state.facts import Asked, Facts, Models, ModuleQuestion, ModuleText

Digest = tuple[str, int, str, str]
"""A question (importer, level, name) and the SHA-256 of its answer, "" if there was none."""


Recorded = Asked
"""Facts that keep a record of what they were asked."""


def digests(asked: Recorded) -> list[Digest]:
    """What was asked about modules so far, and what was answered."""
    return [(*one, _digest(answer)) for one, answer in asked.answers.items() if isinstance(one, ModuleQuestion)]


def still_true(told: Iterable[Any], facts: Facts) -> bool:
    """Whether `facts` would answer the same; `told` as `digests` made it (else TypeError, ValueError)."""
    return all(_digest(facts.module(ModuleQuestion(*asked))) == digest for *asked, digest in told)


def digest_of_models(models: Models) -> str:
    """Tells these model files from all others."""
    return sha256("\0".join(f"{module}\0{_digest(text)}" for module, text in models))


@cache
def _digest(module: ModuleText | str | None) -> str:
    if not isinstance(module, ModuleText):
        return ""
    return sha256(f"{module.filename}\0{module.own}\0{module.text}")


def sha256(text: str) -> str:
    """The digest of a text, as hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
