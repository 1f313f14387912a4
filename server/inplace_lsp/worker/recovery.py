"""Go on after a write that torch refuses: the written name gets the value, in memory of its own."""

from __future__ import annotations

import ast
import builtins
import linecache
from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import FrameType

import torch

from inplace_lsp.tape.autograd import DETACH
from inplace_lsp.worker.naming import Arguments, Named, TorchFunction

_CATCHING = frozenset({"RuntimeError", "Exception", "BaseException"})
_SUPPRESSING = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex"})
"""Context managers that swallow an error, by the last part of their names."""


def write_out_of_place(func: TorchFunction, args: Arguments, kwargs: Named, written: Sequence[torch.Tensor]) -> object:
    """Do the write that torch refuses of `written`: each gets memory of its own first. Nobody else sees the new value,
    and no version moves. Raises RuntimeError if torch does not let it be done."""
    if isinstance(out := kwargs.get("out"), torch.Tensor):
        return _hand_over(func(*args, **{name: value for name, value in kwargs.items() if name != "out"}), out)
    if getattr(func, "__name__", "") == DETACH:
        return written[0]  # it stays in its graph: nothing can take the object out of it
    owners = [args[0]] if getattr(func, "__name__", "") == "__setitem__" else written
    if any(isinstance(tensor, torch.Tensor) and tensor.is_inference() for tensor in owners):
        with torch.inference_mode():
            return func(*args, **kwargs)
    versions = [(tensor, tensor._version) for tensor in owners if isinstance(tensor, torch.Tensor)]
    with torch.no_grad():
        for tensor, _ in versions:
            tensor.data = tensor.data.clone()
        result = func(*args, **kwargs)
    for tensor, version in versions:
        torch._C._autograd._unsafe_set_version_counter((tensor,), (version,))
    return result


def _hand_over(result: object, out: torch.Tensor) -> object:
    """Give `out` the numbers of the result, as `out=` would; only the result has a history."""
    if isinstance(result, torch.Tensor):
        out.data = result.detach().clone()
    return result


def is_caught(frames: Sequence[FrameType]) -> bool:
    """Return whether one of these frames is in a `try` or `with` that catches an error of torch's."""
    return any(_is_caught_on(frame.f_code.co_filename, frame.f_lineno) for frame in frames)


@lru_cache(maxsize=1024)
def _is_caught_on(filename: str, row: int) -> bool:
    return any(first <= row <= last for first, last in _find_guarded_rows(filename))


@lru_cache(maxsize=64)
def _find_guarded_rows(filename: str) -> tuple[tuple[int, int], ...]:
    """Return the first and last rows of the code whose errors the file itself catches."""
    try:
        tree = ast.parse("".join(linecache.getlines(filename)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return tuple(_guarded_rows(tree))


def _guarded_rows(tree: ast.AST) -> Iterator[tuple[int, int]]:
    for node in ast.walk(tree):
        catches = isinstance(node, ast.Try) and any(map(_is_catching, node.handlers))
        suppresses = isinstance(node, (ast.With, ast.AsyncWith)) and any(map(_is_suppressing, node.items))
        if catches or suppresses:
            body = node.body  # type: ignore[attr-defined]  # both have one
            yield body[0].lineno, body[-1].end_lineno or body[-1].lineno


def _is_catching(handler: ast.ExceptHandler) -> bool:
    """Return whether the handler catches a RuntimeError; one whose type is not a builtin by name may."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(not isinstance(kind, ast.Name) or _may_be_caught_as(kind.id) for kind in kinds)


def _may_be_caught_as(name: str) -> bool:
    return name in _CATCHING or not hasattr(builtins, name)


def _is_suppressing(item: ast.withitem) -> bool:
    called = item.context_expr.func if isinstance(item.context_expr, ast.Call) else None
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return name in _SUPPRESSING
