"""What the repairs of a program do, found out by running: every offer is made, and torch runs what comes of it.

Beside it run the program as it was meant, and the author's repair where the suite has one (`NAME_repaired.py` beside
`NAME.py`), from the same seed: the values that the parameters end with are compared, and how often each of them gets a
gradient.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from itertools import islice
from pathlib import Path
from typing import Any

import numpy
import torch
from torch.optim.optimizer import register_optimizer_step_post_hook

from fixes.runs import FILE, repaired, run, run_as_meant
from inplace_lsp.engine import analyse_source
from inplace_lsp.fixes.offer import fixes_for
from inplace_lsp.fixes.program.codes import is_refused_write
from inplace_lsp.hazards.edits import apply_edits
from inplace_lsp.hazards.finding import Finding, Fix

TWIN = "_repaired"
TOLERANCE = 1e-6
WALKS = {walk.__name__: inspect.signature(walk) for walk in (torch.autograd.backward, torch.autograd.grad)}
AT_MOST = 5
"""So many offers are judged in a program with more findings than that: every run repairs all the others, too."""
OWN_HOOKS = ("saved_tensors_hooks", "save_on_cpu")
"""What keeps saved tensors in a way of its own, not as the copies that are meant: such a program is compared with its
author's repair alone."""
DEPTH = 4
"""So deep the parameters of objects in objects are looked for."""


@dataclass(frozen=True)
class End:
    """What a program leaves behind: the values of its leaves that require grad, also the gradients of those that no
    optimizer has stepped; and how many backwards reach each."""

    values: dict[str, torch.Tensor]
    gradients: Counter[str]


@dataclass(frozen=True)
class Outcome:
    """What a repair does. `title`: what it says of itself; `text`: the program after it and the best repairs of what
    is then left, `rest_is_safe` if all of those are. `error`: what ends that program; `left`: the codes still found
    in it.

    `same_as`: which runs end with the same parameters, of those in `beside`. `untrained`: the leaves that get gradients
    in all of those, and none after the repair; `fewer`: those that get fewer.
    """

    row: int
    code: str
    severity: str
    safe: bool
    rest_is_safe: bool
    title: str
    text: str
    error: str
    left: tuple[str, ...]
    beside: tuple[str, ...]
    same_as: tuple[str, ...]
    untrained: tuple[str, ...]
    fewer: tuple[str, ...]

    @property
    def cured(self) -> bool:
        """Whether the program runs to its end and nothing is found in it."""
        return not self.error and not self.left

    @property
    def verdict(self) -> str:
        """What became of the program, in a word."""
        if self.left:
            return "left"
        if self.error:
            return "crash"
        if self.untrained:
            return "untrained"
        return ("same" if self.same_as else "differs") if self.beside else "cured"


def judge_repairs(path: Path) -> list[Outcome]:
    """Return the outcome of every repair that is offered in a program, of the first ones in a long one."""
    text = path.read_text(encoding="utf-8")
    analysis = analyse_source(text, FILE)
    found = ((finding, fix) for finding in analysis.findings for fix in fixes_for(text, finding, analysis))
    offers = list(islice(found, AT_MOST if len(analysis.findings) > AT_MOST else None))
    refused = any(map(is_refused_write, analysis.findings))
    ends = dict(_find_ends(path, text, refused=refused)) if offers else {}
    return [_judge(text, finding, fix, ends) for finding, fix in offers]


def _judge(text: str, finding: Finding, fix: Fix, ends: dict[str, End]) -> Outcome:
    done = repaired(apply_edits(text, fix.edits))
    error, end = _try_to_run(done.text)
    return Outcome(
        finding.span.row,
        finding.code,
        finding.severity,
        fix.applicability == "safe",
        all(other.applicability == "safe" for other in done.made),
        fix.message,
        done.text,
        error,
        tuple(found.code for found in analyse_source(done.text, FILE).findings),
        tuple(ends),
        tuple(name for name, other in ends.items() if end is not None and _is_same(other, end)),
        _in_all(ends, lambda leaf, _: end is not None and not end.gradients[leaf]),
        _in_all(ends, lambda leaf, count: end is not None and end.gradients[leaf] < count),
    )


def _try_to_run(text: str) -> tuple[str, End | None]:
    """Return the error that ends a program, or its end."""
    try:
        return "", _run_to_end(text, run)
    except Exception as raised:
        first, *_ = [*str(raised).splitlines(), ""]
        return f"{type(raised).__name__}: {first}", None


def _in_all(ends: dict[str, End], holds: Callable[[str, int], bool]) -> tuple[str, ...]:
    """Return the leaves of which something holds for their number of gradients in every end."""
    found = [{leaf for leaf, count in end.gradients.items() if holds(leaf, count)} for end in ends.values()]
    return tuple(sorted(set.intersection(*found))) if found else ()


def _find_ends(path: Path, text: str, *, refused: bool) -> Iterator[tuple[str, End]]:
    """Yield the ends that the author had in mind, by their names. A program that torch refuses a write of, and that
    catches the error, has none of its own."""
    if not refused and not any(hooks in text for hooks in OWN_HOOKS):
        with contextlib.suppress(Exception):
            yield "meant", _run_to_end(text, _run_with_kept_graphs)
    twin = path.with_stem(path.stem + TWIN)
    if twin.exists():
        yield "author's", _run_to_end(twin.read_text(encoding="utf-8"), run)


def _run_with_kept_graphs(program: str) -> dict[str, Any]:
    """Run a program whose ops save copies, and whose graphs are kept for another backward."""
    with _rewrapped_backward(_keep_graph):
        return run_as_meant(program)


def _keep_graph(walk: Any, given: tuple[Any, ...], options: dict[str, Any]) -> Any:
    bound = WALKS[walk.__name__].bind(*given, **options)
    bound.arguments["retain_graph"] = True
    return walk(*bound.args, **bound.kwargs)


def _run_to_end(program: str, run_it: Callable[[str], dict[str, Any]]) -> End:
    random.seed(0)
    numpy.random.seed(0)
    reached: Counter[int] = Counter()
    stepped: set[int] = set()
    kept: list[torch.Tensor] = []  # no id is given to another tensor

    def note_stepped(optimizer: torch.optim.Optimizer, *_: Any) -> None:
        stepped.update(id(leaf) for group in optimizer.param_groups for leaf in group["params"])

    def count(call: Any, given: tuple[Any, ...], options: dict[str, Any]) -> Any:
        for leaf in _leaves_behind(given[0] if given else options.get("tensors", options.get("outputs"))):
            reached[id(leaf)] += 1
            kept.append(leaf)
        return call(*given, **options)

    hook = register_optimizer_step_post_hook(note_stepped)
    with contextlib.redirect_stdout(io.StringIO()), _rewrapped_backward(count):
        try:
            names = run_it(program)
        finally:
            hook.remove()
    leaves = dict(_find_leaves(names))
    values = {name: leaf.detach().clone() for name, leaf in leaves.items()}
    values |= {
        f"{name}.grad": leaf.grad.detach().clone()
        for name, leaf in leaves.items()
        if leaf.grad is not None and id(leaf) not in stepped
    }
    return End(values, Counter({name: reached[id(leaf)] for name, leaf in leaves.items() if reached[id(leaf)]}))


@contextlib.contextmanager
def _rewrapped_backward(wrap: Any) -> Iterator[None]:
    """Let `wrap(function, arguments, options)` call what walks graphs."""
    backward, grad = torch.autograd.backward, torch.autograd.grad
    torch.autograd.backward = wraps(backward)(lambda *given, **options: wrap(backward, given, options))
    torch.autograd.grad = wraps(grad)(lambda *given, **options: wrap(grad, given, options))
    try:
        yield
    finally:
        torch.autograd.backward, torch.autograd.grad = backward, grad


def _leaves_behind(roots: Any) -> list[torch.Tensor]:
    """Return the leaves that a backward from these tensors reaches."""
    roots = [roots] if isinstance(roots, torch.Tensor) else list(roots)
    found = [root for root in roots if root.is_leaf and root.requires_grad]
    waiting = [root.grad_fn for root in roots if root.grad_fn is not None]
    seen = set(waiting)
    while waiting:
        node = waiting.pop()
        if hasattr(node, "variable"):
            found.append(node.variable)
        new = {source for source, _ in node.next_functions if source is not None} - seen
        seen |= new
        waiting += new
    return found


def _find_leaves(names: dict[str, Any]) -> Iterator[tuple[str, torch.Tensor]]:
    for name, value in names.items():
        yield from _leaves_of(name, value, DEPTH)


def _leaves_of(name: str, value: Any, depth: int) -> Iterator[tuple[str, torch.Tensor]]:
    if isinstance(value, torch.Tensor):
        if not value._is_view() and value.is_leaf and value.requires_grad and value.is_floating_point():
            yield name, value
    elif isinstance(value, torch.nn.Module):
        yield from ((f"{name}.{inner}", leaf) for inner, leaf in value.named_parameters() if leaf.requires_grad)
    elif depth:
        for key, inner in _parts_of(value):
            yield from _leaves_of(f"{name}.{key}", inner, depth - 1)


def _parts_of(value: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, (list, tuple)):
        return list(enumerate(value))
    own = type(value).__module__ == "program_under_test"
    return list(vars(value).items()) if own and hasattr(value, "__dict__") else ()


def _is_same(one: End, other: End) -> bool:
    """Return whether the parameters that both know end with the same values."""
    shared = one.values.keys() & other.values.keys()
    return all(
        one.values[name].shape == other.values[name].shape
        and torch.allclose(one.values[name], other.values[name], atol=TOLERANCE, equal_nan=True)
        for name in shared
    )
