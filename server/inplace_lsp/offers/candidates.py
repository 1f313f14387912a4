"""The ops of a file that could write in place, as far as its text tells: each with the edit that makes it do so."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from inplace_lsp.hazards.finding import Edit
from inplace_lsp.offers import ops
from inplace_lsp.offers.forms import MATRIX
from inplace_lsp.offers.layers import SEQUENTIAL, Layers
from inplace_lsp.offers.memory import Memory
from inplace_lsp.offers.op_reader import Op, OpReader, is_sign_kept, leaves_option_open
from inplace_lsp.offers.ops import FUNCTIONAL
from inplace_lsp.offers.reading import Reading, find_given
from inplace_lsp.offers.rewriting import Rewriting
from inplace_lsp.offers.shapes import Shapes
from inplace_lsp.tape.model import Span
from inplace_lsp.torch_ops.table import find_module

_UNKNOWN = 1
"""The number of dimensions is unknown. It is less than `MATRIX`, so the op is offered, with an assumption."""
_FLATTEN = "torch.nn.Flatten"
_LINEAR = "torch.nn.Linear"


@dataclass(frozen=True)
class Candidate:
    """An op that could write in place by an edit.

    `op` is how the program names it, `written` torch's name of the write (without the underscore); `name` the variable
    that it writes, "" for a value without a name. `at` is the statement of the op; of a layer that is to be made with
    `inplace=True`, the statement that makes it (`of_layer`). `keeps_input`: out of place, the op keeps what it was
    given until backward. `made`: what makes the memory that it writes. `certain`: further edits with which the op
    writes in every run: a dropout whose rate may be 0 gives back what it was given. `assumes`: what must be so for the
    write to save memory; that it changes no value needs none of it.
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
    certain: tuple[Edit, ...] = ()
    assumes: tuple[str, ...] = ()


class Candidates:
    """The search of one file."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._layers = Layers(reading)
        self._memory = Memory(reading, self._layers)
        self._edits = Rewriting(reading)
        self._shapes = Shapes(reading, self._layers)
        self._ops = OpReader(reading, self._shapes)

    def find(self) -> Iterator[Candidate]:
        """Yield what could write in place; nothing where something in the text may hold tensors without a name."""
        if not self._reading.hides_nothing:
            return
        for node in self._reading.nodes:
            ways = self._ops.read(node) if node not in self._reading.in_strings else ()
            yield from map(
                self._describe_op, [op for op in ways if self._may_write(op.node, op.operand, op.written)][:1]
            )
        yield from self._find_attributes()
        yield from self._find_in_sequences()

    def _may_write(self, node: ast.expr, operand: ast.expr, written: str) -> bool:
        """Return whether the operand's memory is the op's alone, and its element type that of the result."""
        if isinstance(operand, ast.Name):
            is_free = self._memory.is_dead_after(operand, node)
        else:
            is_free = self._memory.is_fresh(operand)
        keeps_type = written in ops.KEEPING_INTEGERS or self._memory.gives_floats(operand)
        return is_free and keeps_type and _may_save(written, self._count_dimensions(operand))

    def _count_dimensions(self, operand: ast.expr) -> int:
        """Return the number of dimensions of the input of the `linear` that made the operand; 0 if no `linear` made it;
        `_UNKNOWN` if the text does not say."""
        origin = self._memory.find_origin(operand)
        if not isinstance(origin, ast.Call) or not origin.args:
            return 0
        maker = self._layers.find_maker(origin)
        name = self._reading.find_dotted_name(maker.func if maker is not None else origin.func)
        if name not in ops.LINEAR or (maker is not None and _has_no_bias(maker)):
            return 0
        given = self._shapes.describe(origin.args[0])
        if given is None or (given.head and len(given.dims) <= MATRIX):
            return _UNKNOWN
        return len(given.dims)

    def _list_assumptions(self, operands: Iterable[ast.expr], written: str) -> tuple[str, ...]:
        unknown = any(self._count_dimensions(operand) == _UNKNOWN for operand in operands)
        return (*[ops.OF_MATRICES] * unknown, *[ops.ON_CPU] * written.startswith("dropout"))

    def _describe_op(self, op: Op) -> Candidate:
        name = op.operand.id if isinstance(op.operand, ast.Name) else ""
        span = self._reading.span_of(op.node)
        at = self._reading.span_of(self._reading.statement_of(op.node))
        made = self._list_makers(op.operand)
        assumes = self._list_assumptions([op.operand], op.written)
        return Candidate(
            op.name, op.written, name, span, at, op.edits, False, op.keeps_input, made, op.certain, assumes
        )

    def _list_makers(self, operand: ast.expr) -> tuple[Span, ...]:
        maker = self._memory.find_value(operand) if isinstance(operand, ast.Name) else operand
        return (self._reading.span_of(maker),) if maker is not None else ()

    # Layers

    def _find_attributes(self) -> Iterator[Candidate]:
        """Yield the layers that attributes hold, each judged by all its calls."""
        for name, made in self._layers.list_attributes_of_layers():
            calls = [self._reading.parents[read] for read in self._layers.find_reads(name)]
            if self._may_all_write(calls, name, made):
                operands = [call.args[0] for call in calls if isinstance(call, ast.Call)]
                where = tuple(span for operand in operands for span in self._list_makers(operand))
                yield from (self._describe_layer(maker, f"self.{name}", where, operands) for maker in made)

    def _may_all_write(self, calls: Sequence[ast.AST], name: str, makers: Sequence[ast.Call]) -> bool:
        """Return whether each call of an attribute may write to its input, whichever of its layers runs."""
        written = {self._read_layer(maker) for maker in makers}
        if not calls or None in written or not self._layers.are_named:
            return False
        return all(self._is_free_call(call, name, word) for call in calls for word in written if word)

    def _is_free_call(self, call: ast.AST, name: str, written: str) -> bool:
        if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
            return False
        return self._layers.find_called_attribute(call) == name and self._may_write(call, call.args[0], written)

    def _find_in_sequences(self) -> Iterator[Candidate]:
        """Yield the layers of an `nn.Sequential(...)` that stand behind one whose result nobody keeps."""
        for node in self._reading.nodes:
            if node in self._reading.in_strings:
                continue
            if isinstance(node, ast.Call) and self._reading.find_dotted_name(node.func) == SEQUENTIAL:
                for before, layer in zip(node.args, node.args[1:], strict=False):
                    if self._may_follow(before, layer) and self._layers.runs_as_a_whole(node):
                        found = self._describe_layer(layer, "", (self._reading.span_of(before),))
                        assumed = self._assume_behind(node, before)
                        if _may_save(found.written, _UNKNOWN if assumed else 0):
                            yield replace(found, assumes=(*assumed, *found.assumes))

    def _may_follow(self, before: ast.expr, layer: ast.expr) -> bool:
        if not isinstance(before, ast.Call) or not ops.is_fresh_layer(self._reading.find_dotted_name(before.func)):
            return False
        return isinstance(layer, ast.Call) and self._read_layer(layer) is not None

    def _assume_behind(self, sequence: ast.Call, before: ast.expr) -> tuple[str, ...]:
        """Return what must be so for a write behind a layer of a sequence to save memory."""
        assert isinstance(before, ast.Call)
        name = self._reading.find_dotted_name(before.func)
        is_flat = any(
            isinstance(layer, ast.Call) and self._reading.find_dotted_name(layer.func) == _FLATTEN and not layer.args
            for layer in sequence.args[: sequence.args.index(before)]
        )
        return () if name not in ops.LINEAR or _has_no_bias(before) or is_flat else (ops.OF_MATRICES,)

    def _read_layer(self, maker: ast.Call) -> str | None:
        """Return the op of a layer that takes `inplace` and was not given it; None for any other."""
        module = find_module(self._reading.find_dotted_name(maker.func))
        written = module.call.rpartition(".")[2] if module is not None else ""
        if module is None or written not in ops.KEEPING_DTYPE or not ops.saves_no_more_in_place(module.call):
            return None
        if any(isinstance(argument, ast.Starred) for argument in maker.args):
            return None
        fits = leaves_option_open(maker, module.init) and is_sign_kept(maker, module.init, written)
        return written if fits else None

    def _describe_layer(
        self, maker: ast.expr, name: str, made: tuple[Span, ...], operands: Sequence[ast.expr] = ()
    ) -> Candidate:
        assert isinstance(maker, ast.Call)
        written = self._read_layer(maker) or ""
        span = self._reading.span_of(maker)
        at = self._reading.span_of(self._reading.statement_of(maker))
        keeps = ops.keeps_input(f"{FUNCTIONAL}.{written}")
        shown = self._reading.code_of(maker.func)
        module = find_module(self._reading.find_dotted_name(maker.func))
        certain = self._edits.set_rate(maker, module.init if module is not None else ())
        edits, assumes = (self._edits.add_option(maker),), self._list_assumptions(operands, written)
        return Candidate(shown, written, name, span, at, edits, True, keeps, made, certain, assumes)


def _may_save(written: str, dimensions: int) -> bool:
    """Return whether a write may save memory by the dimensions that `_count_dimensions` counts. A dropout saves little
    even of matrices, and is mostly called on sequences of tokens: it is not offered where the text leaves that open."""
    is_open = dimensions == _UNKNOWN and written.startswith("dropout")
    return dimensions <= MATRIX and not is_open


def _has_no_bias(maker: ast.Call) -> bool:
    linear = find_module(_LINEAR)
    given = find_given(maker, linear.init, "bias") if linear is not None else []
    return any(isinstance(value, ast.Constant) and not value.value for value in given)
