"""Trains a program for three steps: what makes its state runs once, all else three times, each time from the parameters
that the time before has left behind."""

from __future__ import annotations

import ast
import contextlib
import sys
import types
from collections.abc import Iterator
from typing import Any

import torch

from inplace_lsp.worker.transform_hooks import yielding_hooks

FILE = "/program.py"
STEPS = 3
RATE = 0.1
LASTING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def train(program: str) -> dict[str, torch.Tensor]:
    """Return the parameters of `program` after three steps."""
    names = types.ModuleType("program_under_training")
    sys.modules[names.__name__] = names  # dataclasses look there
    statements = ast.parse(program).body
    for step in range(STEPS):
        torch.manual_seed(step)
        lasting = [statement for statement in statements if _run(statement, names.__dict__)]
        statements = [statement for statement in statements if statement not in lasting]
        _update(names.__dict__)
    return {name: value.detach().clone() for name, value in _parameters(names.__dict__).items()}


def train_as_meant(program: str) -> dict[str, torch.Tensor] | None:
    """As `train`, but every op saves a copy, so that no later write can reach it: what the author had in mind.

    None where that cannot be trained either: torch refuses a write, or the second step.
    """
    try:
        with yielding_hooks(lambda saved: saved.detach().clone(), lambda copy: copy, note_step_aside=lambda: None):
            return train(program)
    except Exception:
        return None


def _run(statement: ast.stmt, names: dict[str, Any]) -> bool:
    """Run a statement; return whether it makes what lasts: a definition, a module, a parameter, an optimizer."""
    exec(compile(ast.Module([statement], []), FILE, "exec", dont_inherit=True), names)
    if isinstance(statement, LASTING):
        return True
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return _lasts(names.get(name))
    return False


def _lasts(value: object) -> bool:
    if isinstance(value, torch.Tensor):
        return bool(value.is_leaf and value.requires_grad)
    if isinstance(value, (list, tuple)) and value:
        return all(map(_lasts, value))
    return isinstance(value, (torch.nn.Module, torch.optim.Optimizer))


def _update(names: dict[str, Any]) -> None:
    """Take a step of plain gradient descent where the program has no optimizer that does."""
    if any(isinstance(value, torch.optim.Optimizer) for value in names.values()):
        return
    for value in _parameters(names).values():
        if value.grad is not None:
            with torch.no_grad():
                value -= RATE * value.grad
            value.grad = None


def _parameters(names: dict[str, Any]) -> dict[str, torch.Tensor]:
    """Return the leaves that require grad, by the path that leads to each."""
    found = {path: value for name, held in names.items() for path, value in _leaves(name, held)}
    return {path: value for path, value in found.items() if value.is_floating_point()}


def _leaves(name: str, held: object) -> Iterator[tuple[str, torch.Tensor]]:
    with contextlib.suppress(RuntimeError):  # torch refuses to touch a view of several whose base was written
        if isinstance(held, torch.nn.Module):
            yield from ((f"{name}.{inner}", value) for inner, value in held.named_parameters())
        elif isinstance(held, torch.Tensor) and held.is_leaf and held.requires_grad:
            yield name, held
        elif isinstance(held, (list, tuple)):
            for at, inner in enumerate(held):
                yield from _leaves(f"{name}[{at}]", inner)
