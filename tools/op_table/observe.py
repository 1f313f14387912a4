"""Run one call of torch and observe what it saves, writes and aliases.

A tensor is saved if bumping its version counter after the call (`torch.autograd.graph.increment_version`) makes the
backward raise. The counter is set back after each probe, so that one forward serves for all tensors.
"""

# ruff: noqa: PLC0415 (torch is imported where it is used: see the package)

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

from tools.op_table.seeds import set_seed

Facet = tuple[str, ...]
"""("save", role, needs_grad), ("alias", output, of), ("write", param), ("grad", output, needs_grad), ("returns",)..."""

BoundCall = Callable[[Mapping[str, object]], object]
"""A call as a function of its arguments by parameter."""

Evidence = dict[Facet, object]


@dataclass
class ForwardRun:
    """One forward: the tensors of each argument, the outputs, and the leaves that gradients flow to."""

    inputs: dict[str, list[torch.Tensor]] = field(default_factory=dict)
    leaves: list[torch.Tensor] = field(default_factory=list)
    outputs: list[tuple[str, torch.Tensor]] = field(default_factory=list)
    versions: dict[int, int] = field(default_factory=dict)
    returns: int = 1


class NotObservableError(Exception):
    """The call cannot be run, or not differentiated, with these arguments."""


def observe_call(call: BoundCall, given: Mapping[str, object]) -> Evidence:
    """Return all facets of one call. `given` are its arguments by parameter, `call` turns them into a result."""
    evidence: Evidence = {}
    plain = run_forward(call, given, frozenset())
    evidence["returns",] = plain.returns
    _observe_memory(plain, evidence)
    with contextlib.suppress(NotObservableError):
        scattered = run_forward(
            call, {name: _scatter_layout(value) for name, value in given.items()}, frozenset(), copy=False
        )
        _observe_layout(scattered, evidence)
    if any(value for facet, value in evidence.items() if facet[0] == "write"):
        evidence["writes_no_grad",] = _is_taking_leaves(call, given)
    able = [name for name, value in given.items() if any(map(_can_require_grad, tensors_in(value)))]
    for name in able:
        with contextlib.suppress(NotObservableError):
            _observe_gradient(run_forward(call, given, frozenset([name])), name, evidence)
    return evidence


def is_refusing_out(call: BoundCall, given: Mapping[str, object]) -> bool:
    """Return whether the call can write its result to `out=`, and only if no argument requires grad."""
    import torch

    try:
        result = run_forward(call, given, frozenset()).outputs[0][1]
        with_out = {**given, "out": torch.empty_like(result)}
        run_forward(call, with_out, frozenset())
    except (NotObservableError, IndexError):
        return False
    try:
        run_forward(call, with_out, frozenset(given))
    except NotObservableError:
        return True
    return False


def tensors_in(value: object) -> list[torch.Tensor]:
    """Return the tensors in an argument or result, however nested."""
    import torch
    from torch.utils._pytree import tree_flatten  # torch 2.1 has no `tree_leaves`

    found: list[torch.Tensor] = []
    for leaf in tree_flatten(value)[0]:
        if isinstance(leaf, torch.Tensor):
            found.append(leaf)
        elif isinstance(leaf, tuple):  # before torch 2.7 a class that inherits from a named tuple is a leaf
            found += tensors_in(tuple(leaf))
    return found


def run_forward(
    call: BoundCall, given: Mapping[str, object], requiring: frozenset[str], copy: bool = True
) -> ForwardRun:
    """Run the call on fresh copies; those of `requiring` are not leaves, since torch refuses to write leaves."""
    import torch
    from torch.utils._pytree import tree_map_only

    made = ForwardRun()

    def copy_input(tensor: torch.Tensor, wanted: bool) -> torch.Tensor:
        if not copy:
            return tensor
        clone = tensor.detach().clone()
        if not (wanted and _can_require_grad(clone)):
            return clone
        leaf = clone.requires_grad_()
        made.leaves.append(leaf)
        return leaf.clone()

    arguments = {}
    for name, value in given.items():
        wanted = name in requiring
        arguments[name] = tree_map_only(torch.Tensor, lambda t, wanted=wanted: copy_input(t, wanted), value)
        made.inputs[name] = tensors_in(arguments[name])
    for tensor in tensors_in(list(made.inputs.values())):
        made.versions[id(tensor)] = tensor._version
    set_seed(0)
    try:
        result = call(arguments)
    except Exception as error:
        raise NotObservableError(str(error)) from error
    _take_result(result, made)
    return made


def _take_result(result: object, made: ForwardRun) -> None:
    import torch

    outputs = tensors_in(result)
    made.returns = -1 if _is_list(result, made) else len(outputs)
    if isinstance(result, torch.Tensor) or made.returns == -1:
        made.outputs = [("result", each) for each in outputs]
    else:
        made.outputs = [(f"result{index}" if index else "result", each) for index, each in enumerate(outputs)]


def _is_taking_leaves(call: BoundCall, given: Mapping[str, object]) -> bool:
    """Return whether the call may write leaves that require grad, as under no_grad."""
    import torch
    from torch.utils._pytree import tree_map_only

    def make_leaf(tensor: torch.Tensor) -> torch.Tensor:
        return tensor.detach().clone().requires_grad_(_can_require_grad(tensor))

    leaves = {name: tree_map_only(torch.Tensor, make_leaf, value) for name, value in given.items()}
    if not any(tensor.requires_grad for tensor in tensors_in(list(leaves.values()))):
        return False
    try:
        call(leaves)
    except RuntimeError:
        return False
    return True


def _is_list(result: object, made: ForwardRun) -> bool:
    """Return whether the result is a list, or a tuple of views, whose length depends on the arguments."""
    import torch

    if isinstance(result, list):
        return True
    if not isinstance(result, tuple) or hasattr(result, "_fields") or not result:
        return False
    inputs = tensors_in(list(made.inputs.values()))
    return all(
        isinstance(each, torch.Tensor) and any(_alias_kind(each, tensor) for tensor in inputs) for each in result
    )


def _observe_memory(made: ForwardRun, evidence: Evidence) -> None:
    """Observe which arguments are written, and which outputs share memory with which argument."""
    for name, inputs in made.inputs.items():
        if inputs:
            evidence["write", name] = any(made.versions[id(each)] != each._version for each in inputs)
    _observe_layout(made, evidence, "alias")


def _observe_layout(made: ForwardRun, evidence: Evidence, facet: str = "alias scattered") -> None:
    for name, inputs in made.inputs.items():
        for role, output in made.outputs:
            for each in inputs:
                kind = _alias_kind(output, each)
                if kind or (facet, role, name) not in evidence:
                    evidence[facet, role, name] = kind


def _alias_kind(output: torch.Tensor, tensor: torch.Tensor) -> str:
    if output is tensor:
        return "same"
    try:
        shared = output.untyped_storage()._cdata == tensor.untyped_storage()._cdata
    except (RuntimeError, NotImplementedError):
        return ""
    if not shared or not output.numel():
        return ""
    if not _shares_counter(output, tensor):
        return "apart"
    return "multi" if _is_multi(output) else "view"


def _is_multi(output: torch.Tensor) -> bool:
    import torch

    return output._is_view() and "MULTI_OUTPUT" in str(torch._C._autograd._get_creation_meta(output))


def _shares_counter(first: torch.Tensor, second: torch.Tensor) -> bool:
    before = second._version
    with bump_version(first):
        return bool(second._version != before)


@contextlib.contextmanager
def bump_version(tensor: torch.Tensor) -> Iterator[None]:
    """Bump the version counter of `tensor` within this block."""
    import torch

    before = tensor._version
    torch.autograd.graph.increment_version(tensor)
    try:
        yield
    finally:
        _set_version(tensor, before)


def _set_version(tensor: torch.Tensor, value: int) -> None:
    import torch

    try:
        torch._C._autograd._unsafe_set_version_counter((tensor,), (value,))
    except TypeError:  # before torch 2.7 it takes one tensor
        torch._C._autograd._unsafe_set_version_counter(tensor, value)


def _observe_gradient(made: ForwardRun, name: str, evidence: Evidence) -> None:
    """Observe the outputs that require grad and the saves when only `name` requires grad."""
    for role, output in made.outputs:
        known = evidence.get(("grad", role, name), False)
        evidence["grad", role, name] = bool(known or output.requires_grad)
    for role, saved in _probe_saves(made):
        evidence["save", role, name] = bool(evidence.get(("save", role, name), False) or saved)
    evidence["keeps", name] = _second_backward_fails(made)


def _probe_saves(made: ForwardRun) -> Iterator[tuple[str, bool]]:
    """Yield for each role whether its tensors are saved. A tensor written and returned counts as the result."""
    if not any(output.requires_grad for _, output in made.outputs):
        return
    written = [t for inputs in made.inputs.values() for t in inputs if made.versions[id(t)] != t._version]
    if not _backward_works(made):
        if not (written and _lacks_derivative(made)):
            raise NotObservableError("no backward")
        yield from ((name, True) for name, each in made.inputs.items() if any(_is_any(t, written) for t in each))
        return
    seen: dict[str, bool] = {}
    for name, each in _inputs_to_probe(made, written):
        seen[name] = seen.get(name, False) or _is_saved(each, made)
    untouched = [t for inputs in made.inputs.values() for t in inputs if not _is_any(t, written)]
    for role, output in made.outputs:
        if not any(_alias_kind(output, each) for each in untouched):
            seen[role] = seen.get(role, False) or _is_saved(output, made)
    yield from seen.items()


def _inputs_to_probe(made: ForwardRun, written: list[torch.Tensor]) -> Iterator[tuple[str, torch.Tensor]]:
    outputs = [output for _, output in made.outputs]
    rigid = [output for output in outputs if _is_multi(output)]
    for name, inputs in made.inputs.items():
        for each in inputs:
            if any(_alias_kind(output, each) for output in rigid):
                continue  # torch refuses to use the views once their base is written: that is no save
            if not (_is_any(each, written) and _is_any(each, outputs)):
                yield name, each


def _is_any(tensor: torch.Tensor, others: list[torch.Tensor]) -> bool:
    return any(tensor is other for other in others)


def _is_saved(tensor: torch.Tensor, made: ForwardRun) -> bool:
    with bump_version(tensor):
        return not _backward_works(made)


def _backward_works(made: ForwardRun, retain: bool = True) -> bool:
    try:
        _run_backward(made, retain)
    except (RuntimeError, NotImplementedError):
        return False
    return True


def _lacks_derivative(made: ForwardRun) -> bool:
    """Return whether the backward raises because only the out-of-place op has a derivative."""
    try:
        _run_backward(made, retain=True)
    except NotImplementedError as error:
        return "inplace version of" in str(error)
    except RuntimeError:
        return False
    return False


def _run_backward(made: ForwardRun, retain: bool) -> None:
    import torch

    outputs = [output for _, output in made.outputs if output.requires_grad]
    seeds = [torch.ones_like(output) for output in outputs]
    torch.autograd.grad(outputs, made.leaves, seeds, retain_graph=retain, allow_unused=True)


def _second_backward_fails(made: ForwardRun) -> bool:
    if not any(output.requires_grad for _, output in made.outputs):
        return False
    return _backward_works(made, retain=False) and not _backward_works(made)


def _can_require_grad(tensor: torch.Tensor) -> bool:
    return bool(tensor.is_floating_point() or tensor.is_complex())


def _scatter_layout(value: object) -> object:
    """Return the same values in a layout of which no view with another shape is possible."""
    import torch
    from torch.utils._pytree import tree_map_only

    def scatter_tensor(tensor: torch.Tensor) -> torch.Tensor:
        if tensor.layout != torch.strided or not tensor.numel():
            raise NotObservableError("not strided")
        wide = torch.stack([tensor.detach(), tensor.detach()], dim=-1)
        flipped = wide.transpose(0, -2).contiguous().transpose(0, -2) if tensor.dim() > 1 else wide
        return flipped[..., 0]

    return tree_map_only(torch.Tensor, scatter_tensor, value)
