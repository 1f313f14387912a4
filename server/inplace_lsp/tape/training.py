"""The training of a run: the losses whose gradients each optimizer step sees, and the graphs of returned values.

Two programs train the same if these are equal, whatever their statements look like. The recorder that derives it
assumes that refused writes mean what their author intended (`interpret/autograd/ledger.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from inplace_lsp.tape.names import ELEMENT


class Chain(NamedTuple):
    """The ops that computed a value, each with its count, and the leaves they started from.

    Views, copies and assembling ops do not count.
    """

    ops: tuple[tuple[str, int], ...]
    leaves: frozenset[str]
    assembled: bool
    """Whether the program wrote a part of the value."""
    shape: int = 0
    """Equal for values that the same ops computed in the same order; 0 if the program wrote parts."""


class Gradient(NamedTuple):
    """The gradients that a step finds at a parameter: those of `losses`, since the last `zero_grad`."""

    parameter: str
    losses: tuple[Chain, ...]


Step = frozenset[Gradient]
Way: TypeAlias = tuple[tuple[str, int], ...]
"""The ops that a gradient passes through, each with its count."""
UNKNOWN_WAY: Way = (("unknown", 1),)
"""The way through code that is not in sight."""
Ways: TypeAlias = frozenset[tuple[str, tuple[Way, ...]]]
"""The parameters that a step has moved, each with the ways of its gradients since the last `zero_grad`."""


@dataclass(frozen=True, slots=True)
class Training:
    """The training of one run: its steps, and the values that it returned or stored."""

    steps: tuple[Step, ...] = ()
    """The optimizer steps, whose order has no meaning. The last one stands for the gradients that no step has read."""
    handed_out: frozenset[Chain] = frozenset()
    """The values that the run returned or stored."""
    changed: frozenset[Chain] = frozenset()
    """The arguments that the run has written."""
    ways: tuple[Ways, ...] = ()
    """The ways of each step."""
    fresh_steps: int = 0
    """Number of steps of parameters with which a loss was computed since their last step."""
    outdated: frozenset[str] = frozenset()
    """The leaves that a step has moved, or that no step ever moves, and whose gradient after a step comes from a graph
    that was walked before that step."""
    cut: frozenset[str] = frozenset()
    """The leaves behind values that an update of another leaf takes over."""
    walks: int = 0
    """Number of backwards that come to a leaf."""

    @property
    def gradient_counts(self) -> Counter[tuple[str, Chain]]:
        """Every gradient that some step finds, with the number of steps that find it."""
        found = (gradient for step in self.steps for gradient in step)
        return Counter((gradient.parameter, loss) for gradient in found for loss in gradient.losses)

    @property
    def has_shapes(self) -> bool:
        """Whether the graph of each of its values is known."""
        return all(chain.shape for chain in (*self.handed_out, *(loss for _, loss in self.gradient_counts)))

    def without_shapes(self) -> Training:
        """Return the training without the shapes, as for values whose parts were written."""
        steps = (
            frozenset(gradient._replace(losses=_without_shapes(gradient.losses)) for gradient in step)
            for step in self.steps
        )
        return replace(self, steps=tuple(steps), handed_out=frozenset(_without_shapes(self.handed_out)))

    def without_elements(self) -> Training:
        """Return the training with a single name for all elements of a list of unknown length."""
        steps = tuple(frozenset(_merge_elements(step)) for step in self.steps)
        return replace(self, steps=steps, handed_out=frozenset(map(_name_elements_once, self.handed_out)))

    @property
    def steps_are_known(self) -> bool:
        """Whether there are two steps or more, and the ops behind the gradients that they see are all known."""
        known = [ways for ways in self.ways[:-1] if ways]
        return len(known) > 1 and not any(UNKNOWN_WAY in found for ways in known for _, found in ways)

    def find_trained_leaves(self) -> frozenset[str]:
        """Return the leaves that a gradient reaches, in this run or in a backward of the caller from what it gets."""
        asked = {leaf for chain in self.handed_out for leaf in chain.leaves}
        return frozenset({parameter for parameter, _ in self.gradient_counts} | asked)

    def has_value_through(self, chain: Chain) -> bool:
        """Return whether a loss, or a value that leaves the run, went through the ops of `chain`."""
        losses = {loss for _, loss in self.gradient_counts}
        return any(_count_ops(chain) <= _count_ops(other) for other in (*self.handed_out, *self.changed, *losses))


def _merge_elements(step: Step) -> Iterator[Gradient]:
    """Yield the gradients; merge those of the elements of one list into one, with each of its losses once."""
    elements: dict[str, set[Chain]] = {}
    for gradient in step:
        losses = map(_name_elements_once, gradient.losses)
        name = _name_without_number(gradient.parameter)
        if name == gradient.parameter:
            yield Gradient(name, order_chains(losses))
        else:
            elements.setdefault(name, set()).update(losses)
    yield from (Gradient(name, order_chains(losses)) for name, losses in elements.items())


def _name_elements_once(chain: Chain) -> Chain:
    return chain._replace(leaves=frozenset(map(_name_without_number, chain.leaves)))


def _name_without_number(leaf: str) -> str:
    """Return the name of a leaf without the number that tells elements of one list apart."""
    return leaf.rpartition(" ")[0] if ELEMENT in leaf else leaf


def _without_shapes(chains: Iterable[Chain]) -> tuple[Chain, ...]:
    return order_chains(chain._replace(shape=0) for chain in chains)


def _count_ops(chain: Chain) -> Counter[str]:
    return Counter(dict(chain.ops))


def order_chains(chains: Iterable[Chain]) -> tuple[Chain, ...]:
    """Return the chains in an order that is the same for equal chains."""
    return tuple(sorted(chains, key=lambda chain: (chain.ops, sorted(chain.leaves), chain.assembled, chain.shape)))
