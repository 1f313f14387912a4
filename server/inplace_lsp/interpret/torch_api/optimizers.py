"""Optimizers: `step()` writes the parameters they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from typing import Any

from inplace_lsp.interpret.autograd.ops import tensor_of
from inplace_lsp.interpret.machine.intrinsics import INTRINSICS, intrinsic
from inplace_lsp.interpret.machine.iteration import find_elements
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.signatures import put_first
from inplace_lsp.interpret.state.values import (
    NONE,
    Instance,
    Items,
    Known,
    Mapping,
    Native,
    Number,
    Optimizer,
    Tensor,
    Unknown,
    Value,
    is_false,
    is_true,
)
from inplace_lsp.interpret.torch_api.handles import make_removal_handle
from inplace_lsp.interpret.torch_api.tensor_attributes import take_for_data
from inplace_lsp.tape.model import UNSEEN, Actor, When
from inplace_lsp.tape.names import ELEMENT

BASE = "Optimizer"
"""The class of torch that users write optimizers of their own from: it keeps the groups and steps nothing."""
_EVALUATIONS = {"LBFGS": 2}
"""How often a step calls its closure, the parameters moved in between: once, but for these."""
_WRITES = {"ASGD": 2, "AdamW": 2, "Muon": 2, "NAdam": 2}
"""How often a step with the default options writes each parameter: once, but for these, which shrink it first."""

_CLASSES = (
    "ASGD(params, lr=0.01, lambd=0.0001, alpha=0.75, t0=1000000.0, weight_decay=0, foreach=None, maximize=False, "
    "differentiable=False, capturable=False)",
    "Adadelta(params, lr=1.0, rho=0.9, eps=1e-06, weight_decay=0, foreach=None, *, capturable=False, maximize=False, "
    "differentiable=False)",
    "Adafactor(params, lr=0.01, beta2_decay=-0.8, eps=(None, 0.001), d=1.0, weight_decay=0.0, *, foreach=None, "
    "maximize=False)",
    "Adagrad(params, lr=0.01, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None, *, "
    "maximize=False, differentiable=False, fused=None)",
    "Adam(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, amsgrad=False, *, foreach=None, "
    "maximize=False, capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False)",
    "AdamW(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.01, amsgrad=False, *, maximize=False, "
    "foreach=None, capturable=False, differentiable=False, fused=None)",
    "Adamax(params, lr=0.002, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, foreach=None, *, maximize=False, "
    "differentiable=False, capturable=False)",
    "LBFGS(params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-07, tolerance_change=1e-09, history_size=100, "
    "line_search_fn=None)",
    "Muon(params, lr=0.001, weight_decay=0.1, momentum=0.95, nesterov=True, "
    "ns_coefficients=(3.4445, -4.775, 2.0315), eps=1e-07, ns_steps=5, adjust_lr_fn=None)",
    "NAdam(params, lr=0.002, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, momentum_decay=0.004, "
    "decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, differentiable=False)",
    "RAdam(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, decoupled_weight_decay=False, *, "
    "foreach=None, maximize=False, capturable=False, differentiable=False)",
    "RMSprop(params, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0, momentum=0, centered=False, capturable=False, "
    "foreach=None, maximize=False, differentiable=False)",
    "Rprop(params, lr=0.01, etas=(0.5, 1.2), step_sizes=(1e-06, 50), *, capturable=False, foreach=None, "
    "maximize=False, differentiable=False)",
    "SGD(params, lr=0.001, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False, foreach=None, "
    "differentiable=False, fused=None)",
    "SparseAdam(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, maximize=False)",
)
"""The optimizers of torch. All their options stand in the parameter groups, where a program reads and changes them."""


def _make_constructor(name: str) -> Callable[..., Value]:
    def construct_optimizer(machine: Machine, params: Value, **options: Value) -> Value:
        """Hold the parameters to train."""
        return _build_optimizer(machine, name, params, dict(options.items()))

    return construct_optimizer


for _class in _CLASSES:
    intrinsic(f"torch.optim.{_class}")(_make_constructor(_class.partition("(")[0]))


@intrinsic(f"torch.optim.{BASE}(params, defaults)")
def _construct_base(machine: Machine, params: Value, defaults: Value) -> Value:
    """Hold the parameters that a user's own optimizer trains."""
    return _build_optimizer(machine, BASE, params, {**defaults.items} if isinstance(defaults, Mapping) else {})


def _build_optimizer(machine: Machine, name: str, params: Value, options: dict[Any, Value]) -> Optimizer:
    machine.gradient_evidence = True
    made = Optimizer(name, Items("list", []), is_true(options.get("fused", NONE)))
    made.attributes["defaults"] = Mapping(options, open=True)
    made.groups.items.extend(_build_groups(machine, params, options))
    return made


def make_unknown_optimizer(machine: Machine, name: str, params: Value) -> Optimizer:
    """Return an optimizer that trains `params`, with unknown options."""
    return _build_optimizer(machine, name, params, {})


def is_optimizer(name: str) -> bool:
    """Return whether the dotted name is an optimizer class of torch, or their base class."""
    return name.startswith("torch.optim.") and _public_name(name) in INTRINSICS


def _public_name(name: str) -> str:
    """Return `torch.optim.Adam` for `torch.optim.adam.Adam`."""
    return f"torch.optim.{name.rpartition('.')[2]}"


def construct_by_name(
    machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value], text: str = ""
) -> Value:
    """Construct `torch.optim.SGD(params, ...)`."""
    return INTRINSICS[_public_name(name)].bind_and_run(machine, arguments, keywords, text)


def _build_groups(machine: Machine, given: Value, options: MutableMapping[Any, Value]) -> Iterator[Mapping]:
    """Yield the parameter groups: those given as dicts, or one group of all parameters."""
    items = list(find_elements(machine, given)) if isinstance(given, Items) else []
    if items and all(isinstance(item, Mapping) for item in items):
        for item in items:
            yield _build_group(machine, item, options)
    else:
        yield _build_group(machine, Mapping({"params": given}), options)


def _build_group(machine: Machine, given: Value, options: MutableMapping[Any, Value]) -> Mapping:
    own = given.items if isinstance(given, Mapping) else {}
    tensors = list(_find_parameters(machine, given))
    for tensor in tensors:
        if tensor.node is not None and not tensor.node.when.always:  # torch takes leaves alone
            requires_grad = tensor.requires_grad
            take_for_data(tensor)
            tensor.requires_grad = requires_grad
    machine.recorder.trained.update(*(tensor.requires_grad.inputs for tensor in tensors))
    held = own.get("params", given)
    params = Items("list", [*tensors])
    if not tensors and isinstance(held, Unknown):
        params.open, params.more = True, lambda: _make_parameter(machine, held)
    return Mapping({**options, **own, "params": params}, open=True)


def _make_parameter(machine: Machine, given: Unknown) -> Tensor:
    """Return one of the parameters that an optimizer is given: what it trains requires grad."""
    name = ELEMENT + given.origin
    machine.recorder.trained.add(name)
    parameter = machine.recorder.new_tensor("Parameter", name=name, requires_grad=When(inputs=frozenset({name})))
    parameter.parameter = True
    return parameter


def _find_parameters(machine: Machine, given: Value, *, listed: bool = False) -> Iterator[Tensor]:
    """Yield the parameters, those in groups included. `listed`: the value is an element of a list."""
    if isinstance(given, Tensor):
        yield given
    elif isinstance(given, Mapping):
        for value in [given.items["params"]] if "params" in given.items else given.items.values():
            yield from _find_parameters(machine, value)
    elif isinstance(given, Items):
        for item in find_elements(machine, given):
            yield from _find_parameters(machine, _last_of_pair(item), listed=True)
    elif isinstance(given, Unknown):
        tensor = tensor_of(machine.recorder, given) if given.tensorlike or listed else None
        if tensor is not None:
            yield tensor


def _last_of_pair(item: Value) -> Value:
    """Return the parameter of an element of `named_parameters()`, a pair; any other element itself."""
    return item.items[-1] if isinstance(item, Items) and item.items else item


def parameters_of(optimizer: Optimizer) -> list[Tensor]:
    """Return the tensors in all groups of the optimizer."""
    groups = (group for group in optimizer.groups.items if isinstance(group, Mapping))
    held = (group.items.get("params") for group in groups)
    return [
        parameter
        for items in held
        if isinstance(items, Items)
        for parameter in items.items
        if isinstance(parameter, Tensor)
    ]


def read_attribute(machine: Machine, optimizer: Optimizer, name: str) -> Value | None:
    """Evaluate `optimizer.name`; return None for a method."""
    if name == "param_groups":
        return optimizer.groups
    if name == "state":
        return optimizer.attributes.setdefault(name, Mapping({}, open=True, default=Native(_new_state)))
    return optimizer.attributes.get(name)


def _new_state(arguments: list[Value], keywords: dict[str, Value]) -> Value:
    return Mapping({})


def call_method(
    machine: Machine,
    value: Value,
    name: str,
    arguments: Sequence[Value],
    keywords: dict[str, Value],
    text: str = "",
) -> Value:
    """Call `value.name(...)` on an optimizer, or on an object that inherits from one."""
    optimizer = value.base if isinstance(value, Instance) else value
    declared = INTRINSICS.get(f"torch.optim.{BASE}.{name}")
    if declared is None or not isinstance(optimizer, Optimizer):
        return machine.unknown_call(text or name, [*arguments, *keywords.values()])
    if (
        name == "step"
        and optimizer.name == UNSEEN
        and arguments
        and _run_backward_of_loss(machine, arguments[0], keywords)
    ):
        arguments, keywords = [], {}
    return declared.bind_and_run(machine, put_first(optimizer, arguments), keywords, text)


def _run_backward_of_loss(machine: Machine, given: Value, options: dict[str, Value]) -> bool:
    """Run backward from the loss passed to the step of an optimizer without source; return False if it is no loss."""
    is_tensor = isinstance(given, Tensor) or (isinstance(given, Unknown) and bool(given.tensorlike or given.inputs))
    loss = tensor_of(machine.recorder, given) if is_tensor else None
    if loss is not None:
        machine.recorder.run_backward([loss], retain=not is_false(options.get("retain_graph", NONE)))
    return loss is not None


@intrinsic(f"torch.optim.{BASE}.zero_grad(optimizer, /, set_to_none=True)")
def _zero_grad(machine: Machine, optimizer: Optimizer, set_to_none: Value) -> Value:
    """Clear the gradients of all parameters."""
    clear_gradients(machine, parameters_of(optimizer), set_to_none)
    return NONE


def clear_gradients(machine: Machine, parameters: Iterable[Tensor], set_to_none: Value) -> None:
    """Clear gradients as `zero_grad` does: drop them, or write to them if they are to be kept."""
    kept = is_false(set_to_none)
    for parameter in parameters:
        if not kept:
            parameter.grad = NONE
        elif isinstance(parameter.grad, Tensor):
            machine.recorder.write_tensor(parameter.grad, "zero_", actor=Actor.STEP)


@intrinsic(f"torch.optim.{BASE}.add_param_group(optimizer, /, param_group)")
def _add_group(machine: Machine, optimizer: Optimizer, param_group: Value) -> Value:
    """Add parameters to train."""
    defaults = optimizer.attributes.get("defaults")
    optimizer.groups.items.append(
        _build_group(machine, param_group, defaults.items if isinstance(defaults, Mapping) else {})
    )
    return NONE


@intrinsic(f"torch.optim.{BASE}.state_dict(optimizer, /)", optimizer="what it keeps beside the parameters has no graph")
def _state_dict(machine: Machine) -> Value:
    """Return the optimizer's state of each parameter."""
    return Unknown("state_dict", graphless=True)


@intrinsic(
    f"torch.optim.{BASE}.load_state_dict(optimizer, /, state_dict)",
    optimizer="what it keeps is replaced, no parameter is written",
    state_dict="it is copied",
)
def _load_state_dict(machine: Machine) -> Value:
    """Replace the optimizer's state of each parameter."""
    return NONE


_PRE_HOOKS, _POST_HOOKS = "_optimizer_step_pre_hooks", "_optimizer_step_post_hooks"


@intrinsic(f"torch.optim.{BASE}.register_step_pre_hook(optimizer, /, hook)")
def _add_pre_hook(machine: Machine, optimizer: Optimizer, hook: Value) -> Value:
    """Call the hook before each step."""
    return _keep_hook(optimizer, _PRE_HOOKS, hook)


@intrinsic(f"torch.optim.{BASE}.register_step_post_hook(optimizer, /, hook)")
def _add_post_hook(machine: Machine, optimizer: Optimizer, hook: Value) -> Value:
    """Call the hook after each step."""
    return _keep_hook(optimizer, _POST_HOOKS, hook)


def _keep_hook(optimizer: Optimizer, kind: str, hook: Value) -> Value:
    kept = optimizer.attributes.setdefault(kind, Items("list", []))
    hooks = kept.items if isinstance(kept, Items) else []
    hooks.append(hook)
    return make_removal_handle(hooks, hook)


def _run_hooks(machine: Machine, optimizer: Optimizer, kind: str) -> None:
    kept = optimizer.attributes.get(kind)
    for hook in list(kept.items) if isinstance(kept, Items) else ():
        machine.call(hook, [optimizer, Items("tuple", []), Mapping({})], {}, "hook")


@intrinsic(f"torch.optim.{BASE}.step(optimizer, /, closure=None)")
def _take_step(machine: Machine, optimizer: Optimizer, closure: Value) -> Value:
    """Write the parameters that have a gradient, after running the closure if there is one."""
    has_closure = not isinstance(closure, (Known, Number))
    result: Value = NONE
    _run_hooks(machine, optimizer, _PRE_HOOKS)
    for _ in range(_EVALUATIONS.get(optimizer.name, 1) if has_closure else 1):
        if has_closure:
            result = _evaluate_closure(machine, closure)
        _write_parameters(machine, optimizer)
    _run_hooks(machine, optimizer, _POST_HOOKS)
    return result


def _evaluate_closure(machine: Machine, closure: Value) -> Value:
    recorder = machine.recorder
    mode, recorder.grad_mode = recorder.grad_mode, True
    try:
        return machine.call(closure, [], {}, "closure()")
    finally:
        recorder.grad_mode = mode


def _write_parameters(machine: Machine, optimizer: Optimizer) -> None:
    """Write the parameters that have a gradient."""
    if optimizer.name == BASE:
        return
    recorder = machine.recorder
    if recorder.ledger is not None:
        recorder.ledger.note_step(parameters_of(optimizer), recorder.new_id())
    with recorder.set_grad_mode(False):
        for parameter in parameters_of(optimizer):
            if parameter.grad is not NONE and parameter.grad is not None:
                bumps = 0 if optimizer.fused else _WRITES.get(optimizer.name, 1)
                recorder.write_tensor(parameter, f"{optimizer.name}.step", bumps=bumps, actor=Actor.STEP)
