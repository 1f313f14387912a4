"""The ops of a file that could write in place, as far as its text tells: each with the edit that makes it do so."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inplace_lsp.hazards.finding import Edit
from inplace_lsp.offers import ops
from inplace_lsp.offers.layers import SEQUENTIAL, Layers
from inplace_lsp.offers.memory import Memory, assigned_value
from inplace_lsp.offers.ops import FUNCTIONAL
from inplace_lsp.offers.reading import Reading, is_number
from inplace_lsp.tape.model import Span
from inplace_lsp.torch_ops.model import Param
from inplace_lsp.torch_ops.table import find_module, find_overloads

_WRITES = {ast.Add: ("+", "add"), ast.Sub: ("-", "sub"), ast.Mult: ("*", "mul"), ast.Div: ("/", "div")}
_TESTS = frozenset({"isnan", "isinf", "isfinite"})
_NOISE = frozenset({"torch.rand_like", "torch.randn_like"})


@dataclass(frozen=True)
class Candidate:
    """An op that could write in place by an edit.

    `op` is how the program names it, `written` torch's name of the write (without the underscore); `name` the variable
    that it writes, "" for a value without a name. `at` is the statement of the op; of a layer that is to be made with
    `inplace=True`, the statement that makes it (`of_layer`). `keeps_input`: out of place, the op keeps what it was
    given until backward. `made`: what makes the memory that it writes.
    """

    op: str
    written: str
    name: str
    span: Span
    at: Span
    edits: tuple[Edit, ...]
    of_layer: bool
    keeps_input: bool
    made: tuple[Span, ...]


@dataclass(frozen=True)
class _Op:
    """An op in the text, with what it would write."""

    node: ast.expr
    operand: ast.expr
    name: str
    written: str
    edits: tuple[Edit, ...]
    keeps_input: bool = False


class Candidates:
    """The search of one file."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._layers = Layers(reading)
        self._memory = Memory(reading, self._layers)

    def find(self) -> Iterator[Candidate]:
        """Yield what could write in place; nothing where something in the text may hold tensors without a name."""
        if not self._reading.hides_nothing:
            return
        for node in self._reading.nodes:
            op = self._read_op(node)
            if op is not None and self._may_write(op.node, op.operand, op.written):
                yield self._describe_op(op)
        yield from self._find_attributes()
        yield from self._find_in_sequences()

    # Ops

    def _read_op(self, node: ast.AST) -> _Op | None:
        if isinstance(node, ast.BinOp):
            return self._read_arithmetic(node)
        if not isinstance(node, ast.Call) or any(isinstance(argument, ast.Starred) for argument in node.args):
            return None
        name = self._reading.find_dotted_name(node.func)
        if name.startswith(f"{FUNCTIONAL}."):
            return self._read_functional(node, name)
        return self._read_function(node, name) if name else self._read_method(node)

    def _read_functional(self, call: ast.Call, name: str) -> _Op | None:
        """Read `F.relu(x)`, which takes `inplace`."""
        written = name.rpartition(".")[2]
        if written not in ops.KEEPING_DTYPE or not call.args or not ops.saves_no_more_in_place(name):
            return None
        params = next(form.params for form in find_overloads(name))
        if not _leaves_option_open(call, params) or not _is_sign_kept(call, params, written):
            return None
        shown, edits = self._reading.code_of(call.func), (self._add_option(call),)
        return _Op(call, call.args[0], shown, written, edits, ops.keeps_input(name))

    def _read_function(self, call: ast.Call, name: str) -> _Op | None:
        """Read `torch.relu(x)`, which has a twin with an underscore."""
        written = name.removeprefix("torch.")
        if written not in ops.KEEPING_DTYPE or len(call.args) != 1 or call.keywords:
            return None
        if not isinstance(call.func, ast.Attribute) or not ops.saves_no_more_in_place(name, f"{name}_"):
            return None
        edits = (self._add_underscore(call.func),)
        return _Op(call, call.args[0], self._reading.code_of(call.func), written, edits)

    def _read_method(self, call: ast.Call) -> _Op | None:
        """Read `x.relu()` and `x.masked_fill(x < 0, 0.0)`."""
        function = call.func
        if not isinstance(function, ast.Attribute) or call.keywords:
            return None
        written, name = function.attr, f"torch.Tensor.{function.attr}"
        is_plain = written in ops.KEEPING_DTYPE and not call.args
        if not (is_plain or self._fills_by_own_values(call, function)):
            return None
        if not ops.saves_no_more_in_place(name, f"{name}_"):
            return None
        return _Op(call, function.value, f".{written}", written, (self._add_underscore(function),))

    def _fills_by_own_values(self, call: ast.Call, function: ast.Attribute) -> bool:
        """Return whether a call is `masked_fill` with a mask of the tensor's own shape: no other is certain to have
        it."""
        if function.attr != "masked_fill" or len(call.args) != 2 or not is_number(call.args[1]):
            return False
        mask, name = call.args[0], function.value
        if not isinstance(name, ast.Name):
            return False
        if isinstance(mask, ast.Compare):
            return _is_name(mask.left, name.id) and len(mask.ops) == 1 and is_number(mask.comparators[0])
        if not isinstance(mask, ast.Call):
            return False
        if isinstance(mask.func, ast.Attribute) and mask.func.attr in _TESTS and not mask.args:
            return _is_name(mask.func.value, name.id)
        tested = self._reading.find_dotted_name(mask.func).removeprefix("torch.") in _TESTS
        return tested and len(mask.args) == 1 and _is_name(mask.args[0], name.id)

    def _read_arithmetic(self, node: ast.BinOp) -> _Op | None:
        """Read `x * 2`, `x - x.mean()`, `x + torch.randn_like(x)`: what else has the shape and type of `x`, is not
        certain."""
        if type(node.op) not in _WRITES:
            return None
        symbol, written = _WRITES[type(node.op)]
        operand, other = node.left, node.right
        if is_number(operand) and isinstance(node.op, (ast.Add, ast.Mult)):
            operand, other = other, operand
        if not (isinstance(operand, (ast.Name, ast.Call))):
            return None
        fits = is_number(other) or (isinstance(node.op, (ast.Add, ast.Sub)) and self._is_shaped_alike(other, operand))
        if not fits:
            return None
        edits = self._write_arithmetic(node, operand, other, symbol, written)
        return _Op(node, operand, symbol, written, edits) if edits else None

    def _is_shaped_alike(self, node: ast.expr, operand: ast.expr) -> bool:
        """Return whether an expression over a variable is no larger than that, and of its type."""
        if not isinstance(operand, ast.Name):
            return False
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            factor, value = (node.left, node.right) if is_number(node.left) else (node.right, node.left)
            return is_number(factor) and self._is_shaped_alike(value, operand)
        if not isinstance(node, ast.Call):
            return False
        if self._reading.find_dotted_name(node.func) in _NOISE:
            return len(node.args) == 1 and not node.keywords and _is_name(node.args[0], operand.id)
        function = node.func
        is_mean = (
            isinstance(function, ast.Attribute) and function.attr == "mean" and _is_name(function.value, operand.id)
        )
        given = {word.arg: word.value for word in node.keywords}
        keeps = isinstance(given.get("keepdim"), ast.Constant) and getattr(given["keepdim"], "value", None) is True
        return is_mean and (not (node.args or given) or (keeps and given.keys() <= {"dim", "keepdim"}))

    def _write_arithmetic(
        self, node: ast.BinOp, operand: ast.expr, other: ast.expr, symbol: str, written: str
    ) -> tuple[Edit, ...]:
        """Write `x *= 2` where the statement binds the same variable, else `x.mul_(2)`; nothing where parentheses would
        have to go."""
        statement, value = self._reading.statement_of(node), self._reading.code_of(other)
        name = operand.id if isinstance(operand, ast.Name) else ""
        if name and isinstance(statement, ast.Assign) and assigned_value(statement, name) is node:
            return (Edit(f"{name} {symbol}= {value}", self._reading.span_of(statement)),)
        whole, kept = self._reading.span_of(node), self._reading.span_of(operand)
        front = Span(whole.file, whole.row, whole.column, kept.row, kept.column)
        back = Span(whole.file, kept.end_row, kept.end_column, whole.end_row, whole.end_column)
        parts = [self._reading.text_of(part).strip() for part in (front, back)]
        if parts not in (["", f"{symbol} {value}"], [f"{value} {symbol}", ""]):
            return ()
        return Edit("", front), Edit(f".{written}_({value})", back)

    def _may_write(self, node: ast.expr, operand: ast.expr, written: str) -> bool:
        """Return whether the operand's memory is the op's alone, and its element type that of the result."""
        if isinstance(operand, ast.Name):
            is_free = self._memory.is_dead_after(operand, node)
        else:
            is_free = self._memory.is_fresh(operand)
        return is_free and (written in ops.KEEPING_INTEGERS or self._memory.gives_floats(operand))

    def _describe_op(self, op: _Op) -> Candidate:
        name = op.operand.id if isinstance(op.operand, ast.Name) else ""
        span = self._reading.span_of(op.node)
        at = self._reading.span_of(self._reading.statement_of(op.node))
        made = self._list_makers(op.operand)
        return Candidate(op.name, op.written, name, span, at, op.edits, False, op.keeps_input, made)

    def _list_makers(self, operand: ast.expr) -> tuple[Span, ...]:
        maker = self._memory.find_value(operand) if isinstance(operand, ast.Name) else operand
        return (self._reading.span_of(maker),) if maker is not None else ()

    # Layers

    def _find_attributes(self) -> Iterator[Candidate]:
        """Yield the layers that attributes hold, each judged by all its calls."""
        for name, made in self._layers.list_stored():
            written = {self._read_layer(maker) for maker in made}
            if None in written or not self._layers.are_named:
                continue
            calls = [self._reading.parents[read] for read in self._layers.find_reads(name)]
            if calls and all(self._is_free_call(call, name, word) for call in calls for word in written if word):
                operands = [call.args[0] for call in calls if isinstance(call, ast.Call)]
                where = tuple(span for operand in operands for span in self._list_makers(operand))
                yield from (self._describe_layer(maker, f"self.{name}", where) for maker in made)

    def _is_free_call(self, call: ast.AST, name: str, written: str) -> bool:
        if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
            return False
        return self._layers.find_called_attribute(call) == name and self._may_write(call, call.args[0], written)

    def _find_in_sequences(self) -> Iterator[Candidate]:
        """Yield the layers of an `nn.Sequential(...)` that stand behind one whose result nobody keeps."""
        for node in self._reading.nodes:
            if isinstance(node, ast.Call) and self._reading.find_dotted_name(node.func) == SEQUENTIAL:
                for before, layer in zip(node.args, node.args[1:], strict=False):
                    if self._may_follow(before, layer) and self._layers.runs_as_a_whole(node):
                        yield self._describe_layer(layer, "", (self._reading.span_of(before),))

    def _may_follow(self, before: ast.expr, layer: ast.expr) -> bool:
        if not isinstance(before, ast.Call) or not ops.is_fresh_layer(self._reading.find_dotted_name(before.func)):
            return False
        return isinstance(layer, ast.Call) and self._read_layer(layer) is not None

    def _read_layer(self, maker: ast.Call) -> str | None:
        """Return the op of a layer that takes `inplace` and was not given it; None for any other."""
        module = find_module(self._reading.find_dotted_name(maker.func))
        written = module.call.rpartition(".")[2] if module is not None else ""
        if module is None or written not in ops.KEEPING_DTYPE or not ops.saves_no_more_in_place(module.call):
            return None
        if any(isinstance(argument, ast.Starred) for argument in maker.args):
            return None
        fits = _leaves_option_open(maker, module.init) and _is_sign_kept(maker, module.init, written)
        return written if fits else None

    def _describe_layer(self, maker: ast.expr, name: str, made: tuple[Span, ...]) -> Candidate:
        assert isinstance(maker, ast.Call)
        written = self._read_layer(maker) or ""
        span = self._reading.span_of(maker)
        at = self._reading.span_of(self._reading.statement_of(maker))
        keeps = ops.keeps_input(f"{FUNCTIONAL}.{written}")
        shown = self._reading.code_of(maker.func)
        return Candidate(shown, written, name, span, at, (self._add_option(maker),), True, keeps, made)

    # Edits

    def _add_option(self, call: ast.Call) -> Edit:
        """Give a call the argument `inplace=True`."""
        span, code = self._reading.span_of(call), self._reading.code_of(call)
        given = code[:-1].rstrip()
        separator = "" if given.endswith(("(", ",")) and not (call.args or call.keywords) else ", "
        separator = " " if given.endswith(",") else separator
        return Edit(
            f"{separator}inplace=True",
            Span(span.file, span.end_row, span.end_column - 1, span.end_row, span.end_column - 1),
        )

    def _add_underscore(self, function: ast.expr) -> Edit:
        """Name the twin of an op that writes in place."""
        span = self._reading.span_of(function)
        return Edit("_", Span(span.file, span.end_row, span.end_column, span.end_row, span.end_column))


def _leaves_option_open(call: ast.Call, params: Sequence[Param]) -> bool:
    """Return whether a call does not say what `inplace` is to be, and takes it."""
    names = [param.name for param in params]
    given = {word.arg for word in call.keywords}
    return "inplace" in names and not given & {"inplace", None} and len(call.args) <= names.index("inplace")


def _is_sign_kept(call: ast.Call, params: Sequence[Param], written: str) -> bool:
    """Return whether an argument that must not be negative is not: one that is given is a number in the text."""
    signed = ops.SIGNED.get(written)
    if signed is None:
        return True
    at = [param.name for param in params].index(signed)
    given = [word.value for word in call.keywords if word.arg == signed] or call.args[at : at + 1]
    return all(isinstance(value, ast.Constant) and is_number(value) for value in given)


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
