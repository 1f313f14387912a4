"""torch as the judge of repairs: a program is run, and what its names hold in the end is compared."""

from __future__ import annotations

import contextlib
import sys
import types
from dataclasses import dataclass
from typing import Any

import torch

from inplace_lsp.engine import analyse_source
from inplace_lsp.fixes import offer
from inplace_lsp.hazards.edits import apply_edits
from inplace_lsp.hazards.finding import Fix
from inplace_lsp.worker.transform_hooks import yielding_hooks

FILE = "/program.py"


def run(program: str) -> dict[str, Any]:
    """The names that `program` has bound when it has run through."""
    torch.manual_seed(0)
    module = types.ModuleType("program_under_test")
    sys.modules[module.__name__] = module  # dataclasses look there
    exec(compile(program, FILE, "exec"), module.__dict__)
    return module.__dict__


def run_as_meant(program: str) -> dict[str, Any]:
    """As `run`, but every op saves a copy, so that no later write can reach it: what the author had in mind."""
    with yielding_hooks(lambda saved: saved.detach().clone(), lambda copy: copy, note_step_aside=lambda: None):
        return run(program)


def tensors(names: dict[str, Any]) -> dict[str, torch.Tensor]:
    """Every tensor among them with its gradient, those of modules included."""
    found: dict[str, torch.Tensor] = {}
    for name, value in names.items():
        if isinstance(value, torch.nn.Module):
            found |= {f"{name}.{inner}": parameter for inner, parameter in value.named_parameters()}
        elif isinstance(value, torch.Tensor):
            found[name] = value
    values: dict[str, torch.Tensor] = {}
    for name, tensor in found.items():
        with contextlib.suppress(RuntimeError):  # torch refuses to touch a view of several whose base was written
            values[name] = tensor.detach().clone()
            if tensor.is_leaf and tensor.grad is not None:
                values[f"{name}.grad"] = tensor.grad.detach().clone()
    return values


def best_fix(program: str, row: int) -> Fix | None:
    """The first repair that is offered for the finding on that row."""
    analysis = analyse_source(program, FILE)
    (finding,) = [finding for finding in analysis.findings if finding.span.row == row]
    return offer.best_fix(program, finding, analysis)


@dataclass(frozen=True)
class Repaired:
    """A program with the best repair of every finding that has one, made one after the other.

    `made`: these repairs; `codes`: what was found before; `whole`: whether something was repaired and nothing is left.
    """

    text: str
    made: tuple[Fix, ...]
    codes: frozenset[str]
    whole: bool


def repaired(program: str) -> Repaired:
    """Make the repairs of `program`, the best one of a finding."""
    made: list[Fix] = []
    analysis = analyse_source(program, FILE)
    codes = frozenset(finding.code for finding in analysis.findings)
    while len(made) < 20:
        offers = (offer.best_fix(program, finding, analysis) for finding in analysis.findings)
        fix = next((fix for fix in offers if fix is not None), None)
        if fix is None:
            break
        made.append(fix)
        program = apply_edits(program, fix.edits)
        analysis = analyse_source(program, FILE)
    return Repaired(program, tuple(made), codes, bool(made) and not analysis.findings)
