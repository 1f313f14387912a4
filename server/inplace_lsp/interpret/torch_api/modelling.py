"""The intrinsics of `inplace_lsp.modelling`, for what model files cannot say in terms of Python and torch."""

from __future__ import annotations

from itertools import takewhile

from inplace_lsp.interpret.autograd.ops import tensors_in
from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.limited_calls import call_within
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.signatures import bind_arguments
from inplace_lsp.interpret.state.values import (
    AS_IT_IS,
    DRIVER,
    NONE,
    Bound,
    Function,
    Instance,
    Items,
    Known,
    Library,
    Mapping,
    Unknown,
    Value,
    is_true,
)
from inplace_lsp.tape.model import NEVER, Actor

MODULE = "inplace_lsp.modelling"
_BECAUSE = "it is for readers, and for the test that finds parameters nobody looks at"


@intrinsic(f"{MODULE}.ignores(*names, because)", names=_BECAUSE, because=_BECAUSE)
def _declare_ignored_parameters(machine: Machine) -> Value:
    """Decorate a function whose parameters `names` do not affect gradients, and say why."""
    return AS_IT_IS


@intrinsic(f"{MODULE}.drives(function, /)")
def _declare_driver(machine: Machine, function: Value) -> Value:
    """Decorate a function that calls the user's code in an order of its own: its result is not trained by others."""
    if isinstance(function, Function):
        function.kind = DRIVER
    return function


@intrinsic(f"{MODULE}.arguments_of_caller()")
def _arguments_of_caller(machine: Machine) -> Value:
    """Return the arguments of the user's methods that called the model on this object, by name."""
    users = [frame for frame in reversed(machine.stack) if frame.find_module_scope().model is None]
    found: dict[object, Value] = {}
    for frame in takewhile(lambda frame: frame.self is users[0].self, users):
        for parameter in frame.running.definition.parameters if frame.running is not None else ():
            value = frame.names.get(parameter.name)
            if parameter.kind == "kwarg" and isinstance(value, Mapping):
                found.update(value.items)
            elif value is not None and value is not frame.self:
                found[parameter.name] = value
    return Mapping(found)


@intrinsic(f"{MODULE}.is_true(value, /)")
def _is_true(machine: Machine, value: Value) -> Value:
    """Return whether a flag is known to be true; an unknown flag makes no branch."""
    return Known(is_true(value))


@intrinsic(f"{MODULE}.accepts(function, /, *arguments, **named)")
def _is_accepted(machine: Machine, function: Value, arguments: Items, named: Mapping) -> Value:
    """Return whether a function of the user can be called with these arguments."""
    called = function.method if isinstance(function, Bound) else function
    if not isinstance(called, Function):
        return Known(True)
    machine.looked_into.add(id(called.definition))
    first = [function.self] if isinstance(function, Bound) else []
    keywords = {str(key): value for key, value in named.items.items()}
    return Known(bind_arguments(called.definition.parameters, [*first, *arguments.items], keywords).fits)


@intrinsic(f"{MODULE}.is_known(value, /)")
def _is_known(machine: Machine, value: Value) -> Value:
    """Return whether anything is known about the value."""
    return Known(not isinstance(value, Unknown))


@intrinsic(f"{MODULE}.opaque(*inputs, **named)")
def _compute_opaquely(machine: Machine, inputs: Items, named: Mapping) -> Value:
    """Return an unknown value that depends on `inputs`: gradients flow through it."""
    values = [*inputs.items, *named.items.values()]
    sources = Items("tuple", values)
    tensors = tuple(tensors_in(machine.recorder, sources))
    # the text of the call stands in a model file, and is nothing to name the value by in a message; a condition needs a
    # name, which is asked for only where no tensor went in
    result = Unknown("" if tensors else "a library's result", inputs=tensors)
    result.tensorlike = result.flows = bool(result.inputs)
    result.graphless = not machine.recorder.grad_mode
    return result


@intrinsic(f"{MODULE}.data(name='a batch', /)")
def _make_data(machine: Machine, name: Value) -> Value:
    """Return a value from outside the program: its tensors have no autograd history."""
    return Unknown(str(name.value) if isinstance(name, Known) else "data", graphless=True)


SAMPLE_STEPS = 400
"""Statements that may be executed to read one sample of a data set."""


@intrinsic(f"{MODULE}.read_data(function, source, /, *arguments)")
def _read_data(machine: Machine, function: Value, source: Value, arguments: Items) -> Value:
    """Return `function(source, *arguments)`, which reads from `source`; data if that takes long or fails, since the
    files are not here."""
    kind = id(source.cls) if isinstance(source, Instance) else id(source)
    if kind not in machine.too_long:
        given = [source, *arguments.items]
        found = call_within(machine, SAMPLE_STEPS, lambda: machine.call(function, given, {}))
        if found is not None and not isinstance(found, Library):  # of a data set whose library is not here
            return found
        machine.too_long.add(kind)
    return Unknown("a sample", graphless=True)


@intrinsic(f"{MODULE}.one_of(values, name='a choice', /)")
def _choose_one(machine: Machine, values: Value, name: Value) -> Value:
    """Return an unknown value; where it is used as a name, each string among `values` is a possibility."""
    given = values.items if isinstance(values, Items) else []
    texts = [value.value for value in given if isinstance(value, Known) and isinstance(value.value, str)]
    origin = str(name.value) if isinstance(name, Known) else "a choice"
    return Unknown(origin, may_be_none=NONE in given, graphless=True, names=tuple(dict.fromkeys(texts))[:_FEW])


_FEW = 4
"""Possibilities that are looked into."""


@intrinsic(f"{MODULE}.compute(op, inputs, /, *, saves=(), saves_result=False)")
def _compute_tensor(machine: Machine, op: Value, inputs: Value, saves: Value, saves_result: Value) -> Value:
    """Return a new tensor that a library's op computes from `inputs`; its backward needs `saves`, or the result."""
    recorder = machine.recorder
    name = str(op.value) if isinstance(op, Known) else "an op"
    operands = tensors_in(recorder, inputs)
    needs = recorder.needs_grad(operands)
    node = recorder.new_node(name, operands, needs) if needs else None
    result = recorder.new_tensor(name, requires_grad=needs if node is not None else NEVER, node=node)
    if node is not None:
        for tensor in tensors_in(recorder, saves):
            recorder.save_tensor(node, tensor, name, "input", needs)
        if is_true(saves_result):
            recorder.save_tensor(node, result, name, "result", needs)
    return result


@intrinsic(f"{MODULE}.update(tensors, op, /)")
def _update_tensors(machine: Machine, tensors: Value, op: Value) -> Value:
    """Write parameters or buffers on behalf of the library, as an optimizer does."""
    name = str(op.value) if isinstance(op, Known) else "update"
    with machine.recorder.set_grad_mode(False):
        for tensor in tensors_in(machine.recorder, tensors):
            machine.recorder.write_tensor(tensor, name, actor=Actor.STEP)
    return NONE


@intrinsic(f"{MODULE}.overwrite(tensors, op, /)")
def _overwrite_tensors(machine: Machine, tensors: Value, op: Value) -> Value:
    """Write tensors round their version counters and the graph, as communication between processes does."""
    name = str(op.value) if isinstance(op, Known) else "overwrite"
    with machine.recorder.set_grad_mode(False):
        for tensor in tensors_in(machine.recorder, tensors):
            machine.recorder.write_tensor(tensor, name, bumps=0)
    return NONE


@intrinsic(f"{MODULE}.in_new_thread(function, /, *arguments, **named)")
def _in_new_thread(machine: Machine, function: Value, arguments: Items, named: Mapping) -> Value:
    """Call the function as in a new thread: in grad mode, outside all contexts."""
    with machine.recorder.new_thread():
        return machine.call(function, arguments.items, {str(key): value for key, value in named.items.items()})
