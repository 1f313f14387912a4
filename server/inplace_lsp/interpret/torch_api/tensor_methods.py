"""Methods of tensors that are not ops of the table."""

from __future__ import annotations

from math import prod
from typing import TypeGuard

from inplace_lsp.interpret.autograd import ops
from inplace_lsp.interpret.autograd.recorder import GRADIENT_HOOKS, HOOKS
from inplace_lsp.interpret.machine.intrinsics import INTRINSICS, intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.signatures import put_first
from inplace_lsp.interpret.state.values import (
    NONE,
    Items,
    Known,
    Native,
    Node,
    Number,
    Tensor,
    Value,
    is_given,
    is_none,
    is_true,
)
from inplace_lsp.interpret.torch_api import array_methods, indexing, tensor_attributes
from inplace_lsp.interpret.torch_api.gradients import keeps_graph
from inplace_lsp.interpret.torch_api.handles import make_handle, make_removal_handle
from inplace_lsp.interpret.torch_api.new_arrays import is_real_array, take_for_array_or_raise
from inplace_lsp.interpret.torch_api.table_ops import Arguments, Keywords, call_table_op
from inplace_lsp.tape.autograd import DATA, DETACH
from inplace_lsp.tape.model import ALWAYS, NEVER, View, ViewKind
from inplace_lsp.torch_ops.table import find_overloads


def call_tensor_method(
    machine: Machine, value: Value, name: str, arguments: Arguments, keywords: Keywords, text: str = ""
) -> Value:
    """Call `value.name(*arguments)` on a tensor."""
    tensor = ops.tensor_of(machine.recorder, value)
    if tensor is None:
        return machine.make_unknown(text or name)
    if tensor.array:
        return array_methods.call_array_method(machine, tensor, name, arguments, keywords, text)
    full = f"torch.Tensor.{_MAGIC.get(name, name)}"
    declared = INTRINSICS.get(full)
    if declared is not None:
        return declared.bind_and_run(machine, put_first(tensor, arguments), keywords, text)
    return call_table_op(machine, full, put_first(tensor, arguments), keywords, text)


def refuse_arrays(machine: Machine, tensor: Tensor, name: str, arguments: Arguments, keywords: Keywords) -> None:
    """Draw the conclusion from a call `tensor.name(array)`: an assumed tensor is an array itself, and torch raises a
    TypeError for any other one."""
    if tensor.array or name.startswith("__") or name in _COPYING_ARRAYS:
        return
    if any(map(is_real_array, (*arguments, *keywords.values()))) and f"torch.Tensor.{name}" not in INTRINSICS:
        take_for_array_or_raise(machine, tensor)


_COPYING_ARRAYS = frozenset(("new", "new_tensor"))
"""The methods of tensors that take an array."""


@intrinsic(
    "torch.Tensor.backward(tensor, /, gradient=None, retain_graph=None, create_graph=False, inputs=None)",
)
def _run_backward(
    machine: Machine, tensor: Tensor, gradient: Value, retain_graph: Value, create_graph: Value, inputs: Value
) -> Value:
    """Run backward from the tensor; `engine.backward(loss)` of an assumed tensor runs it from the loss."""
    machine.gradient_evidence = True
    if tensor.assumed and isinstance(gradient, Tensor) and gradient.node is not None:
        tensor = gradient
    if _is_row_of_unseen_code(tensor.node):
        tensor.node.part = True  # a list of losses, rather than the rows of one tensor, each with a graph of its own
    targets = None if is_none(inputs) else ops.tensors_in(machine.recorder, inputs) or None
    create = machine.decide_truth(create_graph)
    retain = keeps_graph(retain_graph, create=create)
    machine.recorder.run_backward([tensor], retain=retain, inputs=targets, create=create)
    return NONE


def _is_row_of_unseen_code(node: Node | None) -> TypeGuard[Node]:
    """Return whether a node is that of an element in a loop over what unseen code has returned, or over a part of it
    that was picked by a number."""
    if node is None or node.op != "unbind":
        return False
    above = node.edges[0]
    while isinstance(above, Node) and above.op == "select":
        above = above.edges[0]
    return isinstance(above, Node) and above.op == "unknown"


@intrinsic("torch.Tensor.detach(tensor, /)")
def _detach_tensor(machine: Machine, tensor: Tensor) -> Value:
    """Return a tensor on the same memory without a graph."""
    return machine.recorder.new_alias(tensor, "detach", shares_counter=True)


@intrinsic("torch.Tensor.detach_(tensor, /)")
def _detach_in_place(machine: Machine, tensor: Tensor) -> Value:
    """Take the tensor out of its graph. Under inference mode torch does nothing."""
    if machine.recorder.inference_mode:
        return tensor
    refused = machine.recorder.check_write(tensor, DETACH, NEVER) if _is_surely_view(machine, tensor) else None
    tensor.base, tensor.view = None, ViewKind.NONE  # as `detach` makes it, also after a refusal
    if refused is None:
        machine.recorder.write_tensor(tensor, DETACH, bumps=False)
    tensor.node, tensor.requires_grad, tensor.leaf = None, NEVER, True
    return tensor


def _is_surely_view(machine: Machine, tensor: Tensor) -> bool:
    """Return whether the op that made a tensor returns a view of any input: `reshape` and `flatten` may copy, or return
    the input itself."""
    made = next(
        (
            event
            for event in reversed(machine.recorder.events)
            if isinstance(event, View) and event.tensor.id == tensor.id
        ),
        None,
    )
    if made is None:
        return False
    overloads = (*find_overloads(f"torch.Tensor.{made.op}"), *find_overloads(f"torch.{made.op}"))
    return all(alias.kind in ("view", "multi") for overload in overloads for alias in overload.aliases)


@intrinsic("torch.detach_(input, /)")
def _detach_given(machine: Machine, input: Value) -> Value:
    """Take a tensor out of its graph."""
    tensor = ops.tensor_of(machine.recorder, input)
    return input if tensor is None else _detach_in_place(machine, tensor)


@intrinsic("torch.Tensor.requires_grad_(tensor, /, requires_grad=True)")
def _requires_grad(machine: Machine, tensor: Tensor, requires_grad: Value) -> Value:
    """Make a leaf require grad, or no longer."""
    tensor_attributes.set_requires_grad(machine, tensor, requires_grad)
    machine.gradient_evidence = True
    return tensor


_ASKED = "the answer is a number that is not known either way"


@intrinsic(
    *(
        f"torch.Tensor.{name}(tensor, /)"
        for name in ("item", "element_size", "data_ptr", "get_device", "storage_offset",
                     "__len__", "__bool__", "__float__", "__int__")
    ),
    "torch.Tensor.stride(tensor, /, dim=None)",
    "torch.Tensor.is_contiguous(tensor, /, memory_format=None)",
    "torch.Tensor.equal(tensor, /, other)",
    "torch.Tensor.is_same_size(tensor, /, other)",
    "torch.Tensor.allclose(tensor, /, other, rtol=1e-05, atol=1e-08, equal_nan=False)",
    tensor=_ASKED, dim=_ASKED, memory_format=_ASKED, other=_ASKED, rtol=_ASKED, atol=_ASKED, equal_nan=_ASKED,
)  # fmt: skip
def _read_number(machine: Machine) -> Value:
    """Return a number computed from the tensor: no gradient flows through it."""
    return Number()


@intrinsic("torch.Tensor.is_floating_point(input, /)", "torch.is_floating_point(input)")
def _is_floating_point(machine: Machine, input: Value) -> Value:
    """Return whether the tensor holds real numbers."""
    return machine.find_answer(("is_floating_point", id(input)), input)


@intrinsic("torch.Tensor.is_complex(input, /)", "torch.is_complex(input)")
def _is_complex(machine: Machine, input: Value) -> Value:
    """Return whether the tensor holds complex numbers."""
    return machine.find_answer(("is_complex", id(input)), input)


@intrinsic("torch.Tensor.tolist(tensor, /)")
def _list_numbers(machine: Machine, tensor: Tensor) -> Value:
    """Return the numbers of the tensor in lists, one for each dimension: an element is a list if there are several."""
    if tensor.shape == ():
        return Number()
    rank = len(tensor.shape) if tensor.shape is not None else 1
    return _list_of_rank(rank)


def _list_of_rank(rank: int) -> Value:
    return Items("list", [], open=True, more=lambda: _list_of_rank(rank - 1)) if rank else Number()


@intrinsic("torch.Tensor.dim(tensor, /)", "torch.Tensor.ndimension(tensor, /)")
def _count_dimensions(machine: Machine, tensor: Tensor) -> Value:
    """Return the number of dimensions."""
    return tensor_attributes.count_dimensions(machine, tensor)


@intrinsic("torch.Tensor.numel(tensor, /)", "torch.Tensor.nelement(tensor, /)")
def _count_elements(machine: Machine, tensor: Tensor) -> Value:
    """Return the number of elements."""
    if tensor.layout is not None:
        return Known(prod(tensor.layout.shape))
    return machine.find_count("elements", tensor)


@intrinsic("torch.Tensor.size(tensor, /, dim=None)")
def _read_size(machine: Machine, tensor: Tensor, dim: Value) -> Value:
    """Return the extents of all dimensions, or of one."""
    shape = tensor_attributes.read_shape(machine, tensor)
    return shape if is_none(dim) else indexing.get_element(machine, shape, dim)


@intrinsic("torch.Tensor.retain_grad(tensor, /)")
def _retain_grad(machine: Machine, tensor: Tensor) -> Value:
    """Keep the gradient of a tensor that is no leaf."""
    if tensor.node is not None:
        machine.recorder.retaining.append(tensor)
    return NONE


@intrinsic("torch.Tensor.register_hook(tensor, /, hook)")
def _register_hook(machine: Machine, tensor: Tensor, hook: Value) -> Value:
    """Call the hook with the gradient when a backward pass reaches the tensor."""

    def call_hook(gradient: Tensor) -> Value:
        with machine.recorder.set_grad_mode(False):
            return machine.call(hook, [gradient], {}, "hook")

    def call_leaf_hook(given: list[Value], named: dict[str, Value]) -> Value:
        with machine.recorder.set_grad_mode(False):
            return machine.call(hook, given, {}, "hook")

    node = tensor.node
    if node is None:
        return _keep_hook(tensor, HOOKS, Native(call_leaf_hook))
    node.hooks = (*node.hooks, call_hook)

    def remove_hook() -> None:
        node.hooks = tuple(kept for kept in node.hooks if kept is not call_hook)

    return make_handle(remove_hook)


def _keep_hook(tensor: Tensor, kind: str, hook: Native) -> Value:
    """Keep the hook on a leaf until the returned handle removes it."""
    held = tensor.attributes.setdefault(kind, Items("list", []))
    kept = held.items if isinstance(held, Items) else []
    kept.append(hook)
    return make_removal_handle(kept, hook)


@intrinsic("torch.Tensor.register_post_accumulate_grad_hook(tensor, /, hook)")
def _register_gradient_hook(machine: Machine, tensor: Tensor, hook: Value) -> Value:
    """Call the hook as soon as the gradient is accumulated: an optimizer may step there."""

    def call_hook(given: list[Value], named: dict[str, Value]) -> Value:
        with machine.recorder.set_grad_mode(False):
            return machine.call(hook, given, named, "hook")

    return _keep_hook(tensor, GRADIENT_HOOKS, Native(call_hook))


@intrinsic("torch.Tensor.__setitem__(tensor, key, value, /)")
def _set_item(machine: Machine, tensor: Tensor, key: Value, value: Value) -> Value:
    """Write elements."""
    indexing.put_element(machine, tensor, key, value)
    return NONE


@intrinsic("torch.Tensor.__getitem__(tensor, key, /)")
def _get_item(machine: Machine, tensor: Tensor, key: Value) -> Value:
    """Select elements."""
    return indexing.get_element(machine, tensor, key)


_PLACE = "which part of the memory it is: all of it is taken"


@intrinsic(
    "torch.Tensor.set_(tensor, /, source=None, storage_offset=0, size=None, stride=None)",
    storage_offset=_PLACE,
    size=_PLACE,
    stride=_PLACE,
)
def _set_memory(machine: Machine, tensor: Tensor, source: Value) -> Value:
    """Replace the tensor's memory, also for the graphs that saved it; only its own version counter tells."""
    recorder = machine.recorder
    if tensor.alias == DATA:  # only this alias gets other memory
        return _take_memory(machine, tensor, source)
    needs = recorder.needs_grad([tensor])
    refused = recorder.check_write(tensor, "set_", needs)
    if refused is not None:
        recorder.renew_name(tensor, refused, needs, None)
        return tensor
    recorder.write_tensor(tensor, "set_")
    return _take_memory(machine, tensor, source)


def _take_memory(machine: Machine, tensor: Tensor, source: Value) -> Tensor:
    """Let the tensor lie in the memory of `source`, or in some of its own."""
    memory = ops.tensor_of(machine.recorder, source)
    taken = memory or machine.recorder.new_tensor("set_")
    tensor.storage, tensor.layout, tensor.shape = taken.storage, taken.layout, taken.shape
    return tensor


@intrinsic(
    "torch.Tensor.resize_(tensor, /, *sizes, size=None, memory_format=None)",
    memory_format="the elements are the same in every order",
)
def _resize_tensor(machine: Machine, tensor: Tensor, sizes: Items, size: Value) -> Value:
    """Change the extents; this counts as a write only if they differ."""
    given = size if isinstance(size, Items) else next(iter(sizes.items), NONE)
    extents = given.items if isinstance(given, Items) else sizes.items
    wanted = [v.value if isinstance(v, Known) and isinstance(v.value, int) else None for v in extents]
    known = tensor.shape is not None and None not in (*tensor.shape, *wanted)
    if known and list(tensor.shape or ()) != wanted:
        return call_table_op(machine, "torch.Tensor.resize_", [tensor, Items("tuple", extents)], {})
    return tensor


_CONTENTS = "a new tensor shares nothing, whatever its extents and elements are"


@intrinsic(
    *(
        f"torch.Tensor.{name}(tensor, /, *sizes, size=None, dtype=None, device=None, requires_grad=False, layout=None, "
        "pin_memory=False)"
        for name in ("new_zeros", "new_ones", "new_empty")
    ),
    "torch.Tensor.new_full(tensor, /, size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, "
    "pin_memory=False)",
    "torch.Tensor.new_tensor(tensor, /, data, *, dtype=None, device=None, requires_grad=False, layout=None, "
    "pin_memory=False)",
    **dict.fromkeys(("tensor", "sizes", "size", "fill_value", "data", "layout", "pin_memory"), _CONTENTS),
    dtype="whether it requires grad is said beside it",
    device="tensors are judged alike on all devices",
)
def _make_alike(machine: Machine, requires_grad: Value) -> Value:
    """Return a new tensor of the same type."""
    return machine.recorder.new_tensor("new", requires_grad=ALWAYS if is_true(requires_grad) else NEVER)


@intrinsic(
    "torch.Tensor.new(tensor, /, *data, device=None)",
    **dict.fromkeys(("tensor", "data"), _CONTENTS),
    device="tensors are judged alike on all devices",
)
def _new_by_type(machine: Machine) -> Value:
    """Return a new tensor of the same type that does not require grad."""
    return machine.recorder.new_tensor("new")


@intrinsic("torch.Tensor.nonzero(input, /, *, as_tuple=False)", "torch.nonzero(input, *, out=None, as_tuple=False)")
def _find_nonzero(machine: Machine, input: Value, as_tuple: Value, out: Value = NONE) -> Value:
    """Find the elements that are not zero: their indices as one tensor, or as one for each dimension."""
    if not is_true(as_tuple):
        return call_table_op(machine, "torch.nonzero", [input], _output_keywords(out))

    return _find_by_dimension(machine, input)


@intrinsic("torch.where(condition, input=..., other=..., *, out=None)")
def _choose_by_element(machine: Machine, condition: Value, input: Value, other: Value, out: Value, text: str) -> Value:
    """Choose between two tensors by element; with the condition alone, find where it holds."""
    if not is_given(input):
        return _find_by_dimension(machine, condition)
    given = [condition, input, *([other] if is_given(other) else [])]
    return call_table_op(machine, "torch.where", given, _output_keywords(out), text)


def _output_keywords(out: Value) -> dict[str, Value]:
    """Return the keywords by which an op writes to the tensor `out`; none if it is no tensor."""
    return {"out": out} if isinstance(out, Tensor) else {}


def _find_by_dimension(machine: Machine, tensor: Value) -> Items:
    """Return the indices of the elements that are not zero, one tensor for each dimension."""

    def find_in_dimension() -> Value:
        return machine.recorder.new_tensor("nonzero", dtype="int")

    shape = tensor.shape if isinstance(tensor, Tensor) else None
    found = [find_in_dimension() for _ in shape or (0,)]
    return Items("tuple", found, open=shape is None, more=find_in_dimension)


_MAGIC = {
    "__iadd__": "add_", "__isub__": "sub_", "__imul__": "mul_", "__itruediv__": "div_", "__add__": "add",
    "__sub__": "sub", "__mul__": "mul", "__truediv__": "div", "__pow__": "pow", "__matmul__": "matmul",
    "__neg__": "neg", "__ipow__": "pow_",
}  # fmt: skip
"""Special methods that are an op under another name."""


def is_member(name: str) -> bool:
    """Return whether tensors have a member `name` that is declared here rather than in the op table."""
    return tensor_attributes.is_attribute(name) or name in _MAGIC or f"torch.Tensor.{name}" in INTRINSICS
