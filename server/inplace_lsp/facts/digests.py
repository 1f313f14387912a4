"""Short digests of what an analysis learned about other modules, to be stored on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Any

from inplace_lsp.facts.modules import Modules
from inplace_lsp.interpret.state.facts import Answer, Models, ModuleQuestion, ModuleText, RecordedFacts

AnswerDigests = dict[str, list[str]]
"""By importing file: one text for each question, with the import level, the digest of the answer (`-` for none) and the
module name. Texts, since a check compares hundreds of them for every file."""


Recorded = RecordedFacts
"""Facts that record their questions and answers."""


def digest_answers(answers: Mapping[Any, Answer]) -> AnswerDigests:
    """Return the questions about modules, with digests of their answers."""
    digests: AnswerDigests = {}
    for question, answer in answers.items():
        if isinstance(question, ModuleQuestion):
            line = f"{question.level} {_digest_text(answer) or '-'} {question.name}"
            digests.setdefault(question.importer, []).append(line)
    return digests


def would_answer_the_same(digests: AnswerDigests, modules: Modules) -> bool:
    """Return whether `modules` would give the answers of which `digest_answers` made these digests.

    Files that import the same modules share the confirmed answers. Raises TypeError or ValueError for other data.
    """
    for importer, lines in digests.items():
        confirmed = modules.confirmed.setdefault(importer, set())
        new = set(lines).difference(confirmed)
        if not all(_is_confirmed(importer, line, modules) for line in new):
            return False
        confirmed |= new
    return True


def _is_confirmed(importer: str, line: str, modules: Modules) -> bool:
    level, digest, name = line.split(" ", 2)
    return (_digest_text(modules.find_module(ModuleQuestion(importer, int(level), name))) or "-") == digest


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
