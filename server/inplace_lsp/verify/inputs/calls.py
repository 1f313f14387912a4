"""Calls as the walk sees them: of layers and functions of torch by their signatures, of the file's own by walking."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Iterable

from inplace_lsp.verify.inputs.dims import Dim, closed_row, fix_rank
from inplace_lsp.verify.inputs.expressions import Expressions, Scope
from inplace_lsp.verify.inputs.program import (
    Function,
    Program,
    dotted_name,
    filled_parameters,
    last_name,
    parameters_of,
)
from inplace_lsp.verify.inputs.shaping import (
    apply_einsum,
    apply_elementwise,
    as_dim,
    dim_of,
    rearrange_dims,
    swap_dims,
    view_in_sizes,
)
from inplace_lsp.verify.inputs.signatures import FUNCTIONS, LAYERS, SAME_SHAPE
from inplace_lsp.verify.inputs.sketch import (
    Anything,
    Instance,
    Layer,
    Several,
    Shape,
    Shaped,
    as_tensor,
    call_function,
    call_layer,
)

DEPTH = 6
_TENSOR_ONLY = SAME_SHAPE | frozenset(
    """size view reshape permute transpose unsqueeze squeeze flatten mean sum expand chunk split unbind item backward
    contiguous narrow softmax numel dim new_zeros new_ones new_full new_tensor requires_grad_ is_floating_point amax
    amin argmax argmin norm std var topk sort any all t masked_fill matmul bmm unfold repeat expand_as view_as
    swapaxes""".split()
)


_CREATING = frozenset("rand randn zeros ones empty".split())
"""Functions whose plain arguments are sizes."""
_REARRANGING = frozenset("rearrange reduce repeat".split())
_BY_WORDS = _REARRANGING | {"einsum"}
"""Functions that are told in words what to do."""
_JOINING = frozenset("cat concat stack hstack vstack".split())
_SIZE_NAMES = {"in_features": "i", "in_channels": "i", "num_embeddings": "v", "embed_dim": "d", "input_size": "i"}
"""Keywords of layers for sizes that their signatures call otherwise."""


class Calls(Expressions):
    """The part of a walk that knows calls."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self.program = program
        self.depth = 0

    @abstractmethod
    def body(self, body: Iterable[ast.stmt], scope: Scope) -> object:
        """Walk statements and return their result."""

    def make_instance(self, owner: ast.ClassDef, given: Scope) -> Instance:
        """Return an object of a class of the file, made with these constructor arguments."""
        made = Instance(owner)
        node = self.program.find_method(owner, "__init__")
        if node is not None and self.depth < DEPTH:
            first, *rest = parameters_of(node)
            scope: Scope = {p.name: given.get(p.name, self._default_value(p.default)) for p in rest}
            self.depth += 1
            try:
                self.body(node.body, {**scope, first.name: made})
            finally:
                self.depth -= 1
        return made

    def _default_value(self, node: ast.expr | None) -> object:
        return Anything() if node is None else self.value(node, {})

    def call(self, node: ast.Call, scope: Scope) -> object:
        """Return the result of a call, by what is called."""
        arguments = [self.value(argument, scope) for argument in node.args if not isinstance(argument, ast.Starred)]
        named = {keyword.arg: self.value(keyword.value, scope) for keyword in node.keywords if keyword.arg}
        name = last_name(node.func) or ""
        base = self.value(node.func.value, scope) if isinstance(node.func, ast.Attribute) else None
        if isinstance(base, Instance):
            return self._call_method(base, name, arguments, named)
        if self._is_value(node.func, scope):
            return self._call_value(self.value(node.func, scope), arguments, named)
        made = self._make_value(name, arguments, named)
        if made is not None:
            return made
        if isinstance(base, (Shaped, Anything)) and not self._is_library(node.func):
            return self._call_tensor_method(base, name, arguments, node)
        return self._call_torch_function(name, node, arguments)

    def _is_value(self, function: ast.expr, scope: Scope) -> bool:
        """Return whether what is called was computed: a variable, an element, the result of another call."""
        if isinstance(function, ast.Name):
            return function.id in scope or function.id in self.program.first_assignments
        return isinstance(function, (ast.Call, ast.Subscript))

    def _is_library(self, function: ast.expr) -> bool:
        """Return whether `a.b.f` starts at an imported module, not at a value."""
        root = dotted_name(function).split(".")[0]
        return bool(root) and (root in self.program.names or root in ("torch", "nn", "F"))

    def _make_value(self, name: str, arguments: list[object], named: Scope) -> object:
        if name in ("Sequential", "ModuleList"):
            items = arguments[0].items if len(arguments) == 1 and isinstance(arguments[0], Several) else arguments
            return Several(list(items), called=name == "Sequential")
        if name in LAYERS or (name in SAME_SHAPE and name[:1].isupper()):
            return _make_layer(name, arguments, named)
        owner = self.program.classes.get(name)
        if owner is None or self.depth >= DEPTH:
            return None
        constructor = self.program.find_method(owner, "__init__")
        return self.make_instance(owner, self._bind_arguments(constructor, arguments, named))

    def _bind_arguments(self, node: Function | None, arguments: list[object], named: Scope, skip: int = 1) -> Scope:
        taken = parameters_of(node)[skip:] if node is not None else ()
        return dict(filled_parameters(taken, arguments, named.items()))

    def _call_method(self, base: Instance, name: str, arguments: list[object], named: Scope) -> object:
        if name in base.attributes:
            return self._call_value(base.attributes[name], arguments, named)
        if name in ("train", "eval"):
            return base
        return self._run_function(base, self.program.find_method(base.owner, name), arguments, named)

    def _run_function(
        self, base: Instance | None, node: Function | None, arguments: list[object], named: Scope
    ) -> object:
        if node is None or self.depth >= DEPTH:
            return Anything()
        given = parameters_of(node)
        skip = 1 if base is not None else 0
        scope = {p.name: self._default_value(p.default) for p in given}
        scope.update(self._bind_arguments(node, arguments, named, skip))
        if base is not None and given:
            scope[given[0].name] = base
        self.depth += 1
        try:
            found = self.body(node.body, scope)
        finally:
            self.depth -= 1
        return found if found is not None else Anything()

    def _call_value(self, callee: object, arguments: list[object], named: Scope) -> object:
        if isinstance(callee, Layer):
            if callee.name in SAME_SHAPE:
                return apply_elementwise(arguments[:1])
            found = call_layer(callee, arguments)
            return (
                Several([found, Anything()]) if callee.name in ("LSTM", "GRU", "RNN", "MultiheadAttention") else found
            )
        if isinstance(callee, Several) and callee.called:
            for item in callee.items:
                arguments = [self._call_value(item, arguments, named)]
            return arguments[0] if arguments else Anything()
        if isinstance(callee, Instance):
            return self._run_function(callee, self.program.find_method(callee.owner, "forward"), arguments, named)
        return Anything()

    def _call_tensor_method(self, base: object, name: str, arguments: list[object], node: ast.Call) -> object:
        found = as_tensor(base) if isinstance(base, Shaped) or name in _TENSOR_ONLY or name in FUNCTIONS else None
        if found is None or name in ("item", "tolist", "numpy"):
            return Anything()
        reshape = _RESHAPING.get(name)
        if reshape is not None:
            return reshape(found, arguments)
        return self._call_torch_function(name, node, [found, *arguments])

    def _call_torch_function(self, name: str, node: ast.Call, arguments: list[object]) -> object:
        inner = self.program.definitions.get(name) if isinstance(node.func, ast.Name) else None
        if inner is not None:
            named: Scope = {keyword.arg: Anything() for keyword in node.keywords if keyword.arg}
            return self._run_function(None, inner.node, arguments, named)
        if name in _BY_WORDS or name in _JOINING or name == "Parameter":
            made = _combine(name, arguments)
            if made is not None:
                return made
        return self._call_op(name, node, arguments)

    def _call_op(self, name: str, node: ast.Call, arguments: list[object]) -> object:
        """Return the result of a function of torch that is known by its signature."""
        if self._is_torch(node.func):
            if name in _CREATING:
                return _tensor_of_sizes(arguments)
            if name in FUNCTIONS:
                return call_function(name, arguments)
            if name in SAME_SHAPE:
                return apply_elementwise(arguments)
        return Shaped() if self._is_library(node.func) and dotted_name(node.func).startswith("torch.") else Anything()

    def _is_torch(self, function: ast.expr) -> bool:
        return isinstance(function, ast.Attribute) or (
            isinstance(function, ast.Name) and function.id in self.program.names
        )


def _tensor_of_sizes(arguments: list[object]) -> Shaped:
    """Return a new tensor of these sizes."""
    sizes = arguments[0].items if len(arguments) == 1 and isinstance(arguments[0], Several) else arguments
    if len(arguments) == 1 and isinstance(arguments[0], (Shape, Anything)):
        return Shaped()
    return Shaped(closed_row(tuple(as_dim(size) or Dim() for size in sizes)))


def _make_layer(name: str, arguments: list[object], named: Scope) -> Layer:
    """Return a layer of torch with the sizes that its constructor is given."""
    names = LAYERS.get(name, ("", ""))[0].split()
    sizes = {
        **dict(zip(names, arguments, strict=False)),
        **{_SIZE_NAMES.get(key, key): value for key, value in named.items()},
    }
    known = ((key, as_dim(value)) for key, value in sizes.items() if key in names)
    return Layer(name, tuple((key, dim) for key, dim in known if dim is not None))


def _combine(name: str, arguments: list[object]) -> object:
    """Return the result of a function that is told in words what to do, or that joins tensors; None for others."""
    first, second = (*arguments, None, None)[:2]
    if name == "einsum" and isinstance(first, str):
        return apply_einsum(first, arguments[1:])
    if name in _REARRANGING and isinstance(second, str):
        return rearrange_dims(first, second)
    if name in _JOINING and isinstance(first, Several):
        for item in first.items:
            as_tensor(item)
        return Shaped()
    return first if name == "Parameter" else None


def _sizes_in(arguments: list[object]) -> list[object]:
    """Return sizes, which are given one by one or as a sequence."""
    return arguments[0].items if arguments and isinstance(arguments[0], Several) else arguments


def _take_size(found: Shaped, arguments: list[object]) -> object:
    return dim_of(found, arguments[0]) if arguments and isinstance(arguments[0], int) else Shape(found)


def _permute_dims(found: Shaped, arguments: list[object]) -> object:
    order = _sizes_in(arguments)
    dims = fix_rank(found.row, len(order))
    known = [position for position in order if isinstance(position, int) and -len(dims) <= position < len(dims)]
    return Shaped(closed_row(tuple(dims[position] for position in known))) if len(known) == len(dims) else Shaped()


def _view_tensor(found: Shaped, arguments: list[object]) -> object:
    sizes = _sizes_in(arguments)
    return view_in_sizes(found, sizes) if sizes else Shaped()


_RESHAPING: dict[str, Callable[[Shaped, list[object]], object]] = {
    "size": _take_size,
    "permute": _permute_dims,
    "dims": _permute_dims,
    "t": lambda found, _: Shaped(closed_row(fix_rank(found.row, 2)[::-1])),
    "view": _view_tensor,
    "reshape": _view_tensor,
    "transpose": swap_dims,
    "swapaxes": swap_dims,
}
"""Methods that give a tensor another shape."""
