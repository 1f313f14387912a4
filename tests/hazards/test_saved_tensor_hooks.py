"""Hooks that keep the very tensor take the check of its version away: a write is silent then, and the gradient wrong.

The recorder of `verify` has hooks of its own, so that torch is asked by the gradient here.
"""

from __future__ import annotations

import math

import pytest

from inplace_lsp.engine import analyse_source

START = """\
import torch
from torch.autograd import graph


def keep(tensor):
    return tensor


class Packing:
    def __init__(self, copies):
        self.copies = copies

    def pack(self, tensor):
        return tensor.clone() if self.copies else tensor.detach().clone()


x = torch.zeros(3, requires_grad=True)
"""
KEPT = {
    "a hook that returns it": "graph.saved_tensors_hooks(keep, lambda t: t)",
    "a lambda": "graph.saved_tensors_hooks(lambda t: t, lambda t: t)",
    "save_on_cpu": "graph.save_on_cpu()",
}
COPIED = {
    "a hook that copies": "graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t)",
    "a method that copies": "graph.saved_tensors_hooks(Packing(True).pack, lambda t: t)",
    "save_on_cpu in pinned memory": "graph.save_on_cpu(pin_memory=True)",
    "allow_mutation_on_saved_tensors": "graph.allow_mutation_on_saved_tensors()",
}


def _program(context: str) -> str:
    walk = "y.mul_(3)\ny.sum().backward()\n"
    if "allow_mutation" in context:
        walk = "    y.mul_(3)\n    y.sum().backward()\n"
    return f"{START}with {context}:\n    y = x.exp()\n{walk}"


def _find_gradient(text: str) -> float:
    names: dict[str, object] = {}
    exec(compile(text, "program.py", "exec"), names)
    return float(names["x"].grad[0])  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", KEPT)
def test_a_write_to_what_a_hook_keeps_is_silent_as_torch_shows(name: str) -> None:
    pytest.importorskip("torch")
    text = _program(KEPT[name])
    [finding] = analyse_source(text, "/program.py").findings
    assert (finding.code, finding.severity) == ("IP301", "error")
    assert not math.isclose(_find_gradient(text), 3 * math.exp(0))


@pytest.mark.parametrize("name", COPIED)
def test_a_copy_that_is_kept_stays_as_it_was_as_torch_shows(name: str) -> None:
    pytest.importorskip("torch")
    text = _program(COPIED[name])
    assert not analyse_source(text, "/program.py").findings
    assert math.isclose(_find_gradient(text), 3 * math.exp(0))


def test_tensors_that_may_lie_on_a_gpu_are_copied_by_save_on_cpu() -> None:
    kept = "    with graph.save_on_cpu():\n        y = x.exp()\n    return y.mul_(3)\n"
    text = f"{START}\n\ndef run():\n    x = torch.rand(3, requires_grad=True)\n{kept}"
    assert not analyse_source(text, "/program.py").findings


def test_a_program_may_say_itself_that_a_tensor_was_written() -> None:
    pytest.importorskip("torch")
    text = f"{START}y = x.exp()\ngraph.increment_version(y.clone())\ngraph.increment_version(y)\ny.sum().backward()\n"
    [finding] = analyse_source(text, "/program.py").findings
    assert (finding.code, finding.severity) == ("IP101", "error")
    assert text.split("\n")[finding.span.row - 1] == "graph.increment_version(y)"
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        _find_gradient(text)
