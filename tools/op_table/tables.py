"""Read the tables inside torch's own wheel: native functions, their Python signatures and derivative formulas."""

# ruff: noqa: PLC0415 (torch is imported where it is used: see the package)

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchgen.api.autograd import NativeFunctionWithDifferentiabilityInfo
    from torchgen.api.python import PythonSignature, PythonSignatureGroup
    from torchgen.model import BackendIndex, NativeFunction


@dataclass(frozen=True)
class Tables:
    """`functions`: every native function with its derivative, by schema text; `signatures`: see `signatures_of`."""

    functions: dict[str, NativeFunctionWithDifferentiabilityInfo]
    cpu_kernels: BackendIndex
    explicit_kernels: BackendIndex
    native: list[NativeFunction]
    deprecated_path: str


@cache
def load_tables() -> Tables:
    """Read native_functions.yaml and derivatives.yaml as torch's own build does (a few seconds)."""
    import torchgen
    from torchgen.api.autograd import match_differentiability_info
    from torchgen.gen import parse_native_yaml
    from torchgen.model import DispatchKey
    from torchgen.packaged.autograd.load_derivatives import load_derivatives

    packaged = os.path.join(os.path.dirname(torchgen.__file__), "packaged")
    native = os.path.join(packaged, "ATen", "native", "native_functions.yaml")
    tags = os.path.join(packaged, "ATen", "native", "tags.yaml")
    infos, _ = load_derivatives(os.path.join(packaged, "autograd", "derivatives.yaml"), native, tags)
    parsed = parse_native_yaml(native, tags)
    matched = match_differentiability_info(parsed.native_functions, infos)
    return Tables(
        functions={str(each.func.func): each for each in matched},
        cpu_kernels=parsed.backend_indices[DispatchKey.CPU],
        explicit_kernels=parsed.backend_indices[DispatchKey.CompositeExplicitAutograd],
        native=list(parsed.native_functions),
        deprecated_path=os.path.join(packaged, "autograd", "deprecated.yaml"),
    )


def is_composite(function: NativeFunction) -> bool:
    """Return whether autograd sees only the ops it is composed of; its own derivative is for other backends."""
    tables = load_tables()
    if not function.has_composite_implicit_autograd_kernel:
        return False
    if function.structured_delegate is not None:
        return False
    return not (tables.cpu_kernels.has_kernel(function) or tables.explicit_kernels.has_kernel(function))


def signatures_of(method: bool) -> Iterator[tuple[PythonSignature, NativeFunction]]:
    """Yield every (Python signature, native function) pair in the order of torch's argument parser."""
    from torchgen.packaged.autograd.gen_python_functions import (
        PythonSignatureGroup,
        load_signatures,
        should_generate_py_binding,
        sort_overloads,
    )

    tables = load_tables()
    wanted = [f for f in tables.native if should_generate_py_binding(f) or _base_name(f) in (*_ARITHMETIC, *_MANUAL)]
    groups: dict[tuple[str, str, bool], list[PythonSignatureGroup]] = {}
    for pair in load_signatures(wanted, tables.deprecated_path, method=method, skip_deprecated=True):
        function = pair.function
        if _is_called_so(function, method=method):
            is_out = pair.signature.output_args is not None
            key = (function.python_module or "", str(function.func.name.name), is_out)
            groups.setdefault(key, []).append(PythonSignatureGroup.from_pairs(pair, None))
    for group in groups.values():
        for each in sort_overloads(group):
            yield each.signature, each.base


def _is_called_so(function: NativeFunction, *, method: bool) -> bool:
    """Return whether Python calls it as a method of tensors, or else as a function of a module."""
    from torchgen.packaged.autograd.gen_python_functions import is_py_variable_method

    if method:
        return bool(is_py_variable_method(function))
    return function.python_module is not None or "function" in {v.name for v in function.variants}


def _base_name(function: NativeFunction) -> str:
    return str(function.func.name.name)


_ARITHMETIC = ("add", "add_", "sub", "sub_", "mul", "mul_", "div", "div_")
"""Their Scalar forms are hidden from Python, but tell a number from a tensor."""

_MANUAL = (
    "contiguous",
    "copy_",
    "set_",
    "nonzero",
    "item",
    "to",
    "index",
    "range",
    "tensor_split",
    "numpy_T",
    "mT",
    "mH",
    "matrix_H",
    "numel",
    "dim",
    "is_contiguous",
)
"""Native functions that torch binds to Python by hand and that its generator therefore skips."""
