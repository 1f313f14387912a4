"""Derive what a native function saves, views and writes, by the rules of torch's own code generator."""

# ruff: noqa: PLC0415 (torch is imported where it is used: see the package)

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inplace_lsp.torch_ops.model import Alias, Passes, SavedRole
from tools.op_table.tables import is_composite, load_tables

if TYPE_CHECKING:
    from torchgen.api.autograd import DifferentiabilityInfo, NativeFunctionWithDifferentiabilityInfo, SavedAttribute
    from torchgen.model import NativeFunction


@dataclass(frozen=True)
class AtenFacts:
    """The facts of an op under its schema's names. `composite`: only writes and aliases are known."""

    composite: bool
    returns: int
    differentiable: frozenset[str] = frozenset()
    no_grad_outputs: frozenset[int] = frozenset()
    saves: tuple[SavedRole, ...] = ()
    saves_something: bool = False
    writes: tuple[str, ...] = ()
    bumps: bool = True
    aliases: tuple[Alias, ...] = ()
    passes: Passes = ""
    shares_gradient: frozenset[str] = frozenset()


def derive_facts(function: NativeFunction) -> AtenFacts:
    """Return the facts of `function`, a torchgen NativeFunction."""
    from torchgen.context import native_function_manager

    with native_function_manager(function):
        return _derive_facts(function)


def _derive_facts(function: NativeFunction) -> AtenFacts:
    returns = _count_outputs(function)
    writes = tuple(a.name for a in function.func.arguments.flat_all if a.annotation and a.annotation.is_write)
    bumps = bool(function.func.returns) or function.func.name.name.base.startswith("_foreach")
    plain = AtenFacts(is_composite(function), returns, writes=writes, bumps=bumps, aliases=_find_aliases(function))
    if plain.composite:
        return plain
    plain = replace(plain, passes=_gradient_passed(function))
    info, differentiable, outputs = _find_differentiable(function)
    if not differentiable or function.func.kind().name == "out":
        return replace(plain, no_grad_outputs=frozenset(range(max(returns, 0))))
    saves, private = _find_saves(function, info, differentiable) if info else ((), False)
    return replace(
        plain,
        differentiable=frozenset(differentiable),
        no_grad_outputs=frozenset(range(max(returns, 0))) - outputs,
        saves=saves,
        saves_something=bool(saves) or private,
        shares_gradient=_find_sharing_inputs(info) if info else frozenset(),
    )


def _find_sharing_inputs(info: DifferentiabilityInfo) -> frozenset[str]:
    """Return the inputs whose gradient lies in the memory of the result's."""
    sharing = (derivative.var_names for derivative in info.derivatives if derivative.formula in _SHARED)
    return frozenset(name for names in sharing for name in names)


def _gradient_passed(function: NativeFunction) -> Passes:
    """Return how much of the gradient an in-place op passes to the value that it overwrites."""
    name = function.func.name.name.base
    random = "nondeterministic_seeded" in function.tags
    if function.func.kind().name != "inplace" or random or name in _REPLACING:
        return ""
    entry = load_tables().functions[str(function.func)]
    info = entry.info.get("Default") if entry.info else None
    if info is None:
        return "none" if name in _NOT_DIFFERENTIABLE else ""
    formulas = {derivative.formula for derivative in info.derivatives if "self" in derivative.var_names}
    if not formulas:
        return ""
    return "whole" if formulas <= _UNCHANGED else "none" if formulas <= _NONE else ""


_REPLACING = ("fill", "zero", "copy", "_foreach_zero", "_foreach_copy")
"""Ops whose derivative is zero because the old value plays no part in the new one."""
_NOT_DIFFERENTIABLE = (
    *("floor_divide", "gcd", "lcm", "heaviside", "logical_not", "logical_and", "logical_or", "logical_xor"),
    *("bitwise_not", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift"),
)
"""Ops without a formula that compute steps: their derivative is zero where there is one."""
_UNCHANGED = frozenset({"grad", "handle_r_to_c(self_scalar_type, grad)"})
_NONE = frozenset({"zeros_like(grad)", "self_info.zeros()"})
_SHARED = _UNCHANGED | {
    "handle_r_to_c(other_scalar_type, grad)",
    "handle_r_to_c(other_scalar_type, maybe_multiply(grad, alpha.conj()))",  # alpha is 1 unless the call says otherwise
    *("grad.t()", "grad.transpose(dim0, dim1)", "permute_backwards(grad, dims)"),
    *("grad.squeeze(dim)", "unsqueeze_to(grad, self_sym_sizes)", "unsqueeze_to(grad, dim, self_sym_sizes)"),
    *("grad.reshape_symint(self_sym_sizes)", "grad.expand_symint(self_sym_sizes)"),
}
"""Formulas of derivatives, as torch's generator of code has rewritten them."""


def _count_outputs(function: NativeFunction) -> int:
    """Return the number of tensor outputs, -1 for a list of tensors."""
    types = [str(r.type) for r in function.func.returns]
    if any("[]" in t for t in types):
        return -1
    return sum(t.startswith("Tensor") for t in types)


def _find_aliases(function: NativeFunction) -> tuple[Alias, ...]:
    arguments = [a for a in function.func.arguments.flat_all if a.annotation]
    found = [Alias(0, "self", "apart")] if _is_splitting_apart(function) else []
    for index, returned in enumerate(function.func.returns):
        if not returned.annotation:
            continue
        letters = set(returned.annotation.alias_set)
        for argument in arguments:
            if letters & set(argument.annotation.alias_set):
                is_list = "[]" in str(returned.type)
                kind = "same" if argument.annotation.is_write else ("multi" if is_list else "view")
                found.append(Alias(index, argument.name, kind))  # type: ignore[arg-type]
    return tuple(sorted(found, key=lambda alias: (alias.output, alias.of)))


def _is_splitting_apart(function: NativeFunction) -> bool:
    """Return whether the op is the unsafe twin of one that makes several views: its schema declares none."""
    name = function.func.name.name.base
    return name.startswith("unsafe_") and function.func.kind().name == "functional" and _count_outputs(function) == -1


def _find_differentiable(function: NativeFunction) -> tuple[DifferentiabilityInfo | None, list[str], frozenset[int]]:
    """Return the derivative entry, the inputs that get a gradient (in order) and the outputs that can require one."""
    from torchgen.packaged.autograd.gen_variable_type import DONT_REQUIRE_DERIVATIVE

    entry = load_tables().functions[str(function.func)]
    info = entry.info.get("Default") if entry.info else None
    name = function.func.name.name
    is_factory = function.func.arguments.tensor_options is not None  # its result is a new leaf, whatever it is given
    no_derivative = info is None and (is_factory or not function.is_abstract)
    if no_derivative or {str(name), name.base} & DONT_REQUIRE_DERIVATIVE:
        return None, [], frozenset()
    outputs = _find_differentiable_outputs(function, entry, info)
    written_alone = name.base.startswith("_foreach") and function.func.kind().name == "inplace"
    if not outputs and not written_alone:
        return None, [], frozenset()
    derivative = info if info is not None and info.has_derivatives else None
    return derivative, _find_differentiable_inputs(function, info), outputs


def _find_differentiable_inputs(function: NativeFunction, info: DifferentiabilityInfo | None) -> list[str]:
    from torchgen.api.autograd import is_differentiable

    tensors = [a for a in function.func.arguments.flat_non_out if a.type.is_tensor_like()]
    inputs = [a.name for a in tensors if is_differentiable(a.name, a.type, info)]
    if info is None or not info.has_derivatives:
        return inputs
    wanted = {name for derivative in info.derivatives for name in derivative.var_names}
    renamed = _foreach_names(function, info)
    return [name for name in inputs if renamed.get(name, name) in wanted]


def _find_differentiable_outputs(
    function: NativeFunction, entry: NativeFunctionWithDifferentiabilityInfo, info: DifferentiabilityInfo | None
) -> frozenset[int]:
    from torchgen.api import cpp
    from torchgen.api.autograd import gen_differentiable_outputs

    if entry.info and info is None:
        return frozenset(range(len(function.func.returns)))
    kept = {output.name for output in gen_differentiable_outputs(entry)}
    return frozenset(i for i, name in enumerate(cpp.return_names(function)) if name in kept)


def _foreach_names(function: NativeFunction, info: DifferentiabilityInfo) -> dict[str, str]:
    """Return the names in the plain op's formulas, which in-place foreach ops borrow, by their own argument names."""
    ours = [a.name for a in function.func.arguments.flat_non_out]
    theirs = [a.name for a in info.func.func.arguments.flat_non_out]
    return dict(zip(ours, theirs, strict=False)) if ours != theirs else {}


def _find_saves(
    function: NativeFunction, info: DifferentiabilityInfo, differentiable: list[str]
) -> tuple[tuple[SavedRole, ...], bool]:
    """Return what the node saves, and whether it saves a private tensor too (an in-place op clones the `self` it
    needs)."""
    inplace = function.func.kind().name == "inplace"
    renamed = {theirs: ours for ours, theirs in _foreach_names(function, info).items()}
    everyone = frozenset(differentiable)
    saves: list[SavedRole] = []
    private = str(function.func.name) in _NUMBER_BECOMES_TENSOR
    if any(_LACKING in derivative.formula for derivative in info.derivatives):
        saves.append(SavedRole("self", everyone))
    for attribute in filter(_is_tensor, info.all_saved_inputs):
        name = renamed.get(attribute.expr, attribute.expr)
        if inplace and name == "self":
            private = True
        elif name.isidentifier():
            guard = _guarding_input(attribute, info, differentiable)
            guard = renamed.get(guard, guard)
            saves.append(SavedRole(name, frozenset([guard]) if guard else everyone))
    outputs = [attribute.expr for attribute in info.all_saved_outputs if _is_tensor(attribute)]
    saves += [SavedRole(_role_of_output(function, name), everyone) for name in outputs]
    order = [a.name for a in function.func.arguments.flat_all]
    saves.sort(key=lambda save: (order.index(save.role) if save.role in order else len(order), save.role))
    return tuple(saves), private


_LACKING = 'not_implemented("inplace version of'
"""How the formula of an in-place op begins whose backward raises: it would need the `self` that the op overwrites."""


def _role_of_output(function: NativeFunction, name: str) -> str:
    """Return `result`, or `result1` and so on for the further outputs."""
    from torchgen.api import cpp

    names = list(cpp.return_names(function)) or ["self"]
    if name not in names and function.func.kind().name == "inplace":
        name = "self"
    index = names.index(name) if name in names else 0
    return f"result{index}" if index else "result"


_NUMBER_BECOMES_TENSOR = (
    *("mul.Scalar", "mul_.Scalar", "div.Scalar", "div_.Scalar"),
    *("div.Scalar_mode", "div_.Scalar_mode"),
)
"""Overloads that Python never calls (SKIP_PYTHON_BINDINGS_SIGNATURES of torchgen): it makes a tensor of the number and
calls the Tensor overload, whose node keeps that tensor."""


def _is_tensor(attribute: SavedAttribute) -> bool:
    text = attribute.nctype.type.cpp_type()
    return "Tensor" in text and "Geometry" not in text and "Options" not in text


def _guarding_input(attribute: SavedAttribute, info: DifferentiabilityInfo, differentiable: list[str]) -> str:
    """Return the input that must require grad for `attribute` to be saved, "" for any: `guard_for` of torchgen."""
    lists = [a for a in info.args_with_derivatives if "[]" in str(getattr(a.argument, "type", ""))]
    if lists or "backward" in info.name or len(differentiable) <= 1:
        return ""
    if attribute.nctype.type.cpp_type() != "at::Tensor":
        return ""
    used = [d for d in info.derivatives if attribute in d.saved_inputs]
    if len(used) != 1:
        return ""
    if len(used[0].var_names) == 1:
        return str(used[0].var_names[0])
    condition = re.search(rf"wrap_opt_if\({attribute.nctype.name},\s*grad_input_mask\[(\d+)\]\s*\)", used[0].formula)
    return differentiable[int(condition.group(1))] if condition else ""
