"""The ops of a file that have a form in place with the same result, as far as their spelling tells."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inplace_lsp.hazards.finding import Edit
from inplace_lsp.offers import ops
from inplace_lsp.offers.ops import FUNCTIONAL
from inplace_lsp.offers.reading import Reading, find_given, is_number
from inplace_lsp.offers.rewriting import Rewriting
from inplace_lsp.offers.shapes import Shapes
from inplace_lsp.torch_ops.model import Param
from inplace_lsp.torch_ops.table import find_overloads

_WRITES = {ast.Add: ("+", "add"), ast.Sub: ("-", "sub"), ast.Mult: ("*", "mul"), ast.Div: ("/", "div")}
_SUMS = frozenset({"add", "sub"})
_ARITHMETIC = frozenset({"add", "sub", "mul", "div"})


@dataclass(frozen=True)
class Op:
    """An op in the text, with what it would write; the rest as in `Candidate`."""

    node: ast.expr
    operand: ast.expr
    name: str
    written: str
    edits: tuple[Edit, ...]
    keeps_input: bool = False
    certain: tuple[Edit, ...] = ()


class OpReader:
    """Reads the ops of one file."""

    def __init__(self, reading: Reading, shapes: Shapes) -> None:
        self._reading, self._shapes, self._edits = reading, shapes, Rewriting(reading)

    def read(self, node: ast.AST) -> Iterator[Op]:
        """Yield the ways in which the op of a node may write in place; most have one."""
        if isinstance(node, ast.BinOp):
            yield from self._read_arithmetic(node)
        if not isinstance(node, ast.Call) or any(isinstance(argument, ast.Starred) for argument in node.args):
            return
        name = self._reading.find_dotted_name(node.func)
        if name.startswith(f"{FUNCTIONAL}."):
            op = self._read_functional(node, name)
        else:
            op = self._read_function(node, name) if name else self._read_method(node)
        if op is not None:
            yield op

    def _read_functional(self, call: ast.Call, name: str) -> Op | None:
        """Read `F.relu(x)`, which takes `inplace`."""
        written = name.rpartition(".")[2]
        if written not in ops.KEEPING_DTYPE or not call.args or not ops.saves_no_more_in_place(name):
            return None
        params = next(form.params for form in find_overloads(name))
        if not leaves_option_open(call, params) or not is_sign_kept(call, params, written):
            return None
        shown, edits = self._reading.code_of(call.func), (self._edits.add_option(call),)
        return Op(call, call.args[0], shown, written, edits, ops.keeps_input(name), self._edits.set_rate(call, params))

    def _read_function(self, call: ast.Call, name: str) -> Op | None:
        """Read `torch.relu(x)`, which has a twin with an underscore, and `torch.add(x, y)`."""
        written, shown = name.removeprefix("torch."), self._reading.code_of(call.func)
        if len(call.args) > 1:
            operand = call.args[0]
            if not isinstance(operand, (ast.Name, ast.Call)) or not self._takes_rest(
                call, written, operand, call.args[1:]
            ):
                return None
            edits = self._edits.call_method(call, written)
            return Op(call, operand, shown, written, edits) if edits else None
        if written not in ops.KEEPING_DTYPE or not call.args or call.keywords:
            return None
        if not isinstance(call.func, ast.Attribute) or not ops.saves_no_more_in_place(name, f"{name}_"):
            return None
        return Op(call, call.args[0], shown, written, (self._edits.add_underscore(call.func),))

    def _read_method(self, call: ast.Call) -> Op | None:
        """Read `x.relu()`, `x.masked_fill(x < 0, 0.0)` and `x.add(y, alpha=2)`."""
        function = call.func
        if not isinstance(function, ast.Attribute):
            return None
        written, name = function.attr, f"torch.Tensor.{function.attr}"
        is_plain = written in ops.KEEPING_DTYPE and not call.args and not call.keywords
        if is_plain and not ops.saves_no_more_in_place(name, f"{name}_"):
            return None
        if not is_plain and not self._takes_rest(call, written, function.value, call.args):
            return None
        return Op(call, function.value, f".{written}", written, (self._edits.add_underscore(function),))

    def _takes_rest(self, call: ast.Call, written: str, operand: ast.expr, rest: Sequence[ast.expr]) -> bool:
        """Return whether the result of an op has the form of its operand, whatever the other arguments are."""
        if written == "masked_fill":
            is_plain = len(rest) == len(("mask", "value")) and not call.keywords
            return is_plain and is_number(rest[1]) and self._shapes.masks(rest[0], operand)
        if written not in _ARITHMETIC or len(rest) != 1:
            return False
        takes_words = all(word.arg == "alpha" and written in _SUMS and is_number(word.value) for word in call.keywords)
        return takes_words and self._fits(rest[0], operand, written)

    def _read_arithmetic(self, node: ast.BinOp) -> Iterator[Op]:
        """Read `x * 2`, `x - x.mean()`, `x + y`."""
        if type(node.op) not in _WRITES:
            return
        symbol, written = _WRITES[type(node.op)]
        for operand, other in _list_orders(node):
            if isinstance(operand, (ast.Name, ast.Call, ast.BinOp)) and self._fits(other, operand, written):
                edits = self._edits.write_arithmetic(node, operand, other, symbol, written)
                if edits:
                    yield Op(node, operand, symbol, written, edits)

    def _fits(self, other: ast.expr, operand: ast.expr, written: str) -> bool:
        """Return whether an operation with another operand leaves shape and type, and keeps neither of both."""
        if is_number(other):
            return not is_number(operand)
        return written in _SUMS and (self._is_mean(other, operand) or self._shapes.fits_into(other, operand))

    def _is_mean(self, node: ast.expr, operand: ast.expr) -> bool:
        """Return whether an expression is the mean of a variable, of all its elements or of some dimensions."""
        if not isinstance(operand, ast.Name):
            return False
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            factor, value = (node.left, node.right) if is_number(node.left) else (node.right, node.left)
            return is_number(factor) and self._is_mean(value, operand)
        return isinstance(node, ast.Call) and _calls_mean(node, operand.id)


def _calls_mean(call: ast.Call, name: str) -> bool:
    """Return whether a call is `x.mean()` or `x.mean(dim=..., keepdim=True)`."""
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr != "mean" or not _is_name(function.value, name):
        return False
    options = {word.arg: word.value for word in call.keywords}
    if not call.args and not options:
        return True
    keepdim = options.get("keepdim")
    return options.keys() <= {"dim", "keepdim"} and isinstance(keepdim, ast.Constant) and keepdim.value is True


def _list_orders(node: ast.BinOp) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the operand that may be written and the other one. A variable may as well be read after the other
    operand is computed."""
    yield node.left, node.right
    if isinstance(node.op, (ast.Add, ast.Mult)) and (isinstance(node.left, ast.Name) or is_number(node.left)):
        yield node.right, node.left


def leaves_option_open(call: ast.Call, params: Sequence[Param]) -> bool:
    """Return whether a call does not say what `inplace` is to be, and takes it."""
    names = [param.name for param in params]
    given = {word.arg for word in call.keywords}
    return "inplace" in names and not given & {"inplace", None} and len(call.args) <= names.index("inplace")


def is_sign_kept(call: ast.Call, params: Sequence[Param], written: str) -> bool:
    """Return whether an argument that must not be negative is not: one that is given is a number in the text."""
    signed = ops.SIGNED.get(written)
    if signed is None:
        return True
    given = find_given(call, params, signed)
    return all(isinstance(value, ast.Constant) and is_number(value) for value in given)


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
