"""Judge a repaired text by its training: every step sees the same gradients, every value the same ops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Set
from functools import cached_property

from inplace_lsp.analysis import Analysis
from inplace_lsp.engine import observe_training
from inplace_lsp.fixes.program.candidate import Difference
from inplace_lsp.fixes.program.codes import may_update_leaf, trains_wrongly
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.training import Training

SUMS = frozenset({"add", "sum"})
"""The ops by which losses are added up."""


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
        recorded = self._observe_training(self._text, updates_leaves=False)
        if not may_update_leaf(self._finding):
            return {False: recorded}
        updated = self._observe_training(self._text, updates_leaves=True)
        return {False: recorded} if _cuts_training(updated, recorded) else {True: updated, False: recorded}

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


def _cuts_training(updated: frozenset[Training], recorded: frozenset[Training]) -> bool:
    """Return whether a leaf is trained only by the graph of values that go into another leaf: an update loses that."""
    cut = {leaf for training in updated for leaf in training.cut}
    trained, left = (
        {leaf for training in runs for leaf in training.find_trained_leaves()} for runs in (recorded, updated)
    )
    return bool(cut & (trained - left))


def _is_kept(meant: frozenset[Training], repaired: frozenset[Training], on_purpose: Difference) -> bool:
    return all(any(_is_same(intended, other, on_purpose) for intended in meant) for other in repaired)


def _is_same(meant: Training, repaired: Training, on_purpose: Difference) -> bool:
    compare = COMPARISONS.get(on_purpose)
    if compare is not None:
        return compare(meant, repaired)
    if on_purpose is Difference.KEPT_GRAPHS and repaired.outdated:
        return False
    if not (meant.has_shapes and repaired.has_shapes):
        meant, repaired = meant.without_shapes(), repaired.without_shapes()
    if on_purpose is Difference.ELEMENTS:
        meant, repaired = meant.without_elements(), repaired.without_elements()
    if Counter(meant.steps) != Counter(repaired.steps):
        return False
    returned = on_purpose is Difference.RETURNED
    return returned or (meant.handed_out == repaired.handed_out and all(map(repaired.has_value_through, meant.changed)))


def _takes_fewer_steps(meant: Training, repaired: Training) -> bool:
    """Return whether only steps on the losses of one graph became one: no step for each batch became one for all."""
    if meant.fresh_steps != sum(map(bool, repaired.ways[:-1])):
        return False
    return meant.without_shapes().gradient_counts.keys() == repaired.without_shapes().gradient_counts.keys()


def _walks_shorter_graphs(meant: Training, repaired: Training) -> bool:
    """Return whether each step sees as many losses, and no backward has lost its graph."""
    return meant.walks == repaired.walks and _count_losses(meant) == _count_losses(repaired)


def _reads_same_gradients(meant: Training, repaired: Training) -> bool:
    return meant.steps_are_known and Counter(meant.ways[:-1]) == Counter(repaired.ways[:-1])


def _adds_losses(meant: Training, repaired: Training) -> bool:
    """Return whether each gradient comes through the same ops once its losses are added up."""
    return _join_ways(meant) == _join_ways(repaired)


def _join_ways(training: Training) -> Counter[frozenset[tuple[str, frozenset[str]]]]:
    return Counter(
        frozenset((parameter, frozenset(op for way in found for op, _ in way) - SUMS) for parameter, found in step)
        for step in training.ways
    )


def _keeps_parameter(meant: Training, repaired: Training) -> bool:
    return {ops for _, ops in _find_ops(meant)} == {ops for _, ops in _find_ops(repaired)}


def _count_losses(training: Training) -> Counter[frozenset[tuple[str, int]]]:
    """Count the optimizer steps by their parameters and how many losses' gradients each parameter gets."""
    return Counter(frozenset((update.parameter, len(update.losses)) for update in step) for step in training.steps[:-1])


def _find_ops(training: Training) -> frozenset[tuple[str, frozenset[str]]]:
    """Return the ops that lead to each parameter, or out of the run, however often."""
    found = [*training.gradient_counts, *(("", chain) for chain in training.handed_out)]
    return frozenset((parameter, frozenset(op for op, _ in chain.ops)) for parameter, chain in found)


def _is_one_leaf_less(meant: Training, repaired: Training) -> bool:
    """Return whether all is trained as before but one leaf, which no loss was about alone."""
    lost = meant.find_trained_leaves() - repaired.find_trained_leaves()
    alone = any(chain.leaves <= lost for _, chain in meant.gradient_counts)
    kept = {(parameter, ops) for parameter, ops in _find_ops(meant) if parameter not in lost}
    return len(lost) == 1 and not alone and kept == _find_ops(repaired)


COMPARISONS: dict[Difference, Callable[[Training, Training], bool]] = {
    Difference.FEWER_STEPS: _takes_fewer_steps,
    Difference.SHORTER_GRAPHS: _walks_shorter_graphs,
    Difference.UNREAD_GRADIENTS: _reads_same_gradients,
    Difference.ADDED_LOSSES: _adds_losses,
    Difference.KEPT_PARAMETER: _keeps_parameter,
    Difference.LOST_LEAF: _is_one_leaf_less,
    Difference.PASSES: lambda meant, repaired: _find_ops(meant) == _find_ops(repaired),
}
"""What has to be equal where training differs on purpose."""
