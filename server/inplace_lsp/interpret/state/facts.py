"""Facts that a file's own text cannot tell: the text of the modules it imports, and types that only a wider search can
infer.

Whoever starts an analysis provides the facts; this room only asks for them. An analysis records its questions and their
answers, so that its result holds as long as the answers stay the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, Protocol

Kind = Literal["tensor", "number", "string", "other"]
"""The kind of a value, as far as it matters for gradients."""


class ModuleText(NamedTuple):
    """A module of Python source. `own`: it is part of the user's project, not an installed package. `model`: it
    describes a library module (see docs/models.md)."""

    filename: str
    text: str
    own: bool = True
    model: bool = False


class ModuleQuestion(NamedTuple):
    """Ask which file is module `name`, with `level` leading dots, for an import in `importer`."""

    importer: str
    level: int
    name: str


class ParameterQuestion(NamedTuple):
    """Ask what is passed for parameter `name` of `function` (`f` or `Class.method`)."""

    file: str
    function: str
    name: str


class ModelsQuestion(NamedTuple):
    """Ask which models the project brings itself."""


class TorchQuestion(NamedTuple):
    """Which release of torch does the project of `file` run with?"""

    file: str


Models = tuple[tuple[str, ModuleText], ...]
"""Model files, each with the dotted name of the module that it describes."""

Question = ModuleQuestion | ParameterQuestion | ModelsQuestion | TorchQuestion
Answer = ModuleText | Kind | Models | str | None


class Facts(Protocol):
    """Answers to questions; None is "not known". Called often, so implementations cache."""

    def find_module(self, question: ModuleQuestion) -> ModuleText | None:
        """Return the source of a module."""

    def find_parameter_kind(self, question: ParameterQuestion) -> Kind | None:
        """Return what is passed for a parameter."""

    def list_models(self) -> Models:
        """Return the project's own models; those shipped with this package are known without asking."""

    def find_torch_release(self, question: TorchQuestion) -> str:
        """Return the release of torch that the project runs with (`2.6.0`), "" if that is not known."""


class NoFacts:
    """Facts of which none is known: only the file's own text is."""

    def find_module(self, question: ModuleQuestion) -> ModuleText | None:  # noqa: D102
        return None

    def find_parameter_kind(self, question: ParameterQuestion) -> Kind | None:  # noqa: D102
        return None

    def list_models(self) -> Models:  # noqa: D102
        return ()

    def find_torch_release(self, question: TorchQuestion) -> str:  # noqa: D102
        return ""


NO_FACTS: Facts = NoFacts()


class RecordedFacts:
    """Pass questions on and record each with its answer; that about the release of torch is asked at once, since what
    every op does depends on it."""

    def __init__(self, facts: Facts, file: str) -> None:
        self._facts = facts
        question = TorchQuestion(file)
        self.answers: dict[Question, Answer] = {question: facts.find_torch_release(question)}

    def find_module(self, question: ModuleQuestion) -> ModuleText | None:
        """Return the source of a module."""
        found = self._facts.find_module(question)
        self.answers[question] = found
        return found

    def find_parameter_kind(self, question: ParameterQuestion) -> Kind | None:
        """Return what is passed for a parameter."""
        found = self._facts.find_parameter_kind(question)
        self.answers[question] = found
        return found

    def list_models(self) -> Models:
        """Return the project's own models."""
        found = self._facts.list_models()
        if found:
            self.answers[ModelsQuestion()] = found
        return found

    def find_torch_release(self, question: TorchQuestion) -> str:
        """Return the release of torch that the project runs with."""
        found = self._facts.find_torch_release(question)
        self.answers[question] = found
        return found


class CurrentAnswers:
    """What `facts` answer now where they answered as in `before`: each question is asked once, since the outcomes of a
    file rest on the same few hundred."""

    def __init__(self, facts: Facts, before: Mapping[Question, Answer]) -> None:
        self._models = facts.list_models()
        self._changed = [question for question, answer in before.items() if _ask_question(question, facts) != answer]

    def are_as(self, answers: Mapping[Question, Answer]) -> bool:
        """Return whether all of `answers`, which are among those of `before`, would be given again."""
        if answers.get(ModelsQuestion(), ()) != self._models:
            return False
        return not any(question in answers for question in self._changed)


def _ask_question(question: Question, facts: Facts) -> Answer:
    if isinstance(question, ModuleQuestion):
        return facts.find_module(question)
    if isinstance(question, TorchQuestion):
        return facts.find_torch_release(question)
    return facts.find_parameter_kind(question) if isinstance(question, ParameterQuestion) else facts.list_models()


def find_installed_name(file: str) -> str:
    """Return the dotted name of the module in `file` if it belongs to an installed package, else ""."""
    _, found, below = file.replace("\\", "/").rpartition("-packages/")  # site-packages, dist-packages
    return below.removesuffix(".py").removesuffix("/__init__").replace("/", ".") if found else ""
