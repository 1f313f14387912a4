"""What torch does with a program, found out once for all tests that ask.

Four runs make it up: two of the recorder, one by torch without any hooks (`unhooked_torch.py`), and the gradients that
the recorder's two runs leave behind, which tell whether a backward silently read what had been changed.
"""

from __future__ import annotations

import types
from dataclasses import dataclass

import torch

import unhooked_torch
from inplace_lsp.tape.model import Tape
from inplace_lsp.worker.recorder import observe_program
from kept import PACKAGE, TESTS, kept

JUDGES = (PACKAGE / "worker", PACKAGE / "tape", TESTS / "truth.py", TESTS / "unhooked_torch.py")
"""What the answers depend on, besides the program."""
HELPERS = (TESTS / "zoo", TESTS / "torchvision_stub.py")
"""What programs import."""


@dataclass(frozen=True)
class Truth:
    """What torch does with a program.

    `wrong`: the variables whose gradients differ between a backward that finds what is there and one that gets what was
    saved; none if the program fails. `heard`: for each backward, whether torch without hooks refuses it; `ended`: the
    error that ended that run.
    """

    tape: Tape
    wrong: tuple[str, ...]
    heard: tuple[bool, ...]
    ended: str | None


def truth(program: str, filename: str = "program.py") -> Truth:
    """Return what torch does with `program`, from an earlier run if nothing has changed since."""
    return kept("torch", (*JUDGES, *HELPERS), (program, filename), lambda: _find_out(program, filename))


def _find_out(program: str, filename: str) -> Truth:
    mains: list[types.ModuleType] = []
    tape = observe_program(program, filename, ran=mains.append)
    wrong: tuple[str, ...] = ()
    if tape.error is None:
        found, right = map(gradients, mains)
        wrong = tuple(name for name, value in found.items() if name in right and not _is_close(value, right[name]))
    mains.clear()
    heard, ended = unhooked_torch.outcomes(program, filename)
    return Truth(tape, wrong, tuple(heard), ended)


def gradients(main: types.ModuleType) -> dict[str, torch.Tensor]:
    """Return the gradients of the leaves among the variables of a program that has run."""
    leaves = {name: value for name, value in vars(main).items() if _is_leaf(value)}
    return {name: value.grad for name, value in leaves.items() if value.grad is not None}


def _is_leaf(value: object) -> bool:
    return isinstance(value, torch.Tensor) and not value._is_view() and value.requires_grad and value.is_leaf


def _is_close(found: torch.Tensor, right: torch.Tensor) -> bool:
    if found.is_nested:
        return all(map(_is_close, found.unbind(), right.unbind()))
    if found.shape != right.shape or found.layout != right.layout:
        return False
    found, right = (
        tensor.clone() if tensor.layout == torch.strided else tensor.to_dense() for tensor in (found, right)
    )
    return torch.allclose(found, right, equal_nan=True)
