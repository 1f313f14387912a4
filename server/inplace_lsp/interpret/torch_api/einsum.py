"""`torch.einsum` and `torch.tensordot`: a view of one operand, or products of reshaped ones.

Sources: `einsum`, `sumproduct_pair` and `tensordot` in ATen/native/Linear.cpp. Two operands with summed letters in
common become a `bmm`: the letters of each are put into groups (those of a batch, its own, the summed), and every group
is joined to one dimension. Where that takes a copy, the copy is saved, and a write to the operand is harmless.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from string import ascii_lowercase, ascii_uppercase

from inplace_lsp.interpret.autograd import ops, shapes
from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state import layout as layouts
from inplace_lsp.interpret.state.layout import Layout
from inplace_lsp.interpret.state.values import Items, Known, Tensor, Value, find_integer, is_none
from inplace_lsp.interpret.torch_api import table_ops
from inplace_lsp.torch_ops.table import find_overloads


@dataclass(frozen=True)
class Equation:
    """The letters of the operands and of the result."""

    terms: tuple[str, ...]
    output: str

    def count_alone(self, at: int) -> int:
        """Return the number of letters of an operand that no other term has: it is summed over them first."""
        others = "".join((*self.terms[:at], *self.terms[at + 1 :], self.output))
        return len(set(self.terms[at]) - set(others))

    @property
    def shared(self) -> frozenset[str]:
        """Letters that both operands have."""
        return frozenset(self.terms[0]) & frozenset(self.terms[-1])

    @property
    def summed(self) -> str:
        """Letters that both operands have and the result lacks, in torch's order."""
        return "".join(sorted(self.shared - set(self.output)))

    @property
    def batch(self) -> str:
        """Letters that both operands and the result have."""
        return "".join(letter for letter in self.output if letter in self.shared)

    def find_own(self, at: int) -> str:
        """Return the letters that only one operand and the result have."""
        return "".join(letter for letter in self.output if letter in self.terms[at] and letter not in self.shared)

    @property
    def order(self) -> str:
        """Letters of the result as the product gives them, before they are permuted: torch swaps the operands if that
        saves the permutation."""
        swapped = self.batch + self.find_own(-1) + self.find_own(0)
        return swapped if swapped == self.output else self.batch + self.find_own(0) + self.find_own(-1)


def read_equation(text: object) -> Equation | None:
    """Return the letters of an equation; None if they are not known or stand for several dimensions."""
    if not isinstance(text, str) or "." in text:
        return None
    inputs, arrow, output = text.replace(" ", "").partition("->")
    letters = inputs.replace(",", "")
    if not arrow:
        output = "".join(sorted(letter for letter in letters if letters.count(letter) == 1))
    is_sound = len(set(output)) == len(output) and set(output) <= set(letters)
    return Equation(tuple(inputs.split(",")), output) if is_sound else None


@intrinsic("torch.einsum(*args)")
def _multiply_by_einsum(machine: Machine, args: Items, text: str) -> Value:
    """Multiply operands; one operand that nothing is summed over is only viewed."""
    given = Items("tuple", args.items[1:])
    if _holds_none(given):
        return machine.unknown_call(text, [])  # torch raises
    operands = ops.tensors_in(machine.recorder, given)
    first = args.items[0] if args.items else None
    equation = read_equation(first.value) if isinstance(first, Known) else None
    if equation is not None and len(operands) == len(equation.terms) == 1:
        return _reduce_operand(machine, operands[0], equation)
    chosen = ops.choose_overload(find_overloads("torch.bmm"), operands, {}) if len(operands) == 2 else None
    if chosen is None:
        return table_ops.call_table_op(machine, "torch.einsum", args.items, {}, text)
    if equation is None or len(equation.terms) != 2:
        return ops.apply_overload(machine.recorder, *chosen, op="einsum")
    overload, bound = chosen
    joined = {
        name: _join_operand(machine, operand, equation, at)
        for at, (name, operand) in enumerate(zip(bound, operands, strict=True))
    }
    return _order_result(
        machine, ops.apply_overload(machine.recorder, overload, joined, op="einsum"), equation, operands
    )


def _holds_none(given: Items) -> bool:
    return any(is_none(value) or (isinstance(value, Items) and _holds_none(value)) for value in given.items)


@intrinsic("torch.tensordot(a, b, dims=2, out=None)")
def _multiply_over_dimensions(machine: Machine, a: Value, b: Value, dims: Value, out: Value, text: str) -> Value:
    """Multiply two operands as matrices: the dimensions that are summed over are joined to one, and the others."""
    operands = ops.tensors_in(machine.recorder, Items("tuple", [a, b]))
    equation = _describe_dimensions(operands, dims) if is_none(out) else None
    chosen = ops.choose_overload(find_overloads("torch.mm"), operands, {}) if equation is not None else None
    if equation is None or chosen is None:
        return table_ops.call_table_op(
            machine, "torch.tensordot", [a, b, dims], {} if is_none(out) else {"out": out}, text
        )
    overload, bound = chosen
    joined: list[Value] = [_join_operand(machine, operand, equation, at) for at, operand in enumerate(operands)]
    return ops.apply_overload(machine.recorder, overload, dict(zip(bound, joined, strict=True)), op="tensordot")


def _describe_dimensions(operands: Sequence[Tensor], dims: Value) -> Equation | None:
    """Return a product over dimensions as letters, those that are summed over in their order; None if not all is
    known."""
    ranks = [len(operand.layout.shape) for operand in operands if operand.layout is not None]
    if len(ranks) != 2 or 0 in ranks or sum(ranks) > len(ascii_lowercase):
        return None
    summed = _read_summed_dimensions(dims, ranks)
    if summed is None or len(summed[0]) != len(summed[1]):
        return None
    own = iter(ascii_lowercase)
    terms = [[next(own) for _ in range(rank)] for rank in ranks]
    for letter, pair in zip(ascii_uppercase, zip(*summed, strict=True), strict=False):
        for term, at in zip(terms, pair, strict=True):
            term[at] = letter
    output = "".join(letter for term in terms for letter in term if letter.islower())
    return Equation(("".join(terms[0]), "".join(terms[1])), output)


def _read_summed_dimensions(dims: Value, ranks: Sequence[int]) -> list[list[int]] | None:
    """Return the dimensions of each operand that are summed over: the last and the first ones, if it is a number."""
    count = find_integer(dims)
    if count is not None:
        return [list(range(ranks[0] - count, ranks[0])), list(range(count))] if 0 <= count <= min(ranks) else None
    parts = dims.items if isinstance(dims, Items) else []
    places = [[find_integer(at) for at in part.items] for part in parts if isinstance(part, Items)]
    if len(places) != 2 or any(at is None for part in places for at in part):
        return None
    return [[at % rank for at in part if at is not None] for part, rank in zip(places, ranks, strict=True)]


def _reduce_operand(machine: Machine, operand: Tensor, equation: Equation) -> Value:
    """Return the sum over the letters that the result lacks, which keeps nothing, or a view if it lacks none."""
    chosen = ops.choose_overload(find_overloads("torch.sum"), [operand], {}) if equation.count_alone(0) else None
    if chosen is None:
        return _view_operand(machine, operand, equation)
    return ops.apply_overload(machine.recorder, *chosen, op="einsum")


def _view_operand(machine: Machine, operand: Tensor, equation: Equation) -> Tensor:
    """Return the view of one operand with its dimensions in another order, or with only its diagonal."""
    view = machine.recorder.new_view(operand, "permute")
    (term,) = equation.terms
    if term == equation.output:
        view.shape, view.contiguous = operand.shape, operand.contiguous
        return view
    view.contiguous = len(equation.output) < 2
    if (
        operand.layout is not None
        and sorted(term) == sorted(equation.output)
        and len(operand.layout.shape) == len(term)
    ):
        shapes.set_layout(view, layouts.permute_dimensions(operand.layout, _find_places(equation.output, term)))
    return view


def _join_operand(machine: Machine, operand: Tensor, equation: Equation, at: int) -> Tensor:
    """Return the operand, or the copy of it that is multiplied in its place."""
    groups = (equation.batch, equation.find_own(at), equation.summed)
    if not equation.count_alone(at) and not (equation.summed and _takes_copy(operand, equation.terms[at], groups)):
        return operand
    recorder = machine.recorder
    needs = recorder.needs_grad([operand])
    node = recorder.new_node("reshape", [operand], needs) if needs else None
    return recorder.new_tensor("reshape", requires_grad=needs, node=node, dtype=operand.dtype)


def _takes_copy(operand: Tensor, term: str, groups: Sequence[str]) -> bool:
    """Return whether the letters of a group are certainly not adjacent in memory."""
    layout = _assume_layout(operand, len(term))
    if layout is None or len(layout.shape) != len(term) or len(set(term)) != len(term):
        return False
    permuted = layouts.permute_dimensions(layout, _find_places("".join(groups), term))
    sizes = dict(zip(term, layout.shape, strict=True))
    return layouts.reshape_layout(permuted, [prod(sizes[letter] for letter in group) for group in groups]) is None


def _assume_layout(operand: Tensor, rank: int) -> Layout | None:
    """Return the operand's layout; that of some contiguous tensor if its extents are not known."""
    if operand.layout is not None or not operand.contiguous:
        return operand.layout
    return layouts.make_contiguous_layout(shapes.MADE_UP[:rank])


def _find_places(letters: Iterable[str], term: str) -> list[int]:
    return [term.index(letter) for letter in letters]


def _order_result(machine: Machine, result: Value, equation: Equation, operands: Sequence[Tensor]) -> Value:
    """Return the result with its dimensions in the order of the equation: a view, but of a product by element."""
    if not isinstance(result, Tensor):
        return result
    if equation.summed:
        result = machine.recorder.new_view(result, "view")
        result.contiguous = equation.order == equation.output
    sizes = _find_sizes(equation, operands)
    shape = tuple(sizes.get(letter) for letter in equation.output)
    known = [sizes.get(letter) for letter in equation.order]
    if None not in known and equation.summed and sizes:
        plain = layouts.make_contiguous_layout([size for size in known if size is not None])
        shapes.set_layout(result, layouts.permute_dimensions(plain, _find_places(equation.output, equation.order)))
    elif sizes:
        result.shape = shape
    return result


def _find_sizes(equation: Equation, operands: Sequence[Tensor]) -> dict[str, int | None]:
    """Return the extents of the letters; none if the number of dimensions of an operand is not known."""
    sizes: dict[str, int | None] = {}
    for term, operand in zip(equation.terms, operands, strict=True):
        if operand.shape is None or len(operand.shape) != len(term):
            return {}
        sizes.update(zip(term, operand.shape, strict=True))
    return sizes
