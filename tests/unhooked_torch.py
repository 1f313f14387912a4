"""An independent judge for the recorder's tests: torch without any hooks, each backward on its own.

A backward that raises is noted and passed over, so that one run tells of every backward of a program.
"""

from __future__ import annotations

import contextlib
import io
import sys
import types
from typing import Any

import torch

REFUSALS = (
    "modified by an inplace operation",
    "its base or another view of its base has been modified",
    "backward through the graph a second time",
    "detached in-place",
)
"""How torch words the refusal of a backward (torch 2.13)."""


def outcomes(source: str, filename: str) -> tuple[list[bool], str | None]:
    """For each backward in order, whether torch raises; and the exception that ended the program, if one did."""
    heard: list[bool] = []
    owner, name = _find_engine()
    engine = getattr(owner, name)
    start = getattr(engine, "run_backward", engine)

    def run(roots: Any, grads: Any, retain: Any, create: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        at = len(heard)
        heard.append(False)
        try:
            return start(roots, grads, retain, create, inputs, *rest, **options)
        except RuntimeError as error:
            if not any(words in str(error) for words in REFUSALS):
                raise
            heard[at] = True
            return tuple(torch.zeros_like(tensor) for tensor in inputs)

    setattr(owner, name, _Engine(run) if name == "_execution_engine" else run)
    before = sys.modules["__main__"]
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    torch.default_generator.manual_seed(0)  # those of other kinds of device take longer than many a run
    grad = torch.is_grad_enabled()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(source, filename, "exec", dont_inherit=True), main.__dict__)
    except Exception as error:
        return heard, f"{type(error).__name__}: {error}"
    finally:
        setattr(owner, name, engine)
        sys.modules["__main__"] = before
        torch.set_grad_enabled(grad)
    return heard, None


class _Engine:
    """torch's engine with another way to start a backward."""

    def __init__(self, run_backward: Any) -> None:
        self.run_backward = run_backward


def _find_engine() -> tuple[Any, str]:
    """Return where torch looks up what starts a backward: a function since 2.3, a method of the engine before."""
    name = "_engine_run_backward"
    return (torch.autograd, name) if hasattr(torch.autograd, name) else (torch.autograd.Variable, "_execution_engine")
