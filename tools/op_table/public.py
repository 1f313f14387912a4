"""Find the public names (`torch.exp`, `torch.Tensor.add_`, `torch.linalg.norm`, ...) of torch's native functions."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inplace_lsp.torch_ops.model import Alias, Overload, Param, ParamType, SavedRole
from tools.op_table.aten import AtenFacts, derive_facts
from tools.op_table.tables import signatures_of

if TYPE_CHECKING:
    from torchgen.api.python import PythonArgument, PythonSignature
    from torchgen.model import NativeFunction

_NAMESPACES = {
    "": "torch",
    "nn": "torch._C._nn",
    "linalg": "torch.linalg",
    "fft": "torch.fft",
    "special": "torch.special",
}

_TYPES: dict[str, ParamType] = {
    "Tensor": "Tensor",
    "Scalar": "Scalar",
    "int": "int",
    "SymInt": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "ScalarType": "dtype",
}


@dataclass(frozen=True)
class Native:
    """One overload of a public name, as its native function declares it; `composite` ones are yet to be observed."""

    overload: Overload
    composite: bool


def native_overloads() -> dict[str, list[Native]]:
    """Return every public name bound to native functions, with its overloads in torch's order."""
    found: dict[str, list[Native]] = {}
    for method in (False, True):
        for signature, function in signatures_of(method):
            if "Dimname" in str(function.func) or "ConstQuantizerPtr" in str(function.func):
                continue
            name = public_name(function, method)
            native = _make_native(signature, function, method)
            known = found.setdefault(name, [])
            if all(native.overload.params != other.overload.params for other in known):
                known.append(native)
    return {name: found[name] for name in sorted(found)}


def public_name(function: NativeFunction, method: bool) -> str:
    """Return the dotted name under which Python reaches `function`."""
    base = str(function.func.name.name)
    if method:
        return f"torch.Tensor.{base}"
    module = function.python_module or ""
    return f"{_NAMESPACES.get(module, f'torch.{module}')}.{base.removeprefix(f'{module}_') if module else base}"


def _make_native(signature: PythonSignature, function: NativeFunction, method: bool) -> Native:
    known = derive_facts(function)
    params = _make_params(signature, method)
    renamed = _find_renamed(signature, function, method)
    return Native(_make_overload(str(function.func.name), params, known, renamed), known.composite)


def _make_overload(name: str, params: tuple[Param, ...], known: AtenFacts, renamed: dict[str, str]) -> Overload:
    def renamed_role(role: str) -> str:
        return renamed.get(role, role)

    return Overload(
        name=name,
        params=params,
        returns=known.returns,
        differentiable=frozenset(map(renamed_role, known.differentiable)),
        no_grad_outputs=known.no_grad_outputs,
        saves=tuple(SavedRole(renamed_role(s.role), frozenset(map(renamed_role, s.when))) for s in known.saves),
        saves_something=known.saves_something,
        writes=tuple(dict.fromkeys(map(renamed_role, known.writes))),
        bumps=known.bumps,
        aliases=tuple(Alias(a.output, renamed_role(a.of), a.kind) for a in known.aliases),
        passes=known.passes,
        shares_gradient=frozenset(map(renamed_role, known.shares_gradient)),
    )


def _find_renamed(signature: PythonSignature, function: NativeFunction, method: bool) -> dict[str, str]:
    """Return the schema names with another name in Python: `self` is `input` in a function, several outputs are one
    `out`."""
    renamed = {}
    if not method and any(a.name == "self" and _is_input(a) for a in signature.input_args):
        renamed = {"self": "input"}
    if signature.output_args is not None:
        renamed |= {argument.name: signature.output_args.name for argument in function.func.arguments.out}
    return renamed


def _make_params(signature: PythonSignature, method: bool) -> tuple[Param, ...]:
    found = [Param("self", "Tensor")] if method else []
    positional = [_make_param(argument, method, False) for argument in signature.input_args]
    if len(positional) == 1 and positional[0].type == "int[]":
        positional = [replace(positional[0], variadic=True)]  # as torch's parser does: `allow_varargs_intlist`
    found += positional
    rest = [*signature.input_kwargs, *signature.tensor_options_args]
    found += [_make_param(argument, method, True) for argument in rest]
    if signature.output_args is not None:
        out = signature.output_args
        found.append(Param(out.name, "Tensor" if len(out.outputs) == 1 else "Tensor[]", None, True))
    return tuple(found)


def _make_param(argument: PythonArgument, method: bool, keyword_only: bool) -> Param:
    kind = param_type(str(argument.type))
    name = "input" if argument.name == "self" and not method and _is_input(argument) else argument.name
    default = _default_source(argument.default)
    missing = default == "()" and kind.startswith("Tensor")
    return Param(name, kind, "None" if missing else default, keyword_only)


def _is_input(argument: PythonArgument) -> bool:
    """Return whether Python calls this `self` of a function `input`: lists of tensors keep the name."""
    return str(argument.type) in ("Tensor", "Scalar")


def param_type(text: str) -> ParamType:
    """Convert a schema type (`SymInt[2]?`, `Tensor?[]`) to the model's."""
    if "[" in text:
        element = text[: text.index("[")].rstrip("?")
        lists: dict[str, ParamType] = {"Tensor": "Tensor[]", "int": "int[]", "SymInt": "int[]"}
        return lists.get(element, "other")
    if text == "Tensor?":
        return "Tensor?"
    return _TYPES.get(text.rstrip("?"), "other")


def _default_source(text: str | None) -> str | None:
    """Return a C++ default value as Python source."""
    if text is None:
        return None
    known = {"true": "True", "false": "False", "at::Reduction::Mean": "1", "::std::nullopt": "None", "nullptr": "None"}
    if text in known or "nullopt" in text:
        return known.get(text, "None")
    if text.startswith("{"):
        inner = text.strip("{}")
        return f"({inner},)" if inner else "()"
    if text.startswith('"'):
        return repr(text.strip('"'))
    try:
        return repr(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return "torch.contiguous_format" if "MemoryFormat" in text else "None"
