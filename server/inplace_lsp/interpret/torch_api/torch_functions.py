"""Functions of torch that are no ops and about no graph: einsum, calls with other parameters, questions."""

from __future__ import annotations

from inplace_lsp.interpret.autograd import ops, shapes
from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Items, Known, Mapping, Number, Tensor, Unknown, Value, is_none
from inplace_lsp.interpret.torch_api import module_state, table_ops
from inplace_lsp.torch_ops.table import find


@intrinsic("torch.einsum(*args)")
def _einsum(machine: Machine, args: Items, text: str) -> Value:
    """Of two operands it is a `bmm` of views of them: each is kept for the other's gradient."""
    operands = ops.tensors_in(machine.recorder, Items("tuple", args.items[1:]))
    chosen = ops.choose(find("torch.bmm"), operands, {}) if len(operands) == 2 else None
    if chosen is None:
        return table_ops.torch_call(machine, "torch.einsum", args.items, {}, text)
    equation = args.items[0].value if isinstance(args.items[0], Known) else None
    result = ops.apply(machine.recorder, *chosen, op="einsum")
    if not isinstance(result, Tensor) or not isinstance(equation, str):
        return result
    if _sums_over(equation):  # else it is a product element by element, and no view
        result = machine.recorder.view(result, "view")
    shapes.take(result, shapes.of_einsum(equation, [one.shape for one in operands]))
    return result


def _sums_over(equation: str) -> bool:
    """Whether both operands of an einsum share a letter that the result has not."""
    inputs, arrow, output = equation.partition("->")
    one, _, other = inputs.partition(",")
    letters = set(one) & set(other) - set(". ")
    return bool(letters - set(output)) if arrow else bool(letters)


_TIED = "tensors that a module holds twice are found by each of their names"


@intrinsic(
    "torch.func.functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, "
    "strict=False)",
    tie_weights=_TIED,
    strict="what raises ends the program",
)
def functional_call(
    machine: Machine, module: Value, parameter_and_buffer_dicts: Value, args: Value, kwargs: Value, text: str
) -> Value:
    """Call the module with other tensors in place of its own."""
    tensors = parameter_and_buffer_dicts
    dicts = tensors.items if isinstance(tensors, Items) else [tensors]
    named = {key: value for one in dicts if isinstance(one, Mapping) for key, value in one.items.items()}
    own = {str(key): value for key, value in kwargs.items.items()} if isinstance(kwargs, Mapping) else {}
    positional = list(args.items) if isinstance(args, Items) else [] if is_none(args) else [args]
    replaced = module_state.replace(module, named)
    try:
        return machine.call(module, positional, own, text)
    finally:
        module_state.put_back(replaced)


@intrinsic("torch.device(type, index=-1)", index="tensors are not told apart by their device")
def _device(machine: Machine, type: Value) -> Value:
    """The name of a device stands for it."""
    return type if isinstance(type, Known) else Unknown("device")


@intrinsic("torch.is_tensor(obj, /)")
def _is_tensor(machine: Machine, obj: Value) -> Value:
    """Whether it is a tensor, if that is known."""
    return Known(isinstance(obj, Tensor)) if not isinstance(obj, Unknown) else Number()


@intrinsic("torch.is_grad_enabled()")
def _is_grad_enabled(machine: Machine) -> Value:
    """Whether ops are recorded."""
    return Known(machine.recorder.grad_mode)
