"""Judge a repaired text by its training: every step sees the same gradients, every value the same ops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from functools import cached_property

from inplace_lsp.analysis import Analysis
from inplace_lsp.engine import observe_training
from inplace_lsp.fixes.program.candidate import Difference
from inplace_lsp.fixes.program.codes import may_update_leaf, trains_wrongly
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.training import Training


class TrainingComparison:
    """The training in the functions of a finding, before and after a repair."""

    def __init__(self, text: str, finding: Finding, before: Analysis) -> None:
        self._text, self._finding, self._before = text, finding, before

    def trains_the_same(self, after: str, on_purpose: Difference) -> bool:
        """Return whether the text `after` trains as the author intended, apart from a difference `on_purpose`."""
        if trains_wrongly(self._finding) or on_purpose is Difference.GRADIENTS:
            return True
        return any(
            _is_kept(meant, self._observe_training(after, updates_leaves=updates), on_purpose)
            for updates, meant in self._intended_training.items()
        )

    @cached_property
    def _intended_training(self) -> dict[bool, frozenset[Training]]:
        """Return what the author may intend: a write to a leaf is either an update of it or an op with a gradient."""
        both = (True, False) if may_update_leaf(self._finding) else (False,)
        return {allowed: self._observe_training(self._text, updates_leaves=allowed) for allowed in both}

    def _observe_training(self, text: str, *, updates_leaves: bool) -> frozenset[Training]:
        file = self._finding.span.file
        return observe_training(text, file, self._affected_functions, self._before.facts, updates_leaves=updates_leaves)

    @cached_property
    def _affected_functions(self) -> Set[str]:
        """Return the functions on whose tapes the finding stands."""
        place = self._finding.span
        return {
            tape.function
            for tape in self._before.tapes
            if any(event.span.row == place.row and event.span.file == place.file for event in tape.events)
        }


def _is_kept(meant: frozenset[Training], repaired: frozenset[Training], on_purpose: Difference) -> bool:
    return all(any(_is_same(intended, other, on_purpose) for intended in meant) for other in repaired)


def _is_same(meant: Training, repaired: Training, on_purpose: Difference) -> bool:
    if on_purpose is Difference.FEWER_STEPS:
        return meant.without_shapes().gradient_counts.keys() == repaired.without_shapes().gradient_counts.keys()
    if on_purpose is Difference.SHORTER_GRAPHS:
        return _count_losses(meant) == _count_losses(repaired)
    if on_purpose is Difference.PASSES:
        return _find_ops(meant) == _find_ops(repaired)
    if not (meant.has_shapes and repaired.has_shapes):
        meant, repaired = meant.without_shapes(), repaired.without_shapes()
    if Counter(meant.steps) != Counter(repaired.steps):
        return False
    returned = on_purpose is Difference.RETURNED
    return returned or (meant.handed_out == repaired.handed_out and all(map(repaired.is_showing, meant.changed)))


def _count_losses(training: Training) -> Counter[frozenset[tuple[str, int]]]:
    """Count the optimizer steps by their parameters and how many losses' gradients each parameter gets."""
    return Counter(frozenset((update.parameter, len(update.losses)) for update in step) for step in training.steps[:-1])


def _find_ops(training: Training) -> frozenset[tuple[str, frozenset[str]]]:
    """Return the ops that lead to each parameter, or out of the run, however often."""
    found = [*training.gradient_counts, *(("", chain) for chain in training.handed_out)]
    return frozenset((parameter, frozenset(op for op, _ in chain.ops)) for parameter, chain in found)
