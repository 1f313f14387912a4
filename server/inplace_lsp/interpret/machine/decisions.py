"""Decide what a run cannot know: whether a value is true, which text it is, whether a tensor requires grad.

A decision is made once for all that ask the same about the same value, and not before somebody needs to know it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from inplace_lsp.interpret.state.paths import Choices
from inplace_lsp.interpret.state.values import (
    Bound,
    Function,
    Instance,
    Items,
    Known,
    Number,
    Question,
    Tensor,
    Unknown,
    Value,
)
from inplace_lsp.interpret.state.values import Mapping as DictValue
from inplace_lsp.tape.model import When

Memory: TypeAlias = dict[tuple[str, object], bool]
"""The answer to each question about a value."""


class RequiresGrad(NamedTuple):
    """Ask whether one of `inputs` requires grad."""

    inputs: frozenset[str]


class Decisions(ABC):
    """The decisions of one run. `choices` makes them: those of the `path` that is explored, or in code that is not
    explored along several paths, its own."""

    def begin_decisions(self, choices: Choices) -> None:
        """Prepare for another path, on which nothing has been decided."""
        self.choices = self.path = choices
        self._decided: dict[tuple[int, tuple[str, object]], tuple[int, Memory]] = {}
        self.answers: dict[Hashable, tuple[Number, tuple[Value, ...]]] = {}

    @abstractmethod
    def call(self, function: Value, arguments: Sequence[Value], keywords: Mapping[str, Value], text: str = "") -> Value:
        """Call anything. `text` is how the reader knows the call (`model(x)`)."""

    def decide_truth(self, value: Value) -> bool:
        """Return whether `value` is true; if that is not known, a choice, the same for the same object each time."""
        if isinstance(value, Known):
            return bool(value.value)
        if isinstance(value, Items) and not value.open:
            return bool(value.items)
        if isinstance(value, DictValue) and not value.open:
            return bool(value.items)
        if isinstance(value, Number) and value.negates is not None:
            return not self.decide_truth(value.negates)
        if isinstance(value, Number) and value.question is not None:
            return self._decide_question(value.about, value.question)
        if isinstance(value, (Unknown, Number)):
            return self.decide_once(value.truth, ("truth", None))
        if isinstance(value, (Tensor, Items, DictValue)):
            return self.choices.choose_option(2) == 0
        return self._decide_object(value) if isinstance(value, Instance) else True

    def _decide_object(self, value: Instance) -> bool:
        """Return whether a user's object is true, by what its class has to say."""
        for name in ("__bool__", "__len__"):
            method = value.cls.look_up(name)
            if isinstance(method, Function):
                return self.decide_truth(self.call(Bound(value, method), [], {}))
        return True

    def _decide_question(self, about: Value | None, question: Question) -> bool:
        """Return the answer to an open question, decided once for all that ask the same."""
        if question.op == "is":
            return self._decide_none(about) == question.wanted
        truth = about.truth if isinstance(about, (Unknown, Number)) else {}
        return self.decide_once(truth, (question.op, question.constant), likely=question.likely) == question.wanted

    def _decide_none(self, value: Value | None) -> bool:
        """Return whether a value that may be None is None here."""
        if not isinstance(value, (Unknown, Items)):
            return False
        if value.none is None:
            value.none = value.may_be_none and self.choices.choose_option(2) == 1
        return value.none

    def settle(self, value: Value) -> Value:
        """Return a comparison that is still open as its outcome, for somebody who needs to know it; any other value as
        it is."""
        is_open = type(value) is Number and value.question is not None
        return Known(self.decide_truth(value)) if is_open else value

    def assume_truth(self, value: Value, truth: bool) -> None:
        """Record that a value which is not known came out so, since the program would not go on otherwise."""
        if isinstance(value, Number) and value.negates is not None:
            self.assume_truth(value.negates, not truth)
        elif isinstance(value, Number) and value.question is not None:
            _answer_question(value.about, value.question, truth)
        elif isinstance(value, (Unknown, Number)):
            value.truth.setdefault(("truth", None), truth)

    def negate_value(self, value: Value) -> Value:
        """Return `not value`. If it is not known, nothing is decided before its truth is asked for."""
        if isinstance(value, (Unknown, Number)):
            return Number(negates=value)
        return Known(not self.decide_truth(value)) if not isinstance(value, Tensor) else Number()

    def decide_text(self, value: Value) -> str | None:
        """Return the text that `value` is, None if it is none; of several, one is chosen once for all."""
        if isinstance(value, Unknown) and value.names:
            value.names = (value.names[self.choices.choose_option(len(value.names)) if len(value.names) > 1 else 0],)
            return value.names[0]
        return value.value if isinstance(value, Known) and isinstance(value.value, str) else None

    def find_answer(self, question: Hashable, *about: Value) -> Number:
        """Return the unknown answer to a question `about` these values: the same one each time it is asked."""
        if question not in self.answers:
            self.answers[question] = Number(), about  # keep the values, and so their ids
        return self.answers[question][0]

    def ask_requires_grad(self, when: When) -> Value:
        """Return whether a tensor with that condition requires grad; a choice if it depends on inputs."""
        if when.always or when.inputs <= self.find_inputs_without_grad():
            return Known(when.always)
        return self.find_answer(RequiresGrad(when.inputs))

    def find_inputs_without_grad(self) -> frozenset[str]:
        """Return the inputs that do not require grad on this path, since the program asked and branched on it."""
        asked = ((question, number) for question, (number, _) in self.answers.items())
        denied = (
            question.inputs for question, number in asked if isinstance(question, RequiresGrad) and _is_denied(number)
        )
        return frozenset().union(*denied)

    def decide_once(self, memory: Memory, key: tuple[str, object], *, likely: bool = True) -> bool:
        """Return a choice between True and False made once for `key`; the first path takes what is `likely`."""
        if key in memory:
            decided = self._decided.get((id(memory), key))
            if decided is not None:
                self.path.recalled.append(decided[0])
            return memory[key]
        memory[key] = (self.choices.choose_option(2) == 0) == likely
        if self.choices is self.path:
            self._decided[id(memory), key] = len(self.path.taken) - 1, memory
        return memory[key]


def _answer_question(about: Value | None, question: Question, truth: bool) -> None:
    """Record the outcome of a comparison that was not decided yet."""
    if isinstance(about, (Unknown, Items)) and question.op == "is":
        about.none = (truth == question.wanted) if about.none is None else about.none
    elif isinstance(about, (Unknown, Number)):
        about.truth.setdefault((question.op, question.constant), truth == question.wanted)


_DENIALS = {("truth", None): False, ("==", True): False, ("==", False): True}
"""The questions about an answer, each with the outcome that means no."""


def _is_denied(answer: Number) -> bool:
    """Return whether an answer was decided to be no."""
    return any(answer.truth.get(asked) is said for asked, said in _DENIALS.items())
