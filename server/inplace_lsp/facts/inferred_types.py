"""The types inferred so far in this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inplace_lsp.interpret.state.facts import Kind, ParameterQuestion


class KnownTypes:
    """The types last inferred for every file. They arrive in the background; the analysis never waits for them."""

    def __init__(self) -> None:
        self._files: dict[str, Mapping[ParameterQuestion, Kind]] = {}

    def find_type(self, question: ParameterQuestion) -> Kind | None:
        """Return the kind of a parameter, if known."""
        return self._files.get(question.file, {}).get(question)

    def learn_types(self, file: str, found: Mapping[ParameterQuestion, Kind]) -> bool:
        """Replace what was known of `file`. Returns whether anything changed."""
        news = self._files.get(file, {}) != found
        self._files[file] = dict(found)
        return news

    def recall_types(self, file: str, found: Mapping[ParameterQuestion, Kind]) -> None:
        """Take earlier types of `file`, if there are no newer ones."""
        self._files.setdefault(file, dict(found))

    def forget_file(self, file: str) -> None:
        """Forget a file that is no longer of interest."""
        self._files.pop(file, None)


KNOWN = KnownTypes()
"""Empty unless someone asks jedi."""


def learn_with_jedi(text: str, file: str, wanted: Sequence[ParameterQuestion], python: str) -> bool:
    """Ask jedi now, in this process, about parameters in `file`, with the packages of the environment that `python`
    names, if any. Returns whether the answers were new."""
    from inplace_lsp.facts.types import infer_types  # noqa: PLC0415 - only this needs jedi, which loads slowly

    return bool(wanted) and KNOWN.learn_types(file, infer_types(text, wanted, python))
