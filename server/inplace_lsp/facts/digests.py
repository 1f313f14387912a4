"""Short digests of what an analysis learned about other modules, to be stored on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from typing import Any

from inplace_lsp.interpret.state.facts import Facts, Models, ModuleQuestion, ModuleText, RecordedFacts

Digest = tuple[str, int, str, str]
"""A question (importer, level, name) and the SHA-256 of its answer, "" if there was none."""


Recorded = RecordedFacts
"""Facts that keep a record of what they were asked."""


def digest_answers(asked: Recorded) -> list[Digest]:
    """Return the questions about modules so far, with digests of their answers."""
    return [
        (*question, _digest_text(answer))
        for question, answer in asked.answers.items()
        if isinstance(question, ModuleQuestion)
    ]


def is_still_true(told: Iterable[Any], facts: Facts) -> bool:
    """Return whether `facts` would answer the same; `told` comes from `digest_answers` (else TypeError, ValueError)."""
    return all(
        _digest_text(facts.module(ModuleQuestion(importer, level, name))) == digest
        for importer, level, name, digest in told
    )


def digest_of_models(models: Models) -> str:
    """Return a digest that identifies these model files."""
    return hash_text("\0".join(f"{module}\0{_digest_text(text)}" for module, text in models))


@cache
def _digest_text(module: ModuleText | str | None) -> str:
    if not isinstance(module, ModuleText):
        return ""
    return hash_text(f"{module.filename}\0{module.own}\0{module.text}")


def hash_text(text: str) -> str:
    """Return the digest of a text in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
