"""Types that were inferred, for as long as this process lives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inplace_lsp.interpret.state.facts import Kind, ParameterQuestion


class KnownTypes:
    """What was last inferred of every file. Filled beside the analysis, which never waits for it."""

    def __init__(self) -> None:
        self._files: dict[str, Mapping[ParameterQuestion, Kind]] = {}

    def get(self, question: ParameterQuestion) -> Kind | None:
        """What is known of a parameter."""
        return self._files.get(question.file, {}).get(question)

    def learn(self, file: str, found: Mapping[ParameterQuestion, Kind]) -> bool:
        """Take what was found in place of what was known of `file`. Returns whether it is anything else."""
        news = self._files.get(file, {}) != found
        self._files[file] = dict(found)
        return news

    def forget(self, file: str) -> None:
        """The file is of no interest any more."""
        self._files.pop(file, None)


KNOWN = KnownTypes()
"""Empty unless someone asks jedi."""


def learn(text: str, file: str, wanted: Sequence[ParameterQuestion]) -> bool:
    """Ask jedi, now and here, about parameters in `file`. Returns whether that told anything new."""
    from inplace_lsp.facts.types import infer  # noqa: PLC0415 - nobody else shall wait for jedi

    return bool(wanted) and KNOWN.learn(file, infer(text, wanted))
