"""A walk over a function's source that collects what it asks of the shapes of its parameters.

No value is computed but sizes: constructor arguments are numbers already chosen, so that `nn.Linear(dim, 3 * dim)` is a
layer of known width. Both branches of an `if` are walked where its test is open. What is not understood is skipped:
the result orders the search for inputs and nothing more.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable

from inplace_lsp.verify.inputs.dims import Dim, at_least, behind, closed, equate, fix_rank, take, unify
from inplace_lsp.verify.inputs.program import Function, Program, dotted, last_name, parameters
from inplace_lsp.verify.inputs.signatures import FUNCTIONS, LAYERS, SAME_SHAPE
from inplace_lsp.verify.inputs.sketch import (
    Anything,
    Instance,
    Layer,
    Several,
    Shape,
    Shaped,
    call_function,
    call_layer,
    tensor,
)

STEPS = 6000
DEPTH = 6
_ARITHMETIC: dict[type, Callable[..., object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: lambda a, b: a**b if abs(b) < 64 else None,
}
_COMPARISONS: dict[type, Callable[..., object]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_PLAIN = (int, float, str, bool, type(None))
Scope = dict[str, object]


class OutOfStepsError(Exception):
    """The function is too long to be walked whole; what was collected stands."""


class Walk:
    """One walk; `steps` bounds it over all functions it enters."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.steps = STEPS
        self.depth = 0

    def function(self, node: Function, scope: Scope) -> None:
        """Walk a function whose parameters are in `scope`."""
        try:
            self._body(node.body, scope)
        except (OutOfStepsError, RecursionError):
            return

    def instance(self, owner: ast.ClassDef, given: Scope) -> Instance:
        """An object of a class of the file, made with these constructor arguments."""
        made = Instance(owner)
        node = self.program.method(owner, "__init__")
        if node is not None and self.depth < DEPTH:
            first, *rest = parameters(node)
            scope: Scope = {p.name: given.get(p.name, self._default(p.default)) for p in rest}
            self.depth += 1
            try:
                self._body(node.body, {**scope, first.name: made})
            finally:
                self.depth -= 1
        return made

    def _default(self, node: ast.expr | None) -> object:
        return Anything() if node is None else self.value(node, {})

    # Statements

    def _body(self, body: Iterable[ast.stmt], scope: Scope) -> object:
        result: object = None
        for node in body:
            self.steps -= 1
            if self.steps < 0:
                raise OutOfStepsError
            found = self._statement(node, scope)
            result = found if found is not None else result
        return result

    def _statement(self, node: ast.stmt, scope: Scope) -> object:
        match node:
            case ast.Assign(targets=targets, value=value):
                found = self.value(value, scope)
                for target in targets:
                    self._assign(target, found, scope)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, self.value(value, scope), scope)
            case ast.AugAssign(target=target, op=op, value=value):
                self._both(self.value(target, scope), self.value(value, scope), op)
            case ast.Expr(value=value):
                self.value(value, scope)
            case ast.Return(value=ast.expr() as value):
                return self.value(value, scope)
            case ast.If(test=test, body=body, orelse=orelse):
                return self._if(test, body, orelse, scope)
            case ast.For(target=target, iter=source, body=body, orelse=orelse):
                for item in self._iterate(self.value(source, scope)):
                    self._assign(target, item, scope)
                    self._body(body, scope)
                return self._body(orelse, scope)
            case ast.With(body=body) | ast.Try(body=body):
                return self._body(body, scope)
            case ast.While(test=test, body=body):
                self.value(test, scope)
                return self._body(body, scope)
            case ast.Assert(test=test):
                self._assert(test, scope)
        return None

    def _if(self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt], scope: Scope) -> object:
        known = self.value(test, scope)
        if isinstance(known, _PLAIN) and known is not None:
            return self._body(body if known else orelse, scope)
        if body and isinstance(body[-1], ast.Raise):
            return self._body(orelse, scope)
        first, second = self._body(body, scope), self._body(orelse, scope)
        return first if first is not None else second

    def _assert(self, test: ast.expr, scope: Scope) -> None:
        match test:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                first, second = self.value(left, scope), self.value(right, scope)
                if isinstance(first, Dim) and isinstance(second, (Dim, int)):
                    equate(first, second if isinstance(second, Dim) else Dim(value=second))
            case ast.BoolOp(op=ast.And(), values=values):
                for value in values:
                    self._assert(value, scope)

    def _iterate(self, value: object) -> list[object]:
        if isinstance(value, Several):
            return value.items[:8]
        found = tensor(value) if isinstance(value, Shaped) else None
        if found is not None:
            at_least(found.row, 1)
        return [Anything()]

    def _assign(self, target: ast.expr, value: object, scope: Scope) -> None:
        match target:
            case ast.Name(id=name):
                scope[name] = value
            case ast.Attribute(value=base, attr=name):
                holder = self.value(base, scope)
                if isinstance(holder, Instance):
                    holder.attributes.setdefault(name, value)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                for one, item in zip(targets, self._unpack(targets, value), strict=False):
                    self._assign(one, item, scope)
            case ast.Subscript():
                self.value(target, scope)

    def _unpack(self, targets: list[ast.expr], value: object) -> list[object]:
        if isinstance(value, Several):
            return value.items + [Anything() for _ in targets[len(value.items) :]]
        if isinstance(value, Shape):
            starred = [i for i, one in enumerate(targets) if isinstance(one, ast.Starred)]
            if starred:
                after = len(targets) - starred[0] - 1
                at_least(value.of.row, len(targets) - 1)
                return [Anything() for _ in targets[:-after]] + list(take(value.of.row, after)) if after else []
            dims = fix_rank(value.of.row, len(targets))
            for one, dim in zip(targets, dims, strict=False):
                if isinstance(one, ast.Name) and not dim.root().name:
                    dim.root().name = one.id
            return list(dims)
        return [Anything() for _ in targets]

    # Expressions

    def value(self, node: ast.expr, scope: Scope) -> object:
        """What an expression is, as far as it is known."""
        self.steps -= 1
        if self.steps < 0:
            raise OutOfStepsError
        match node:
            case ast.Constant(value=value):
                return value if isinstance(value, _PLAIN) else Anything()
            case ast.Name(id=name):
                return scope[name] if name in scope else Anything()
            case ast.Attribute(value=base, attr=name):
                return self._attribute(self.value(base, scope), name)
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return Several([self.value(item, scope) for item in items if not isinstance(item, ast.Starred)])
            case ast.BinOp(left=left, op=op, right=right):
                return self._both(self.value(left, scope), self.value(right, scope), op)
            case ast.UnaryOp(op=op, operand=operand):
                return self._unary(op, self.value(operand, scope))
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._compare(self.value(left, scope), ops, [self.value(one, scope) for one in others])
            case ast.BoolOp(op=op, values=values):
                return self._bool(op, [self.value(one, scope) for one in values])
            case ast.IfExp(test=test, body=body, orelse=orelse):
                known = self.value(test, scope)
                chosen, other = self.value(body, scope), self.value(orelse, scope)
                return other if isinstance(known, _PLAIN) and not known else chosen
            case ast.Subscript(value=base, slice=index):
                return self._subscript(self.value(base, scope), index, scope)
            case ast.Call():
                return self._call(node, scope)
            case ast.ListComp(elt=element, generators=[ast.comprehension(target=target, iter=source)]):
                return self._comprehension(element, target, source, scope)
            case ast.NamedExpr(target=target, value=value):
                found = self.value(value, scope)
                self._assign(target, found, scope)
                return found
        return Anything()

    def _comprehension(self, element: ast.expr, target: ast.expr, source: ast.expr, scope: Scope) -> object:
        items = []
        for item in self._iterate(self.value(source, scope)):
            inner = dict(scope)
            self._assign(target, item, inner)
            items.append(self.value(element, inner))
        return Several(items)

    def _attribute(self, base: object, name: str) -> object:
        if isinstance(base, Instance):
            return base.attributes.get(name, Anything())
        if name in ("T", "mT", "H", "data", "grad", "shape", "ndim", "real"):
            found = tensor(base)
            if found is not None:
                return self._of_tensor(found, name)
        return Anything()

    def _of_tensor(self, found: Shaped, name: str) -> object:
        if name == "shape":
            return Shape(found)
        if name in ("T", "mT"):
            n, m = take(found.row, 2)[-2:] if len(take(found.row, 2)) == 2 else (Dim(), Dim())
            return Shaped(closed((m, n)))
        return found if name in ("data", "grad") else Anything()

    def _both(self, left: object, right: object, op: ast.operator) -> object:
        if isinstance(op, ast.MatMult):
            return call_function("matmul", [left, right])
        if isinstance(left, (int, float, str)) and isinstance(right, (int, float, str)):
            try:
                return _ARITHMETIC[type(op)](left, right)
            except (KeyError, TypeError, ValueError, ArithmeticError):
                return Anything()
        if isinstance(left, Several) and isinstance(right, Several):
            return Several(left.items + right.items)
        if isinstance(left, Dim) or isinstance(right, Dim):
            return self._size(left, right, op)
        return _elementwise([left, right])

    def _size(self, left: object, right: object, op: ast.operator) -> object:
        first, second = (one.root().value if isinstance(one, Dim) else one for one in (left, right))
        if isinstance(first, int) and isinstance(second, int):
            return self._both(first, second, op)
        return Anything() if isinstance(left, Anything) or isinstance(right, Anything) else Dim()

    def _unary(self, op: ast.unaryop, operand: object) -> object:
        if isinstance(operand, (int, float)) and isinstance(op, ast.USub):
            return -operand
        if isinstance(op, ast.Not):
            return not operand if isinstance(operand, _PLAIN) else Anything()
        found = tensor(operand) if isinstance(operand, Shaped) else None
        if found is not None and isinstance(op, ast.Invert):
            found.dtype = found.dtype or "bool"
        return operand

    def _compare(self, left: object, ops: list[ast.cmpop], others: list[object]) -> object:
        if len(others) == 1 and type(ops[0]) in _COMPARISONS:
            if isinstance(left, _PLAIN) and isinstance(others[0], _PLAIN):
                try:
                    return _COMPARISONS[type(ops[0])](left, others[0])
                except TypeError:
                    return Anything()
            if isinstance(left, Shaped):
                return Shaped(left.row, "bool")
        return Anything()

    def _bool(self, op: ast.boolop, values: list[object]) -> object:
        if not all(isinstance(value, _PLAIN) for value in values):
            decided = [v for v in values if isinstance(v, _PLAIN) and bool(v) == isinstance(op, ast.Or)]
            return decided[0] if decided and decided[0] is not None else Anything()
        for value in values[:-1]:
            if bool(value) == isinstance(op, ast.Or):
                return value
        return values[-1]

    def _subscript(self, base: object, index: ast.expr, scope: Scope) -> object:
        position = self.value(index, scope)
        if isinstance(base, Shape) and isinstance(position, int):
            return _dim_of(base.of, position)
        if isinstance(base, Several):
            if isinstance(position, int) and -len(base.items) <= position < len(base.items):
                return base.items[position]
            return Anything()
        if isinstance(index, (ast.Tuple, ast.Slice)) or isinstance(base, Shaped):
            found = tensor(base) if not isinstance(index, ast.Slice) or isinstance(base, Shaped) else None
            return _part(found, index, position) if found is not None else Anything()
        return Anything()

    # Calls

    def _call(self, node: ast.Call, scope: Scope) -> object:
        arguments = [self.value(one, scope) for one in node.args if not isinstance(one, ast.Starred)]
        named = {one.arg: self.value(one.value, scope) for one in node.keywords if one.arg}
        name = last_name(node.func) or ""
        base = self.value(node.func.value, scope) if isinstance(node.func, ast.Attribute) else None
        if isinstance(node.func, ast.Attribute) and isinstance(base, Instance):
            return self._method(base, name, arguments, named)
        if isinstance(node.func, ast.Name) and name in scope:
            return self._invoke(scope[name], arguments, named)
        if isinstance(node.func, (ast.Call, ast.Subscript)):
            return self._invoke(self.value(node.func, scope), arguments, named)
        made = self._make(name, node, arguments, named)
        if made is not None:
            return made
        if isinstance(base, (Shaped, Anything)) and not self._is_library(node.func):
            return self._tensor_method(base, name, arguments, node)
        return self._torch_function(name, node, arguments)

    def _is_library(self, function: ast.expr) -> bool:
        """Whether `a.b.f` starts at an imported module, not at a value."""
        root = dotted(function).split(".")[0]
        return bool(root) and (root in self.program.names or root in ("torch", "nn", "F"))

    def _make(self, name: str, node: ast.Call, arguments: list[object], named: Scope) -> object:
        if name in ("Sequential", "ModuleList"):
            items = arguments
            if len(items) == 1 and isinstance(items[0], Several):
                items = items[0].items
            return Several(list(items), called=name == "Sequential")
        if name in LAYERS or (name in SAME_SHAPE and name[:1].isupper()):
            names = LAYERS.get(name, ("", ""))[0].split()
            full = {"in_features": "i", "in_channels": "i", "num_embeddings": "v", "embed_dim": "d", "input_size": "i"}
            sizes = {**dict(zip(names, arguments, strict=False)), **{full.get(k, k): v for k, v in named.items()}}
            known = ((key, _as_dim(value)) for key, value in sizes.items() if key in names)
            return Layer(name, tuple((key, dim) for key, dim in known if dim is not None))
        owner = self.program.classes.get(name)
        if owner is not None and self.depth < DEPTH:
            return self.instance(owner, self._arguments(self.program.method(owner, "__init__"), arguments, named))
        return None

    def _arguments(self, node: Function | None, arguments: list[object], named: Scope, skip: int = 1) -> Scope:
        names = [p.name for p in parameters(node)[skip:] if p.kind == "plain"] if node is not None else []
        return {**dict(zip(names, arguments, strict=False)), **named}

    def _method(self, base: Instance, name: str, arguments: list[object], named: Scope) -> object:
        if name in base.attributes:
            return self._invoke(base.attributes[name], arguments, named)
        if name in ("train", "eval"):
            return base
        return self._run(base, self.program.method(base.owner, name), arguments, named)

    def _run(self, base: Instance | None, node: Function | None, arguments: list[object], named: Scope) -> object:
        if node is None or self.depth >= DEPTH:
            return Anything()
        given = parameters(node)
        skip = 1 if base is not None else 0
        scope = {p.name: self._default(p.default) for p in given}
        scope.update(self._arguments(node, arguments, named, skip))
        if base is not None and given:
            scope[given[0].name] = base
        self.depth += 1
        try:
            found = self._body(node.body, scope)
        finally:
            self.depth -= 1
        return found if found is not None else Anything()

    def _invoke(self, callee: object, arguments: list[object], named: Scope) -> object:
        if isinstance(callee, Layer):
            if callee.name in SAME_SHAPE:
                return _elementwise(arguments[:1])
            found = call_layer(callee, arguments)
            return (
                Several([found, Anything()]) if callee.name in ("LSTM", "GRU", "RNN", "MultiheadAttention") else found
            )
        if isinstance(callee, Several) and callee.called:
            for one in callee.items:
                arguments = [self._invoke(one, arguments, named)]
            return arguments[0] if arguments else Anything()
        if isinstance(callee, Instance):
            return self._run(callee, self.program.method(callee.owner, "forward"), arguments, named)
        return Anything()

    def _tensor_method(self, base: object, name: str, arguments: list[object], node: ast.Call) -> object:
        found = tensor(base) if isinstance(base, Shaped) or name in _TENSOR_ONLY or name in FUNCTIONS else None
        if found is None:
            return Anything()
        if name == "size":
            return _dim_of(found, arguments[0]) if arguments and isinstance(arguments[0], int) else Shape(found)
        if name in ("permute", "dims"):
            order = arguments[0].items if arguments and isinstance(arguments[0], Several) else arguments
            dims = fix_rank(found.row, len(order))
            known = [o for o in order if isinstance(o, int) and -len(dims) <= o < len(dims)]
            return Shaped(closed(tuple(dims[o] for o in known))) if len(known) == len(dims) else Shaped()
        if name in ("view", "reshape"):
            sizes = arguments[0].items if arguments and isinstance(arguments[0], Several) else arguments
            return Shaped(closed(tuple(_as_dim(size) or Dim() for size in sizes))) if sizes else Shaped()
        if name in ("transpose", "swapaxes"):
            return _transposed(found, arguments)
        if name in ("item", "tolist", "numpy"):
            return Anything()
        return self._torch_function(name, node, [found, *arguments])

    def _torch_function(self, name: str, node: ast.Call, arguments: list[object]) -> object:
        if isinstance(node.func, ast.Name):
            inner = self.program.definitions.get(name)
            if inner is not None:
                named: Scope = {one.arg: Anything() for one in node.keywords if one.arg}
                return self._run(None, inner.node, arguments, named)
        if name == "einsum" and arguments and isinstance(arguments[0], str):
            return _einsum(arguments[0], arguments[1:])
        if name in ("rearrange", "reduce", "repeat") and len(arguments) > 1 and isinstance(arguments[1], str):
            return _rearranged(arguments[0], arguments[1])
        if name in ("cat", "concat", "stack", "hstack", "vstack") and arguments and isinstance(arguments[0], Several):
            for one in arguments[0].items:
                tensor(one)
            return Shaped()
        if name in FUNCTIONS and self._is_torch(node.func):
            return call_function(name, arguments)
        if name in SAME_SHAPE and self._is_torch(node.func):
            return _elementwise(arguments)
        return Shaped() if self._is_library(node.func) and dotted(node.func).startswith("torch.") else Anything()

    def _is_torch(self, function: ast.expr) -> bool:
        return isinstance(function, ast.Attribute) or (
            isinstance(function, ast.Name) and function.id in self.program.names
        )


_TENSOR_ONLY = SAME_SHAPE | frozenset(
    """size view reshape permute transpose unsqueeze squeeze flatten mean sum expand chunk split unbind item backward
    contiguous narrow softmax numel dim new_zeros new_ones new_full new_tensor requires_grad_ is_floating_point amax
    amin argmax argmin norm std var topk sort any all t masked_fill matmul bmm unfold repeat expand_as view_as
    swapaxes""".split()
)


def _elementwise(values: list[object]) -> object:
    """The result of a pointwise op: its tensors have one shape, as far as nothing says otherwise."""
    found = [tensor(value) for value in values if isinstance(value, Shaped)]
    unknown = [value for value in values if isinstance(value, Anything)]
    shaped = [one for one in found if one is not None]
    if not shaped:
        return unknown[0] if len(unknown) == len(values) and unknown else Anything()
    for other in shaped[1:]:
        _, first = shaped[0].row.expand()
        _, second = other.row.expand()
        if all(dim.root().value != 1 for dim in (*first, *second)):
            unify(shaped[0].row, other.row)
    return Shaped(shaped[0].row)


def _as_dim(value: object) -> Dim | None:
    if isinstance(value, Dim):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return Dim(value=value)
    if isinstance(value, Several) and value.items:
        return _as_dim(value.items[-1])
    return None


def _dim_of(found: Shaped, position: int) -> object:
    if position < 0:
        dims = take(found.row, -position)
        return dims[position] if len(dims) >= -position else Anything()
    at_least(found.row, position + 1)
    front, dims = found.row.expand()
    return dims[position] if front is None and position < len(dims) else Dim()


def _transposed(found: Shaped, arguments: list[object]) -> object:
    front, dims = found.row.expand()
    if len(arguments) != 2 or not all(isinstance(one, int) for one in arguments):
        return Shaped()
    first, second = (int(one) for one in arguments)  # type: ignore[call-overload]
    if front is not None:
        if first < 0 and second < 0:
            count = max(-first, -second)
            dims = take(found.row, count)
            front, _ = found.row.expand()
        else:
            at_least(found.row, max(first, second) + 1)
            return Shaped()
    swapped = list(dims)
    if max(first, second) >= len(swapped) or min(first, second) < -len(swapped):
        return Shaped()
    swapped[first], swapped[second] = swapped[second], swapped[first]
    return Shaped(behind(front, tuple(swapped)) if front is not None else closed(tuple(swapped)))


def _part(found: Shaped, index: ast.expr, position: object) -> object:
    if isinstance(index, ast.Slice) or isinstance(position, int):
        at_least(found.row, 1)
        return Shaped()
    if isinstance(index, ast.Tuple):
        count = sum(not (isinstance(one, ast.Constant) and one.value in (None, ...)) for one in index.elts)
        at_least(found.row, count)
        return Shaped()
    if isinstance(position, Shaped) and position.dtype == "bool":
        unify(found.row, position.row)
    return Shaped()


def _einsum(equation: str, operands: list[object]) -> object:
    inputs, _, result = equation.replace(" ", "").partition("->")
    names: dict[str, Dim] = {}

    def row(letters: str) -> tuple[Dim, ...]:
        return tuple(names.setdefault(letter, Dim()) for letter in letters)

    for letters, operand in zip(inputs.split(","), operands, strict=False):
        found = tensor(operand)
        if found is not None and letters.isalpha():
            unify(found.row, closed(row(letters)))
    return Shaped(closed(row(result))) if result.isalpha() else Shaped()


def _rearranged(operand: object, pattern: str) -> object:
    left, _, right = pattern.partition("->")
    found = tensor(operand)
    if found is None or "..." in pattern:
        return Shaped()
    names: dict[str, Dim] = {}
    unify(found.row, closed(tuple(_axis(word, names) for word in _axes(left))))
    return Shaped(closed(tuple(_axis(word, names) for word in _axes(right))))


def _axes(side: str) -> list[str]:
    """The axes of one side of a rearrangement; `(h w)` is one."""
    words: list[str] = []
    depth = 0
    for word in side.replace("(", " ( ").replace(")", " ) ").split():
        if word in "()":
            depth += 1 if word == "(" else -1
            words += ["("] if word == "(" else []
        elif not depth:
            words.append(word)
    return words


def _axis(word: str, names: dict[str, Dim]) -> Dim:
    if word == "(":
        return Dim()
    return Dim(value=int(word)) if word.isdigit() else names.setdefault(word, Dim(name=word))
