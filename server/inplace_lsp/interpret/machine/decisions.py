"""Decide what a run cannot know: whether a value is true, which text it is, whether a tensor requires grad.

A decision is made once for all equal questions about the same value, and only when the answer is needed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from operator import ge, gt, le, lt
from typing import Any, NamedTuple

from inplace_lsp.interpret.state.implications import IS_EMPTY, IS_TRUE, Answers, Asked, infer_answer
from inplace_lsp.interpret.state.paths import Choices
from inplace_lsp.interpret.state.values import (
    Bound,
    Function,
    Instance,
    Items,
    Known,
    Library,
    Number,
    Question,
    Tensor,
    Unknown,
    Value,
    make_key,
)
from inplace_lsp.interpret.state.values import Mapping as DictValue
from inplace_lsp.tape.model import When


class RequiresGrad(NamedTuple):
    """Ask whether one of `inputs` requires grad."""

    inputs: frozenset[str]


class _Origin(NamedTuple):
    """The `decision` (its index) that gave one of the `answers` about a value, or on which it depends; None if code
    decided that is not explored along several paths. An answer without an origin was assumed."""

    decision: int | None
    answers: Answers


class Decisions(ABC):
    """The decisions of one run. `choices` makes them: those of the `path` that is explored, or in code that is not
    explored along several paths, its own. `asked` are the ids of the answers about unknown values whose truth was asked
    for, in order."""

    def begin_decisions(self, choices: Choices) -> None:
        """Prepare for another path, on which nothing has been decided."""
        self.choices = self.path = choices
        self.asked: list[int] = []
        self._origins: dict[tuple[int, Asked], _Origin] = {}
        self.answers: dict[Hashable, tuple[Number, tuple[Value, ...]]] = {}
        self._shared: dict[Hashable, tuple[Answers, tuple[Value, ...]]] = {}

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
        if isinstance(value, (Unknown, Number)):
            return self._decide_unknown(value)
        if isinstance(value, (Tensor, Items, DictValue)):
            return self.choices.choose_option(2) == 0
        return self._decide_object(value) if isinstance(value, Instance) else True

    def _decide_unknown(self, value: Unknown | Number) -> bool:
        """Return whether an unknown value is true."""
        if isinstance(value, Unknown) and value.length is not None:
            return not self._decide_once(value.length, IS_EMPTY, likely=False)
        if isinstance(value, Number) and value.negates is not None:
            return not self.decide_truth(value.negates)
        if isinstance(value, Number) and value.question is not None:
            return self._decide_question(value.about, value.question)
        return self._decide_once(value, IS_TRUE, likely=_is_likely(value, IS_TRUE))

    def _decide_object(self, value: Instance) -> bool:
        """Return whether a user's object is true, by what its class has to say."""
        for name in ("__bool__", "__len__"):
            method = value.cls.look_up(name)
            if isinstance(method, Function):
                return self.decide_truth(self.call(Bound(value, method), [], {}))
        return True

    def _decide_question(self, about: Value | None, question: Question) -> bool:
        """Return whether a comparison that is still open is true, decided once for all that ask the same."""
        if isinstance(about, Items):
            about.none = self.choices.choose_option(2) == 1 if about.none is None else about.none
            return about.none == question.wanted
        if not isinstance(about, (Unknown, Number)):
            return True
        return self._decide_once(about, question.asked, likely=question.likely) == question.wanted

    def ask_about(self, value: Unknown | Number, op: str, constant: object, *, wanted: bool = True) -> Value:
        """Return how an unknown compares with a constant: a known answer, or an open question whose first path takes
        the likely answer."""
        try:
            hash(constant)
        except TypeError:
            return Number()
        answer = self._find_known_answer(value, (op, constant))
        if answer is not None:
            return Known(answer == wanted)
        return Number(about=value, question=Question((op, constant), _is_likely(value, (op, constant)), wanted))

    def settle_comparison(self, value: Value) -> Value:
        """Decide a comparison that is still open and return the result; return any other value unchanged."""
        is_open = type(value) is Number and value.question is not None
        return Known(self.decide_truth(value)) if is_open else value

    def was_found_false(self, value: Value, since: int) -> bool:
        """Return whether an earlier decision found an unknown value to be false, and the program asked for its truth
        after the first `since` entries of `asked`; decides nothing.

        An answer that was chosen outside of the explored code does not count: another one is as possible.
        """
        answers = _find_answers(value)
        origin = self._origins.get((id(answers), IS_TRUE))
        is_explored = origin is None or origin.decision is not None
        return is_explored and id(answers) in self.asked[since:] and self._recall_truth(value) is False

    def _recall_truth(self, value: Value) -> bool | None:
        """Return whether an earlier decision found a value to be true; None if there was none."""
        if isinstance(value, Number) and value.negates is not None:
            negated = self._recall_truth(value.negates)
            return None if negated is None else not negated
        if isinstance(value, (Unknown, Number)) and getattr(value, "question", None) is None:
            return self._find_known_answer(value, IS_TRUE)
        return None

    def assume_truth(self, value: Value, truth: bool) -> None:
        """Record that a value which is not known came out so, since the program would not go on otherwise."""
        if isinstance(value, Number) and value.negates is not None:
            self.assume_truth(value.negates, not truth)
        elif isinstance(value, Number) and value.question is not None:
            _answer_question(value.about, value.question, truth)
        elif isinstance(value, (Unknown, Number)):
            value.truth.setdefault(IS_TRUE, truth)

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

    def share_answers(self, computation: str, *operands: Value) -> Answers:
        """Return the answers about the result of a computation: the same whenever it is computed from these operands,
        unless one of them may change in between."""
        identities = tuple(map(find_identity, operands))
        if None in identities:
            return {}
        return self._shared.setdefault((computation, *identities), ({}, operands))[0]

    def find_count(self, what: str, value: Value) -> Number:
        """Return how many of something a value has, if that is not known: the same number each time it is asked."""
        number = self.find_answer((what, id(value)), value)
        number.is_count = True
        return number

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

    def _decide_once(self, value: Unknown | Number, asked: Asked, *, likely: bool = True) -> bool:
        """Return the answer to a question about a value; if it is unknown, choose one: the `likely` one first."""
        answer = self._find_known_answer(value, asked)
        if answer is not None:
            return answer
        value.truth[asked] = (self.choices.choose_option(2) == 0) == likely
        index = len(self.path.taken) - 1 if self.choices is self.path else None
        self._origins[id(value.truth), asked] = _Origin(index, value.truth)
        return value.truth[asked]

    def _find_known_answer(self, value: Unknown | Number, asked: Asked) -> bool | None:
        """Return the answer to a question about a value if it was given before, or follows from others; else None."""
        answers = value.truth
        if asked == IS_TRUE:
            self.asked.append(id(answers))
        if not answers:
            return None
        if asked not in answers and not self._infer_answer(value, asked):
            return None
        origin = self._origins.get((id(answers), asked))
        if origin is not None and origin.decision is not None:
            self.path.recalled.append(origin.decision)
        return answers[asked]

    def _infer_answer(self, value: Unknown | Number, asked: Asked) -> bool:
        """Record the answer to a question about a value if it follows from others. Return whether it does.

        What code decided that is not explored along several paths is no fact: other answers are as possible.
        """
        answers, facts, decisions = value.truth, {}, []
        for key, answer in answers.items():
            origin = self._origins.get((id(answers), key))
            if origin is None or origin.decision is not None:
                facts[key] = answer
            if origin is not None and origin.decision is not None:
                decisions.append(origin.decision)
        implied = infer_answer(facts, asked, is_count=type(value) is Number and value.is_count) if facts else None
        if implied is None:
            return False
        if decisions:
            self._origins[id(answers), asked] = _Origin(max(decisions), answers)
        answers[asked] = implied
        return True


def find_identity(value: Value) -> Hashable | None:
    """Return a key that identifies an immutable value, None for a value that may change. Unknown values with the same
    answers are the same."""
    if isinstance(value, Known):
        return (type(value.value), make_key(value))
    if isinstance(value, Items):
        parts = tuple(map(find_identity, value.items))
        return None if value.open or None in parts else (value.kind, parts)
    if isinstance(value, (Unknown, Number)):
        return id(value.truth)
    return id(value) if isinstance(value, Library) else None


def _find_answers(value: Value) -> Answers | None:
    """Return the answers about an unknown value, or about what it negates; None for any other value."""
    while isinstance(value, Number) and value.negates is not None:
        value = value.negates
    return value.truth if isinstance(value, (Unknown, Number)) else None


def _answer_question(about: Value | None, question: Question, truth: bool) -> None:
    """Record the outcome of a comparison that was not decided yet."""
    if isinstance(about, Items):
        about.none = truth == question.wanted
    elif isinstance(about, (Unknown, Number)):
        about.truth.setdefault(question.asked, truth == question.wanted)


def _is_likely(value: Unknown | Number, asked: Asked) -> bool:
    """Return the answer that the first path takes: there are things to be counted, the first passes of a loop are not
    the last, names are those that the program gives, and values are true and not None, unless they are `likely`
    otherwise."""
    op, constant = asked
    if isinstance(value, Number):
        return _is_likely_number(value, op, constant, asked)
    if op in ("truth", "is"):
        return value.likely == (op == "truth")
    return op != "==" or not value.names or constant in value.names


def _is_likely_number(value: Number, op: str, constant: object, asked: Asked) -> bool:
    """Return the answer about a number that the first path takes, by the pass that it counts or by what it most likely
    is."""
    if not value.likely and asked == IS_TRUE:
        return False
    near = value.hint if value.hint is not None and not value.grows else None if value.likely else 0
    if near is None or not isinstance(constant, (int, float)):
        return not (value.is_count and asked == IS_EMPTY)
    if op == "==":
        return value.likely or constant == 0
    return _ORDERS[op](near, constant) if op in _ORDERS else True


_ORDERS: dict[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
_DENIALS = {IS_TRUE: False, ("==", True): False, ("==", False): True}
"""The questions about an answer, each with the outcome that means no."""


def _is_denied(answer: Number) -> bool:
    """Return whether an answer was decided to be no."""
    return any(answer.truth.get(asked) is said for asked, said in _DENIALS.items())
