"""Merge what single calls showed into overloads: one set of facts, or several selected by a constant argument."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from inplace_lsp.torch_ops.model import Alias, AliasKind, Overload, Param, SavedRole
from tools.op_table.observe import Evidence, Facet

Constant = bool | int | float | str | None

Part = tuple[tuple[tuple[str, Constant], ...], "list[Sample]"]

MAX_SPLITS = 4

_DECIDING = ("save", "alias", "write", "returns", "grad")
_NUMBERS = (0, 1, 2, -1)


@dataclass(frozen=True)
class Sample:
    """The evidence of one call, and its constant arguments (defaults included)."""

    constants: Mapping[str, Constant]
    evidence: Evidence
    defaults: Mapping[str, Constant] = field(default_factory=dict)
    weight: int = 1


def merge_samples(plain: Overload, samples: Sequence[Sample]) -> tuple[list[Overload], list[Facet]]:
    """Return `plain` with the observed facts, split by constant arguments where samples differ, and the remaining
    conflicts."""
    parts = _split_samples(list(samples), MAX_SPLITS)
    made = [replace(_combine_facts(plain, group), given=given) for given, group in parts]
    left = sorted({facet for _, group in parts for facet in _find_conflicts(group)}, key=str)
    return _drop_repeats(made), left


def _drop_repeats(made: list[Overload]) -> list[Overload]:
    """Drop special cases that say the same as the general one."""
    general = made[-1]
    return [each for each in made[:-1] if replace(each, given=()) != general] + [general]


def _split_samples(samples: list[Sample], depth: int) -> list[Part]:
    """Return groups of samples, each with the constants that select it; the last group takes the rest.

    Greedy, as a decision tree; a tree that leaves as many conflicts and half of the doubt is dropped.
    """
    before = _measure_doubt(samples)
    best = (
        min(_find_tests(samples), key=lambda test: _remaining_doubt(samples, *test), default=None)
        if before and depth
        else None
    )
    if best is None or _remaining_doubt(samples, *best)[0] > 0.9 * before:
        return [((), samples)]
    name, value = best
    chosen, rest = _partition_samples(samples, name, value)
    special = [(((name, value), *given), group) for given, group in _split_samples(chosen, depth - 1)]
    parts = special + _split_samples(rest, depth - 1)
    left = {facet for _, group in parts for facet in _find_conflicts(group)}
    return parts if len(left) < len(_find_conflicts(samples)) or _halves_doubt(parts, before) else [((), samples)]


def _halves_doubt(parts: Sequence[Part], before: float) -> bool:
    return sum(_measure_doubt(group) for _, group in parts) < before / 2


def _remaining_doubt(samples: list[Sample], name: str, value: Constant) -> tuple[float, int, bool, str]:
    """Return the doubt that a test leaves; ties go to flags before numbers, and to values other than defaults."""
    chosen, rest = _partition_samples(samples, name, value)
    usual = name in samples[0].defaults and _is_equal(samples[0].defaults[name], value)
    return round(_measure_doubt(chosen) + _measure_doubt(rest), 6), _rank_oddness(value), usual, f"{name}={value!r}"


def _measure_doubt(samples: list[Sample]) -> float:
    """Return Gini's impurity of the answers: 0 if all samples agree on every facet."""
    counts = [list(count.values()) for count in _count_answers(samples).values()]
    return sum(sum(count) - sum(n * n for n in count) / sum(count) for count in counts)


def _rank_oddness(value: Constant) -> int:
    """Rank flags and `None` before numbers, which may differ by accident."""
    return 0 if isinstance(value, bool) else 1 if value is None or isinstance(value, str) else 2


def _find_tests(samples: list[Sample]) -> set[tuple[str, Constant]]:
    found = defaultdict(set)
    for sample in samples:
        for name, value in sample.constants.items():
            found[name].add((type(value).__name__, value))
    return {
        (name, value) for name, values in found.items() if len(values) > 1 for _, value in values if _is_telling(value)
    }


def _is_telling(value: Constant) -> bool:
    """Return whether a call may well depend on this constant, unlike on a learning rate."""
    return not isinstance(value, (int, float)) or isinstance(value, bool) or value in _NUMBERS


def _partition_samples(samples: list[Sample], name: str, value: Constant) -> tuple[list[Sample], list[Sample]]:
    def is_chosen(sample: Sample) -> bool:
        return name in sample.constants and _is_equal(sample.constants[name], value)

    return [s for s in samples if is_chosen(s)], [s for s in samples if not is_chosen(s)]


def _is_equal(first: Constant, second: Constant) -> bool:
    return first == second and isinstance(first, bool) == isinstance(second, bool)


def _find_conflicts(samples: Iterable[Sample]) -> list[Facet]:
    return [facet for facet, count in _count_answers(samples).items() if len(count) > 1]


def _count_answers(samples: Iterable[Sample]) -> dict[Facet, Counter[object]]:
    answers: dict[Facet, Counter[object]] = defaultdict(Counter)
    for sample in samples:
        for facet, value in sample.evidence.items():
            if facet[0] in _DECIDING:
                answers[facet][value] += sample.weight
    return answers


def _combine_facts(plain: Overload, samples: Sequence[Sample]) -> Overload:
    values: dict[Facet, Counter[object]] = defaultdict(Counter)
    for sample in samples:
        for facet, value in sample.evidence.items():
            values[facet][value] += sample.weight
    grads = {facet[1:]: any(count) for facet, count in values.items() if facet[0] == "grad"}
    flowing = {role for (role, _), flows in grads.items() if flows}
    no_grad = any(values["writes_no_grad",])
    differentiable = frozenset(name for (_, name), flows in grads.items() if flows)
    if no_grad and not any(count[True] for facet, count in values.items() if facet[0] in ("save", "keeps")):
        differentiable = frozenset()
    saves = _combine_saves(values, differentiable, plain.params)
    return replace(
        plain,
        returns=_most_common(values["returns",], plain.returns),
        differentiable=differentiable,
        no_grad_outputs=frozenset(_result_index(role) for role, _ in grads if role not in flowing),
        saves=saves,
        saves_something=bool(saves) or any(any(c) for f, c in values.items() if f[0] == "keeps"),
        writes=tuple(facet[1] for facet, count in values.items() if facet[0] == "write" and count[True]),
        writes_no_grad=no_grad,
        aliases=tuple(_combine_aliases(values)),
    )


def _most_common(answers: Counter[object], usual: int) -> int:
    """Return the number of results that most samples have."""
    found = answers.most_common(1)[0][0] if answers else usual
    return found if isinstance(found, int) else usual


def _combine_saves(
    values: Mapping[Facet, Counter[object]], differentiable: frozenset[str], params: Sequence[Param]
) -> tuple[SavedRole, ...]:
    """Return what most samples save, with every parameter that made it so."""
    when: dict[str, set[str]] = defaultdict(set)
    for facet, count in values.items():
        if facet[0] == "save" and count[True] >= max(count[False], 1) and facet[2] in differentiable:
            when[facet[1]].add(facet[2])
    order = [param.name for param in params]
    roles = sorted(when, key=lambda role: (order.index(role) if role in order else len(order), role))
    return tuple(SavedRole(role, frozenset(when[role])) for role in roles)


def _combine_aliases(values: Mapping[Facet, Counter[object]]) -> Iterable[Alias]:
    for facet, count in sorted(values.items(), key=str):
        if facet[0] != "alias" or set(count) == {""}:
            continue
        kinds = set(map(str, [*count, *values.get(("alias scattered", *facet[1:]), ())]))
        yield Alias(_result_index(facet[1]), facet[2], _combine_kinds(kinds))


def _combine_kinds(kinds: set[str]) -> AliasKind:
    if "multi" in kinds:
        return "multi"
    if "apart" in kinds:
        return "apart"
    if "" not in kinds:
        return "same" if kinds == {"same"} else "view" if kinds == {"view"} else "maybe"
    return "maybe_same" if kinds == {"same", ""} else "maybe"


def _result_index(role: str) -> int:
    return int(role.removeprefix("result") or 0)
