"""From what single calls showed to overloads: one set of facts, or several told apart by a constant argument."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from inplace_lsp.torch_ops.generate.observe import Evidence, Facet
from inplace_lsp.torch_ops.model import Alias, AliasKind, Overload, Param, Save

Constant = bool | int | float | str | None

Part = tuple[tuple[tuple[str, Constant], ...], "list[Sample]"]

MAX_SPLITS = 4

_DECIDING = ("save", "alias", "write", "returns", "grad")
_NUMBERS = (0, 1, 2, -1)


@dataclass(frozen=True)
class Sample:
    """What one call showed, and its arguments that are constants (defaults included)."""

    constants: Mapping[str, Constant]
    evidence: Evidence
    defaults: Mapping[str, Constant] = field(default_factory=dict)
    weight: int = 1


def overloads(plain: Overload, samples: Sequence[Sample]) -> tuple[list[Overload], list[Facet]]:
    """`plain` with the observed facts, split by constant arguments where the samples differ; and what still differs."""
    parts = _split(list(samples), MAX_SPLITS)
    made = [replace(_facts(plain, group), given=given) for given, group in parts]
    left = sorted({facet for _, group in parts for facet in _conflicts(group)}, key=str)
    return _without_repeats(made), left


def _without_repeats(made: list[Overload]) -> list[Overload]:
    """A special case that says the same as the general one is no special case."""
    general = made[-1]
    return [each for each in made[:-1] if replace(each, given=()) != general] + [general]


def _split(samples: list[Sample], depth: int) -> list[Part]:
    """Groups of samples, each with the constants that single it out; the last group takes the rest.

    Greedy, as a decision tree; a tree that leaves as many facts in doubt as there were is not worth having.
    """
    before = _doubt(samples)
    best = min(_tests(samples), key=lambda test: _remaining(samples, *test), default=None) if before and depth else None
    if best is None or _remaining(samples, *best)[0] > 0.9 * before:
        return [((), samples)]
    name, value = best
    chosen, rest = _partition(samples, name, value)
    special = [(((name, value), *given), group) for given, group in _split(chosen, depth - 1)]
    parts = special + _split(rest, depth - 1)
    left = {facet for _, group in parts for facet in _conflicts(group)}
    return parts if len(left) < len(_conflicts(samples)) else [((), samples)]


def _remaining(samples: list[Sample], name: str, value: Constant) -> tuple[float, int, bool, str]:
    """How much doubt a test leaves; among equals flags before numbers, and what is no default: the rest is general."""
    chosen, rest = _partition(samples, name, value)
    usual = name in samples[0].defaults and _equal(samples[0].defaults[name], value)
    return round(_doubt(chosen) + _doubt(rest), 6), _oddness(value), usual, f"{name}={value!r}"


def _doubt(samples: list[Sample]) -> float:
    """Gini's impurity of the answers: 0 if all samples agree on every facet."""
    counts = [list(count.values()) for count in _answers(samples).values()]
    return sum(sum(count) - sum(n * n for n in count) / sum(count) for count in counts)


def _oddness(value: Constant) -> int:
    """Flags and `None` tell more than numbers, which may differ by accident."""
    return 0 if isinstance(value, bool) else 1 if value is None or isinstance(value, str) else 2


def _tests(samples: list[Sample]) -> set[tuple[str, Constant]]:
    found = defaultdict(set)
    for sample in samples:
        for name, value in sample.constants.items():
            found[name].add((type(value).__name__, value))
    return {
        (name, value) for name, values in found.items() if len(values) > 1 for _, value in values if _telling(value)
    }


def _telling(value: Constant) -> bool:
    """Whether a call may well be told apart by this constant: not by some learning rate."""
    return not isinstance(value, (int, float)) or isinstance(value, bool) or value in _NUMBERS


def _partition(samples: list[Sample], name: str, value: Constant) -> tuple[list[Sample], list[Sample]]:
    def chosen(sample: Sample) -> bool:
        return name in sample.constants and _equal(sample.constants[name], value)

    return [s for s in samples if chosen(s)], [s for s in samples if not chosen(s)]


def _equal(one: Constant, other: Constant) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _conflicts(samples: Iterable[Sample]) -> list[Facet]:
    return [facet for facet, count in _answers(samples).items() if len(count) > 1]


def _answers(samples: Iterable[Sample]) -> dict[Facet, Counter[object]]:
    answers: dict[Facet, Counter[object]] = defaultdict(Counter)
    for sample in samples:
        for facet, value in sample.evidence.items():
            if facet[0] in _DECIDING:
                answers[facet][value] += sample.weight
    return answers


def _facts(plain: Overload, samples: Sequence[Sample]) -> Overload:
    values: dict[Facet, Counter[Any]] = defaultdict(Counter)
    for sample in samples:
        for facet, value in sample.evidence.items():
            values[facet][value] += sample.weight
    grads = {facet[1:]: any(count) for facet, count in values.items() if facet[0] == "grad"}
    differentiable = frozenset(name for (_, name), flows in grads.items() if flows)
    outputs = {role for role, _ in grads}
    no_grad = any(values["writes_no_grad",])
    writes = tuple(facet[1] for facet, count in values.items() if facet[0] == "write" and count[True])
    if no_grad and not any(count[True] for facet, count in values.items() if facet[0] in ("save", "keeps")):
        differentiable = frozenset()
    saves = _saves(values, differentiable, plain.params)
    return replace(
        plain,
        returns=values["returns",].most_common(1)[0][0] if values["returns",] else plain.returns,
        differentiable=differentiable,
        no_grad_outputs=frozenset(
            _index(role) for role in outputs if not any(flows for (other, _), flows in grads.items() if other == role)
        ),
        saves=saves,
        saves_something=bool(saves) or any(any(c) for f, c in values.items() if f[0] == "keeps"),
        writes=writes,
        writes_no_grad=no_grad,
        aliases=tuple(_aliases(values)),
    )


def _saves(
    values: Mapping[Facet, Counter[Any]], differentiable: frozenset[str], params: Sequence[Param]
) -> tuple[Save, ...]:
    """What is kept in most samples; a role is kept for every parameter that made it so."""
    when: dict[str, set[str]] = defaultdict(set)
    for facet, count in values.items():
        if facet[0] == "save" and count[True] >= max(count[False], 1) and facet[2] in differentiable:
            when[facet[1]].add(facet[2])
    order = [param.name for param in params]
    roles = sorted(when, key=lambda role: (order.index(role) if role in order else len(order), role))
    return tuple(Save(role, frozenset(when[role])) for role in roles)


def _aliases(values: Mapping[Facet, Counter[Any]]) -> Iterable[Alias]:
    for facet, count in sorted(values.items(), key=str):
        if facet[0] != "alias" or set(count) == {""}:
            continue
        kinds = set(count) | set(values.get(("alias scattered", *facet[1:]), ()))
        yield Alias(_index(facet[1]), facet[2], _kind(kinds))


def _kind(kinds: set[str]) -> AliasKind:
    if "multi" in kinds:
        return "multi"
    if "" not in kinds:
        return "same" if kinds == {"same"} else "view" if kinds == {"view"} else "maybe"
    return "maybe_same" if kinds == {"same", ""} else "maybe"


def _index(role: str) -> int:
    return int(role.removeprefix("result") or 0)
