"""The gradients that the walks of a run end in, so that those of two runs can be compared.

The recorded run hands every node the values it saved; its gradients are what they would be without the writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch

from inplace_lsp.messages.answers import Gradient
from inplace_lsp.worker.graph import Roots, nodes_of, reachable_nodes
from inplace_lsp.worker.log import modes_off
from inplace_lsp.worker.origin import is_of_torch
from inplace_lsp.worker.places import find_variable
from inplace_lsp.worker.safe_text import describe_error

_WALKS = 16
_LEAVES = 64
_NUMBERS = 256
"""So much is kept of a long training; of a large gradient so many numbers, evenly spread."""


@dataclass
class Gradients:
    """Stands between torch and its engine. `walked`: a walk was started, by whomever; `caught`: what walks raised.

    `found` has an entry a walk: for every leaf its name as `namespaces` know it, and numbers of its gradient.
    """

    namespaces: list[Mapping[str, object]] = field(default_factory=list)
    found: list[tuple[Gradient, ...]] = field(default_factory=list)
    walked: bool = False
    caught: list[str] = field(default_factory=list)

    @contextmanager
    def watch_walks(self) -> Iterator[None]:
        """Stand between torch and its engine, to see every backward."""
        self._engine = torch.autograd.Variable._execution_engine
        torch.autograd.Variable._execution_engine = self
        try:
            yield
        finally:
            torch.autograd.Variable._execution_engine = self._engine

    def forget_walks(self) -> None:
        """Drop the backwards so far: they were part of the preparation."""
        self.walked = False
        self.found, self.caught = [], []

    def __getattr__(self, name: str) -> object:
        return getattr(self._engine, name)

    def run_backward(self, roots: Roots, *rest: object, **options: object) -> object:
        """Run a backward and note the gradients that it leaves."""
        if torch._C._functorch.peek_interpreter_stack() is not None:  # torch.func: tensors without numbers of their own
            return self._engine.run_backward(roots, *rest, **options)
        self.walked = True
        wanted = len(self.found) < _WALKS
        leaves = self._find_leaves(roots) if wanted else []
        try:
            result = self._engine.run_backward(roots, *rest, **options)
        except RuntimeError as error:
            if is_of_torch(error):
                self.caught.append(describe_error(error))
            raise
        if wanted:
            with modes_off():
                asked = [gradient for gradient in result if isinstance(gradient, torch.Tensor)] if result else []
                pairs = [("", gradient) for gradient in asked] or [
                    (self._name_leaf(leaf), leaf.grad) for leaf in leaves
                ]
                known = [(name, grad) for name, grad in pairs[:_LEAVES] if grad is not None]
                self.found.append(tuple(_sample_gradient(name, grad) for name, grad in known))
        return result

    def _find_leaves(self, roots: Roots) -> list[torch.Tensor]:
        with modes_off():
            nodes = reachable_nodes(nodes_of(roots))
            return [node.variable for node in nodes if hasattr(node, "variable")]

    def _name_leaf(self, leaf: torch.Tensor) -> str:
        return next((name for names in self.namespaces if (name := find_variable(leaf, names))), "")


def _sample_gradient(name: str, gradient: torch.Tensor) -> Gradient:
    flat = gradient.detach().to_dense() if gradient.is_sparse else gradient.detach()
    flat = torch.view_as_real(flat).flatten() if flat.is_complex() else flat.flatten()
    step = max(1, flat.numel() // _NUMBERS)
    return Gradient(name, tuple(gradient.shape), tuple(flat[::step][:_NUMBERS].double().tolist()))
