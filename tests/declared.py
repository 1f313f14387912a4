"""All that is declared to be callable: intrinsics, models, and functions of the op table, each with its parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from inplace_lsp.interpret.machine.intrinsics import INTRINSICS
from inplace_lsp.interpret.python import library  # noqa: F401 - declares the intrinsics
from inplace_lsp.interpret.python.imports import find_public_module
from inplace_lsp.interpret.state.signatures import Parameter, parse_signature
from inplace_lsp.models import find_models
from inplace_lsp.torch_ops.model import Overload
from inplace_lsp.torch_ops.table import find_overloads, op_names

TENSOR = "tensor_that_somebody_has_computed"
"""What stands for an argument that a call needs."""
OWNERS = {
    "torch.Tensor": TENSOR,
    "numpy.ndarray": f"{TENSOR}.detach().numpy()",
    "torch.nn.Module": "module_with_a_long_name_of_its_own",
    "torch.nn.Linear": "module_with_a_long_name_of_its_own",
    "torch.nn.BatchNorm1d": "nn.BatchNorm1d(4)",
    "torch.optim.Optimizer": "optimizer_with_a_long_name_of_its_own",
    "builtins.list": "list_of_both_of_these_long_named",
    "builtins.dict": f"dict(key={TENSOR})",
    "builtins.set": "set(list_of_both_of_these_long_named)",
    "builtins.tuple": "tuple(list_of_both_of_these_long_named)",
    "builtins.str": "'weight'",
}
"""An object of each class under which methods are declared."""
OF_CLASSES = ("fromkeys",)
"""Methods of a class, which are given no object."""


@dataclass(frozen=True)
class Declared:
    """Something that can be called: as `text` in a program that imports `module`; `name` is where a library has it.

    `text` is "" where no program can be written without knowing more; `describes`: which versions a model describes.
    """

    name: str
    text: str
    module: str
    parameters: tuple[Parameter, ...]
    describes: str = ""


def intrinsics() -> list[Declared]:
    """The declared intrinsics; of methods the object is bound."""
    found = []
    private = [
        name.rpartition(".")
        for name in INTRINSICS
        if find_public_module(name.rpartition(".")[0]) != name.rpartition(".")[0]
    ]
    by_private_names = {f"{find_public_module(module)}.{name}" for module, _, name in private}
    for name, intrinsic in sorted(INTRINSICS.items()):
        parameters, (owner, _, method) = intrinsic.parameters, name.rpartition(".")
        bound = parameters if method in OF_CLASSES else parameters[1:]
        if owner in OWNERS:
            found.append(Declared(name, f"{OWNERS[owner]}.{method}", "torch", bound))
        elif owner == "builtins":
            found.append(Declared(name, method, "builtins", parameters))
        elif owner.rpartition(".")[2][:1].isupper() or owner in ("collections.deque",):  # an object's method
            found.append(Declared(name, "", owner, bound))
        elif not name.startswith("inplace_lsp.") and name not in by_private_names:
            found.append(Declared(name, name, owner, parameters))
    return found


def models() -> list[Declared]:
    """The public functions and classes of the model files of libraries, and the methods of their objects."""
    bodies = {module: ast.parse(path.read_text(encoding="utf-8")).body for module, path in find_models().items()}
    found = []
    for file, body in bodies.items():
        package, _, last = file.rpartition(".")
        is_private = (
            last.startswith("_") and package in bodies
        )  # it describes what its package imports from it, the rest is to help
        module = package if is_private else file
        if module.partition(".")[0] == "inplace_lsp":  # what models share
            continue
        if is_private:
            body = [node for node in body if getattr(node, "name", "DESCRIBES") in _imported(bodies[package])]
        found += _public_definitions(module, body)
    return found


def _public_definitions(module: str, body: list[ast.stmt]) -> Iterator[Declared]:
    describes = next((ast.literal_eval(node.value) for node in body if _is_describes(node)), "")
    for node in body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            name = f"{module}.{node.name}"
            yield Declared(name, name, module, parameters_of(node), describes)
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from _class_and_methods(module, node, describes)


def _imported(body: list[ast.stmt]) -> set[str]:
    return {"DESCRIBES", *(alias.name for node in body if isinstance(node, ast.ImportFrom) for alias in node.names)}


def _is_describes(node: ast.stmt) -> TypeGuard[ast.Assign]:
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "DESCRIBES"


def _class_and_methods(module: str, node: ast.ClassDef, describes: str) -> Iterator[Declared]:
    """The class as a function, and its public methods."""
    name = f"{module}.{node.name}"
    members = {member.name: _parameters_of_method(member) for member in node.body if _is_method(member)}
    made = () if not node.bases else None  # else what it takes stands in the class that it inherits from
    made = members.get("__init__", made)
    call = None
    if made is not None:
        yield Declared(name, name, module, made, describes)
        required = [parameter for parameter in made if parameter.required]
        needed = ", ".join(
            TENSOR if parameter.kind == "positional" else f"{parameter.name}={TENSOR}" for parameter in required
        )
        call = f"{name}({needed})"
    for method, parameters in members.items():
        if not method.startswith("_"):
            yield Declared(f"{name}.{method}", f"{call}.{method}" if call else "", module, parameters, describes)


def _is_method(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    """Whether it is a method, and no property."""
    if not isinstance(node, ast.FunctionDef):
        return False
    return not any(
        isinstance(decorator, ast.Attribute) or "property" in ast.unparse(decorator)
        for decorator in node.decorator_list
    )


def _parameters_of_method(node: ast.FunctionDef) -> tuple[Parameter, ...]:
    """What a call on an object or on the class gives."""
    is_static = any(ast.unparse(decorator) == "staticmethod" for decorator in node.decorator_list)
    return parameters_of(node)[0 if is_static else 1 :]


def parameters_of(node: ast.FunctionDef) -> tuple[Parameter, ...]:
    """The parameters of a function; a default that is no literal is `...`."""
    arguments = node.args
    arguments.defaults = [_literal(default) for default in arguments.defaults]
    arguments.kw_defaults = [default and _literal(default) for default in arguments.kw_defaults]
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        if argument is not None:
            argument.annotation = None
    return parse_signature(f"f({ast.unparse(arguments)})")[1]


def _literal(node: ast.expr) -> ast.expr:
    try:
        ast.literal_eval(node)
    except ValueError:
        return ast.Constant(...)
    return node


def ops() -> list[Declared]:
    """The functions of torch that only the op table describes."""
    found = []
    for name in op_names():
        first, *others = find_overloads(name)
        if "Tensor." in name or name in INTRINSICS or any(parameter.variadic for parameter in first.params):
            continue
        by_place = _last_renamed(first, others)
        parameters = (
            Parameter(parameter.name, "positional" if at < by_place else parameter.kind, parameter.required)
            for at, parameter in enumerate(first.params)
            if parameter.name != "out"
        )
        found.append(Declared(name, name, "torch", tuple(parameters)))
    return found


def _last_renamed(first: Overload, others: Sequence[Overload]) -> int:
    """How many parameters have to be given by place: up to the last that another overload calls otherwise.

    `dequantize(input)` and `dequantize(tensors)`: a list has another name than a tensor.
    """
    names = [parameter.name for parameter in first.params if parameter.kind != "keyword"]
    theirs = [[parameter.name for parameter in other.params if parameter.kind != "keyword"] for other in others]
    pairs = (enumerate(zip(names, other, strict=False), start=1) for other in theirs)
    return max((at for pair in pairs for at, (ours, their) in pair if ours != their), default=0)
