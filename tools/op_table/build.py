"""Build the table: torch's own tables first, observation for ops composed of others."""

from __future__ import annotations

import ast
import contextlib
import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence

from inplace_lsp.torch_ops.model import Alias, ModuleOp, Overload, Param
from tools.op_table.binding import Call, bind_call, make_caller, python_params
from tools.op_table.corrections import add_sentence, read_corrections
from tools.op_table.merge import Constant, Sample, merge_samples
from tools.op_table.modules import build_module, module_classes
from tools.op_table.names import METHOD_TWINS, is_in_torch, public_names, resolve_object, spread_facts
from tools.op_table.observe import NotObservableError, is_refusing_out, observe_call, tensors_in
from tools.op_table.public import Native, native_overloads
from tools.op_table.recipes import SIGNATURES

MAX_CALLS = 200

METHOD_EXAMPLES = {f"torch.Tensor.{twin}": f"torch.Tensor.{method}" for twin, method in METHOD_TWINS.items()}


def build_ops(examples: Mapping[str, Sequence[Call]]) -> dict[str, Sequence[Overload]]:
    """Return every public callable with its overloads; `examples` are calls by its name."""
    natives = spread_facts(native_overloads())
    corrected = read_corrections()
    found: dict[str, Sequence[Overload]] = {}
    for name in filter(is_in_torch, sorted({*natives, *public_names(), *examples, *corrected})):
        if name in corrected:
            found[name] = corrected[name]
            continue
        made = build_op(name, natives.get(name, ()), examples.get(METHOD_EXAMPLES.get(name, name), ()))
        if made:
            found[name] = made
    return {name: [add_sentence(name, each) for each in made] for name, made in found.items()}


def build_op(name: str, natives: Sequence[Native], examples: Sequence[Call]) -> list[Overload]:
    """Return the overloads of one name; [] if nothing is known of it."""
    function = resolve_object(name)
    if inspect.isfunction(function) or not natives:
        return [] if inspect.isclass(function) else _build_by_signature(name, function, examples)
    taken = [(call, _overload_of(natives, call)) for call in examples]
    made: list[Overload] = []
    for native in natives:
        if not native.composite or "out" in native.overload.writes:
            made.append(native.overload)
            continue
        mine = [(call, bind_call(native.overload.params, call)) for call, other in taken if other is native]
        made += observe_overloads(function, native.overload, mine)
    return made


def _build_by_signature(name: str, function: Callable[..., object], examples: Sequence[Call]) -> list[Overload]:
    """Return the overloads of a function that torch's tables do not have: as Python declares it and examples show."""
    if not examples:
        return []
    try:
        params = python_params(SIGNATURES.get(name, function), examples)
    except (ValueError, TypeError):
        return []
    plain = Overload(name.rpartition(".")[2], params)
    bound = [(call, bind_call(params, call)) for call in examples]
    observed = observe_overloads(function, plain, bound)
    call = make_caller(function, params)
    if observed and any(arguments is not None and is_refusing_out(call, arguments) for _, arguments in bound):
        return [_with_out(plain), *observed]
    return observed


def _with_out(plain: Overload) -> Overload:
    """Return the way to call a function in which it writes its result to `out`."""
    others = tuple(param for param in plain.params if param.name != "out")
    params = (*others, Param("out", "Tensor", keyword_only=True))
    same = (Alias(0, "out", "same"),)
    return Overload(f"{plain.name}.out", params, no_grad_outputs=frozenset({0}), writes=("out",), aliases=same)


def with_flags(bound: Mapping[str, object], params: Sequence[Param]) -> Iterator[Mapping[str, object]]:
    """Return the call as it is and with every flag that changes what is saved set the other way."""
    yield bound
    names = {param.name for param in params}
    for name, values in _FLAGS.items():
        if name in names:
            yield from ({**bound, name: value} for value in values if bound.get(name, NotImplemented) != value)
    if {"training", "inplace"} <= names:
        yield {**bound, "training": False, "inplace": True}


_FLAGS: dict[str, tuple[bool | str, ...]] = {
    "inplace": (True, False),
    "training": (True, False),
    "train": (True, False),
    "reduction": ("mean", "none", "sum"),
}


def _overload_of(natives: Sequence[Native], call: Call) -> Native | None:
    return next((each for each in natives if bind_call(each.overload.params, call) is not None), None)


def observe_overloads(
    function: Callable[..., object], plain: Overload, examples: Sequence[tuple[Call, Mapping[str, object] | None]]
) -> list[Overload]:
    """Return `plain` with the facts that the examples show; [] if none of them runs."""
    call = make_caller(function, plain.params)
    samples = []
    defaults = _constant_arguments(_default_values(plain.params))
    fitting = [(c.weight, bound) for c, bound in examples if bound is not None and not _is_empty(bound)][:MAX_CALLS]
    for weight, bound in (
        (weight, each) for weight, arguments in fitting for each in with_flags(arguments, plain.params)
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                samples.append(
                    Sample({**defaults, **_constant_arguments(bound)}, observe_call(call, bound), defaults, weight)
                )
            except (NotObservableError, RuntimeError):
                continue
    if not samples:
        return []
    made, left = merge_samples(plain, samples)
    for facet in left:
        DIFFERING.append((plain.name, facet))
    return made


def _is_empty(bound: Mapping[str, object]) -> bool:
    """Return whether a call has tensors without elements, which take shortcuts."""
    return any(not tensor.numel() for tensor in tensors_in(list(bound.values())))


DIFFERING: list[tuple[str, tuple[str, ...]]] = []
"""What samples of one overload disagree on, for the developer to look at."""


def _constant_arguments(bound: Mapping[str, object]) -> dict[str, Constant]:
    given = {name: _common_extent(value) for name, value in bound.items()}
    return {name: v for name, v in given.items() if v is None or isinstance(v, (bool, int, float, str))}


def _common_extent(value: object) -> object:
    """Return the number that stands for several equal extents: `(1, 1)` means 1."""
    if not isinstance(value, (tuple, list)) or not value:
        return value
    return value[0] if all(type(v) is int and v == value[0] for v in value) else value


def _default_values(params: Sequence[Param]) -> Mapping[str, object]:
    found: dict[str, object] = {}
    for param in params:
        if param.default is not None:
            with contextlib.suppress(ValueError, SyntaxError):
                found[param.name] = ast.literal_eval(param.default)
    return found


def build_modules(ops: Mapping[str, Sequence[Overload]]) -> dict[str, ModuleOp]:
    """Return every module class of `torch.nn`; `ops` is the table of functions."""
    return {module.name: module for module in (build_module(c, lambda n: ops.get(n, ())) for c in module_classes())}
