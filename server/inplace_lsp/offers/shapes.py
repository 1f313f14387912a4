"""What the text of a file tells about the shape and the element type of its expressions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from inplace_lsp.offers import ops
from inplace_lsp.offers.extents import Extents
from inplace_lsp.offers.forms import BOOLS, MATRIX, Form, Symbol, as_floats, at_most, lower, make_unknown
from inplace_lsp.offers.layer_forms import run_layer
from inplace_lsp.offers.layers import Layers
from inplace_lsp.offers.memory import adds_to, assigned_value, binds
from inplace_lsp.offers.reading import Function, Reading, is_number, is_whole_number
from inplace_lsp.torch_ops.table import find_module

_DEEPEST = 80
_FILLED = frozenset({"torch.ones", "torch.zeros", "torch.rand", "torch.randn"})
_TRIANGLES = frozenset({"tril", "triu"})
_KEEPING = frozenset({*ops.KEEPING_INTEGERS, *_TRIANGLES, "clone", "contiguous", "detach"})
_RESHAPING = frozenset({"view", "reshape", "flatten"})
"""The methods whose arguments say how many dimensions the result has, whatever the tensor is."""
_REARRANGING = _RESHAPING | {"transpose", "unsqueeze"}
_TESTS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_ASKS = frozenset({"isnan", "isinf", "isfinite"})


class Shapes:
    """The forms of the expressions of a file."""

    def __init__(self, reading: Reading, layers: Layers) -> None:
        self._reading, self._layers = reading, layers
        self._extents = Extents(reading, layers)
        self._known: dict[int, Form | None] = {}
        self._depth = 0

    def fits_into(self, other: ast.expr, operand: ast.expr) -> bool:
        """Return whether an op of both has the shape and the element type of `operand`, which holds floats."""
        wide, own = self.describe(operand), self.describe(other)
        if wide is None or own is None or not own.fits_into(wide):
            return False
        return own.type in (wide.type, as_floats(wide.type))

    def masks(self, mask: ast.expr, operand: ast.expr) -> bool:
        """Return whether a mask is no larger than the operand."""
        wide, own = self.describe(operand), self.describe(mask)
        return wide is not None and own is not None and own.fits_into(wide)

    def describe(self, node: ast.expr) -> Form | None:
        """Return the form of the tensor that an expression gives; None if nothing is known of it."""
        if id(node) not in self._known:
            self._known[id(node)] = None
            if self._depth < _DEEPEST:
                self._depth += 1
                self._known[id(node)] = self._name_dims(self._read(node), node)
                self._depth -= 1
        return self._known[id(node)]

    def _read(self, node: ast.expr) -> Form | None:
        if isinstance(node, ast.Name):
            return self._read_name(node)
        if isinstance(node, ast.Attribute):
            return self._read_buffer(node)
        if isinstance(node, ast.Subscript):
            return self._read_slices(node)
        if isinstance(node, ast.UnaryOp):
            return self.describe(node.operand)
        if isinstance(node, ast.Compare):
            return self._read_test(node)
        if isinstance(node, ast.BinOp):
            return self._read_arithmetic(node)
        return self._read_call(node) if isinstance(node, ast.Call) else None

    # Names

    def _read_name(self, name: ast.Name) -> Form | None:
        bound = self._find_binding(name)
        if isinstance(bound, ast.expr):
            return self.describe(bound) or make_unknown(id(bound))
        return make_unknown((name.id, id(bound))) if bound is not None else None

    def _find_binding(self, name: ast.Name) -> ast.AST | None:
        """Return what a variable was set to when an expression reads it: the expression; the statement that takes it
        out of a tuple; the function whose argument it is. None if that depends."""
        function = self._reading.scope_of(name)
        if not isinstance(function, Function):
            return None
        statement: ast.AST = self._reading.statement_of(name)
        while statement is not function:
            for before in reversed(self._reading.list_before(statement)):
                if binds(before, name.id) and not adds_to(before, name.id):
                    return assigned_value(before, name.id) or (before if _takes_apart(before, name.id) else None)
            statement = self._reading.parents[statement]
            if _may_bind_around(statement, name.id):
                return None
        return function if _has_parameter(function.args, name.id) else None

    def _read_buffer(self, node: ast.Attribute) -> Form | None:
        """Read `self.mask`, registered as a buffer by one call in sight."""
        if not isinstance(node.value, ast.Name) or any(
            not isinstance(use.ctx, ast.Load) for use in self._layers.find_uses(node.attr)
        ):
            return None
        made = [call for call in self._buffer_calls if _is_text(call.args[0], node.attr)]
        return self.describe(made[0].args[1]) if len(made) == 1 else None

    @cached_property
    def _buffer_calls(self) -> list[ast.Call]:
        return [
            node
            for node in self._reading.nodes
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "register_buffer"
            and len(node.args) > 1
        ]

    # Names of dimensions

    def _name_dims(self, form: Form | None, node: ast.expr) -> Form | None:
        """Return the form with the names that the function gives its dimensions: `B, T, C = x.shape`."""
        function = self._reading.scope_of(node)
        if form is None or not form.head or not isinstance(function, Function):
            return form
        for named, dims in self._named_before(node.lineno, function):
            known = self._known.get(id(named))
            if known is None and id(named) not in self._known:
                known = self.describe(named)
            if known is not None and known.shape == form.shape:
                return replace(form, head="", dims=dims)
        return form

    def _named_before(self, row: int, function: Function) -> Iterator[tuple[ast.expr, tuple[Symbol, ...]]]:
        """Yield the tensors whose dimensions the function has given names to when it comes to a row."""
        for statement in function.body:
            if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Tuple):
                continue
            value, names = _find_sized_tensor(statement.value), statement.targets[0].elts
            if value is not None and statement.lineno < row and all(isinstance(name, ast.Name) for name in names):
                yield value, tuple(map(self._extents.read, names))

    # Ops

    def _read_arithmetic(self, node: ast.BinOp) -> Form | None:
        left, right = node.left, node.right
        if isinstance(node.op, ast.MatMult):
            return self._multiply(self.describe(left), self.describe(right), node)
        if is_number(left):
            left, right = right, left
        own = self.describe(left)
        if own is None or not isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
            return None
        result = _make_floats(own) if isinstance(node.op, ast.Div) else own
        if is_number(right):
            return result if is_whole_number(right) else _make_floats(own)
        other = self.describe(right)
        return result if other is not None and other.fits_into(own) and other.type == own.type else None

    def _multiply(self, left: Form | None, right: Form | None, node: ast.expr) -> Form | None:
        if left is None or right is None or left.type != right.type or len(right.dims) < MATRIX or not left.dims:
            return None
        is_matrix = not right.head and len(right.dims) == MATRIX
        alike = (left.head, left.dims[:-2]) == (right.head, right.dims[:-2]) and len(left.dims) >= MATRIX
        if not is_matrix and not alike:
            return None
        return replace(left, dims=(*left.dims[:-1], right.dims[-1]), type=self._lower(left.type, node))

    def _run_layer(self, form: Form, maker: ast.Call, call: ast.Call) -> Form | None:
        """Return what a layer makes of a tensor: `self.fc(x)`, with the call that makes the layer."""
        name = self._reading.find_dotted_name(maker.func)
        module = find_module(name)
        if module is None or any(word.arg in (None, "dtype") for word in maker.keywords):
            return None
        if (op := module.call.rpartition(".")[2]) in ops.KEEPING_DTYPE:
            return _apply(op, form)
        result = run_layer(form, name.rpartition(".")[2], maker, module.init, self._extents)
        is_product = result is not None and isinstance(result.type, tuple) and result.type[0] == "low"
        return replace(result, type=self._lower(form.type, call)) if result is not None and is_product else result

    def _lower(self, kind: Symbol, node: ast.expr) -> Symbol:
        """Return the type of a product that is computed at a place: autocast may be on around it."""
        around = tuple(id(part) for part in self._reading.ancestors(node) if isinstance(part, ast.With))
        low = lower(kind)
        return (*low[:2], around) if isinstance(low, tuple) else low

    def _read_test(self, node: ast.Compare) -> Form | None:
        if len(node.ops) != 1 or not isinstance(node.ops[0], _TESTS):
            return None
        own, other = self.describe(node.left), node.comparators[0]
        if own is None or not (is_number(other) or self.fits_into(other, node.left)):
            return None
        return replace(own, type=BOOLS)

    def _read_slices(self, node: ast.Subscript) -> Form | None:
        """Read `x[:, :, :n, None]`."""
        form = self.describe(node.value)
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if form is None or form.head:
            return None
        dims: list[Symbol] = []
        left = list(form.dims)
        for index in indices:
            if isinstance(index, ast.Constant) and index.value is None:
                dims.append(1)
            elif not left:
                return None
            elif isinstance(index, ast.Slice):
                dims.append(self._slice(left.pop(0), index))
            elif is_whole_number(index):
                left.pop(0)
            else:
                return None
        return replace(form, dims=(*dims, *left))

    def _slice(self, extent: Symbol, index: ast.Slice) -> Symbol:
        if index.lower is None and index.step is None:
            return extent if index.upper is None else at_most(self._extents.read(index.upper))
        return "of", id(index)

    def _read_call(self, call: ast.Call) -> Form | None:
        if any(isinstance(argument, ast.Starred) for argument in call.args):
            return None
        name = self._reading.find_dotted_name(call.func)
        if name:
            return self._read_function(call, name)
        maker = self._layers.find_maker(call)
        if maker is not None:
            form = self.describe(call.args[0]) if len(call.args) == 1 else None
            return self._run_layer(form, maker, call) if form is not None else None
        return self._read_method(call, call.func) if isinstance(call.func, ast.Attribute) else None

    def _read_function(self, call: ast.Call, name: str) -> Form | None:
        if name in _FILLED:
            return self._read_filled(call)
        if name == "torch.arange" and len(call.args) == 1:
            return Form("", (self._extents.read(call.args[0]),), ("made", id(call)))
        if not call.args:
            return None
        op = name.rpartition(".")[2]
        names_type = any(word.arg == "dtype" for word in call.keywords)
        if not names_type and (op in _KEEPING or op in ops.KEEPING_DTYPE or name in ops.NOISE):
            return _apply(op, self.describe(call.args[0]))
        return self._apply_function(op, call, call.args)

    def _read_filled(self, call: ast.Call) -> Form:
        """Read `torch.zeros(b, n)`, `torch.zeros((b, n))`."""
        sizes = call.args[0].elts if len(call.args) == 1 and isinstance(call.args[0], ast.Tuple) else call.args
        options = {str(word.arg) for word in call.keywords}
        return Form("", tuple(map(self._extents.read, sizes)), ("made", *sorted(options), id(call)))

    def _apply_function(self, op: str, call: ast.Call, arguments: Sequence[ast.expr]) -> Form | None:
        """Return the form of what a function makes that changes the shape or the element type of its tensor."""
        if op == "flatten" and _keeps_first_alone(arguments[1:], call.keywords):
            form = self.describe(arguments[0])
            return _flatten(form, call) if form is not None else None
        if op in _ASKS:
            form = self.describe(arguments[0])
            return replace(form, type=BOOLS) if form is not None else None
        if op in ("matmul", "bmm") and len(arguments) == len(("input", "other")):
            return self._multiply(self.describe(arguments[0]), self.describe(arguments[1]), call)
        return None

    def _read_method(self, call: ast.Call, function: ast.Attribute) -> Form | None:
        form, op = self.describe(function.value), function.attr
        if form is None and op in _RESHAPING:
            form = make_unknown(id(function.value))
        if form is None:
            return None
        if op in _REARRANGING:
            return self._rearrange(op, form, call)
        if (op == "bool" or op in _ASKS) and not call.args:
            return replace(form, type=BOOLS)
        if op == "masked_fill" and len(call.args) == len(("mask", "value")):
            return form if self.masks(call.args[0], function.value) else None
        return _apply(op, form) if op in _KEEPING or op in ops.KEEPING_DTYPE else None

    def _rearrange(self, op: str, form: Form, call: ast.Call) -> Form | None:
        """Return the form of what a method makes that gives its tensor other dimensions."""
        given = call.args
        if op in ("view", "reshape") and given and not call.keywords:
            return self._reshape(form, given)
        if op == "flatten" and _keeps_first_alone(given, call.keywords):
            return _flatten(form, call)
        if op == "transpose" and len(given) == len(("dim0", "dim1")):
            return _transpose(form, given)
        if op == "unsqueeze" and len(given) == 1 and not form.head:
            at = _read_index(given[0], len(form.dims) + 1)
            return replace(form, dims=(*form.dims[:at], 1, *form.dims[at:])) if at is not None else None
        return None

    def _reshape(self, form: Form, sizes: Sequence[ast.expr]) -> Form | None:
        if len(sizes) == 1 and isinstance(sizes[0], (ast.Name, ast.Attribute, ast.Call, ast.Starred)):
            return None
        sizes = sizes[0].elts if isinstance(sizes[0], (ast.Tuple, ast.List)) else sizes
        return Form("", tuple(map(self._extents.read, sizes)), form.type)


def _apply(op: str, form: Form | None) -> Form | None:
    """Return the form of what an op makes that leaves the shape as it is, and the type of floats."""
    return form if form is None or op not in ops.KEEPING_DTYPE - ops.KEEPING_INTEGERS else _make_floats(form)


def _make_floats(form: Form) -> Form:
    return replace(form, type=as_floats(form.type))


def _keeps_first_alone(given: Sequence[ast.expr], named: Sequence[ast.keyword]) -> bool:
    """Return whether `flatten` is given nothing but that it starts at the second dimension."""
    values = [*given, *(word.value for word in named if word.arg == "start_dim")]
    return len(values) == len(given) + len(named) == 1 and ast.unparse(values[0]) == "1"


def _flatten(form: Form, call: ast.Call) -> Form:
    """Return the form of `x.flatten(1)`, which has two dimensions."""
    first = form.dims[0] if not form.head and form.dims else ("first of", form.shape)
    return Form("", (first, ("of", id(call))), form.type)


def _transpose(form: Form, at: Sequence[ast.expr]) -> Form | None:
    first, second = (_read_index(index, len(form.dims), counted=not form.head) for index in at)
    if first is None or second is None:
        return None
    dims = list(form.dims)
    dims[first], dims[second] = dims[second], dims[first]
    return replace(form, dims=tuple(dims))


def _read_index(node: ast.expr, rank: int, *, counted: bool = True) -> int | None:
    """Return the number of a dimension among the last `rank` ones. `counted`: there are no others."""
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    value = node.operand if isinstance(node, ast.UnaryOp) else node
    if not isinstance(value, ast.Constant) or type(value.value) is not int:
        return None
    at = rank - value.value if negative else value.value
    return at if 0 <= at < rank and (negative or counted) else None


def _find_sized_tensor(node: ast.expr) -> ast.expr | None:
    """Return the tensor whose shape an expression asks for."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "size":
        return node.func.value if not node.args else None
    return node.value if isinstance(node, ast.Attribute) and node.attr == "shape" else None


def _takes_apart(statement: ast.stmt, name: str) -> bool:
    """Return whether a statement sets a variable to a part of a tuple."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    target = statement.targets[0]
    return isinstance(target, ast.Tuple) and any(isinstance(part, ast.Name) and part.id == name for part in target.elts)


def _has_parameter(parameters: ast.arguments, name: str) -> bool:
    """Return whether a parameter has the name; `*args` and `**options` do not count."""
    listed = (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs)
    return any(parameter.arg == name for parameter in listed)


def _may_bind_around(node: ast.AST, name: str) -> bool:
    """Return whether a compound statement may bind a variable before a statement of its block runs."""
    if isinstance(node, Function):
        return False
    return _binds_at_its_head(node, name) if isinstance(node, (ast.If, ast.With)) else binds(node, name)


def _binds_at_its_head(node: ast.If | ast.With, name: str) -> bool:
    """Return whether a compound statement binds a variable before its block: `with f() as x`, `if (x := f())`."""
    head = [node.test] if isinstance(node, ast.If) else node.items
    return any(
        isinstance(part, ast.Name) and part.id == name and _is_stored(part) for one in head for part in ast.walk(one)
    )


def _is_stored(node: ast.Name | ast.Attribute) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _is_text(node: ast.expr, text: str) -> bool:
    return isinstance(node, ast.Constant) and node.value == text
