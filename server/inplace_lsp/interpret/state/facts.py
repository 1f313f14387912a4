"""What a file's own text cannot tell: the text of the modules it imports, and types that only a wider search can infer.

Whoever starts an analysis gathers the facts; here they are only asked for. An analysis remembers what it asked and what
it was told, so that its result holds for as long as the answers stay the same.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

Kind = Literal["tensor", "number", "string", "other"]
"""What a value is, as far as it matters here."""


class ModuleText(NamedTuple):
    """A module of Python source. `own`: it is part of the user's project, not an installed package. `model`: it is no
    module itself, but says what one does (see docs/models.md)."""

    filename: str
    text: str
    own: bool = True
    model: bool = False


class ModuleQuestion(NamedTuple):
    """Which file is module `name`, with `level` leading dots, for an import in `importer`?"""

    importer: str
    level: int
    name: str


class ParameterQuestion(NamedTuple):
    """What is passed for parameter `name` of `function` (`f` or `Class.method`)?"""

    file: str
    function: str
    name: str


class ModelsQuestion(NamedTuple):
    """Which models does the project bring itself?"""


Models = tuple[tuple[str, ModuleText], ...]
"""Model files, each with the dotted name of the module that it describes."""

Question = ModuleQuestion | ParameterQuestion | ModelsQuestion
Answer = ModuleText | Kind | Models | None


class Facts(Protocol):
    """Answers; None is "not known". Called often: whoever answers remembers what it found."""

    def module(self, question: ModuleQuestion) -> ModuleText | None:
        """The source of a module."""

    def parameter(self, question: ParameterQuestion) -> Kind | None:
        """What is passed for a parameter."""

    def models(self) -> Models:
        """The models that the project brings itself; those shipped with this package are known without asking."""


class NoFacts:
    """Nothing is known but the text itself."""

    def module(self, question: ModuleQuestion) -> ModuleText | None:  # noqa: D102
        return None

    def parameter(self, question: ParameterQuestion) -> Kind | None:  # noqa: D102
        return None

    def models(self) -> Models:  # noqa: D102
        return ()


NO_FACTS: Facts = NoFacts()


class Asked:
    """Passes questions on and keeps each with its answer."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.answers: dict[Question, Answer] = {}

    def module(self, question: ModuleQuestion) -> ModuleText | None:
        """The source of a module."""
        found = self._facts.module(question)
        self.answers[question] = found
        return found

    def parameter(self, question: ParameterQuestion) -> Kind | None:
        """What is passed for a parameter."""
        found = self._facts.parameter(question)
        self.answers[question] = found
        return found

    def models(self) -> Models:
        """The models that the project brings itself."""
        found = self._facts.models()
        if found:
            self.answers[ModelsQuestion()] = found
        return found


def still_hold(answers: dict[Question, Answer], facts: Facts) -> bool:
    """Whether `facts` would give the same answers."""
    if answers.get(ModelsQuestion(), ()) != facts.models():
        return False
    return all(_ask(question, facts) == answer for question, answer in answers.items())


def _ask(question: Question, facts: Facts) -> Answer:
    if isinstance(question, ModuleQuestion):
        return facts.module(question)
    return facts.parameter(question) if isinstance(question, ParameterQuestion) else facts.models()
