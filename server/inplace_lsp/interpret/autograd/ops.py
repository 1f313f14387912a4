"""Apply an op of the table: its saves, writes, views and results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_

from inplace_lsp.interpret.autograd import products, shapes
from inplace_lsp.interpret.autograd.recorder import Recorder, Refused
from inplace_lsp.interpret.autograd.slopes import is_input_lost
from inplace_lsp.interpret.state import signatures
from inplace_lsp.interpret.state.layout import Layout
from inplace_lsp.interpret.state.values import (
    NONE,
    Instance,
    Items,
    Known,
    Module,
    Node,
    Number,
    Optimizer,
    Tensor,
    Unknown,
    Value,
)
from inplace_lsp.interpret.state.values import Mapping as DictValue
from inplace_lsp.tape.autograd import is_masking
from inplace_lsp.tape.model import NEVER, Refusal, Span, ViewKind, When
from inplace_lsp.torch_ops.model import Alias, Overload, Param

_TENSOR_TYPES = ("Tensor", "Tensor?", "Tensor[]")
_TAKE_NUMBERS = ("Scalar", "Tensor[]", "other", "int", "float", "bool")
"""Types that take a tensor of one element: it is a number, too."""
_MAY_HOLD_TENSORS = (*_TENSOR_TYPES, "other")
_GEOMETRY = frozenset(
    "view reshape flatten squeeze unsqueeze view_as ravel alias select unflatten view_as_real view_as_complex".split()
)
"""Views in the order of the elements: they are contiguous if the tensor is."""
_EXPANDING = frozenset({"expand", "expand_as", "broadcast_to"})
_SHIFTING = frozenset({"add", "sub"})
_PAIRS = ("values", "indices")
_FIELDS = {
    "aminmax": ("min", "max"),
    "slogdet": ("sign", "logabsdet"),
    "qr": ("Q", "R"),
    "svd": ("U", "S", "Vh"),
    "eigh": ("eigenvalues", "eigenvectors"),
    "eig": ("eigenvalues", "eigenvectors"),
}
"""How the results of an op that gives several are called."""


def tensor_of(recorder: Recorder, value: Value | None) -> Tensor | None:
    """Return `value` as a tensor: itself, or the tensor assumed for an unknown that is used as one."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, Unknown):
        if value.tensor is None:
            value.tensor = _assume_tensor(recorder, value)
        return value.tensor
    return None


def _find_when_needed(recorder: Recorder, value: Unknown) -> When:
    """Return when an unknown value requires grad: never, with what it was computed from, or if that is assumed."""
    if value.graphless or value.of_constants:
        return NEVER
    if value.flows:
        return recorder.needs_grad(value.inputs)
    hangs_on = _find_open(recorder, value) if value.may_cut else None
    return hangs_on or When(inputs=frozenset({value.origin}))


def _assume_tensor(recorder: Recorder, value: Unknown) -> Tensor:
    """Return the tensor behind an unknown; whether it requires grad is assumed, or depends on its inputs."""
    when = _find_when_needed(recorder, value)
    has_graph = bool(value.inputs) and recorder.grad_mode and not value.graphless
    node = recorder.new_node("unknown", value.inputs, when) if has_graph else None
    if node is not None:
        node.part, node.may_cut = value.part, value.may_cut
        node.unsure = tuple(source.node or source for source in value.unsure)
    op = "unknown" if value.inputs else "input"
    tensor = recorder.new_tensor(op, name=value.origin, requires_grad=when, node=node, assumed=True)
    tensor.attributes, tensor.argument, tensor.evident = value.attributes, value.argument, value.tensorlike
    tensor.device = _find_device([value.inputs]) if recorder.moves else None
    return tensor


def _find_open(recorder: Recorder, value: Unknown) -> When | None:
    """Return the assumption on which the inputs require grad; None if there is none."""
    needed = recorder.needs_grad(value.inputs)
    return needed if needed.inputs and not needed.always else None


def tensors_in(recorder: Recorder, value: Value | None) -> list[Tensor]:
    """Return the tensors in an argument, those in lists, tuples and dicts included."""
    if isinstance(value, Items):
        return [t for item in value.items for t in tensors_in(recorder, item)]
    if isinstance(value, DictValue):
        return [t for item in value.items.values() for t in tensors_in(recorder, item)]
    tensor = tensor_of(recorder, value)
    return [tensor] if tensor is not None and not tensor.array else []


def is_mask(value: Value | None) -> bool:
    """Return whether a number that fills a part of a tensor is a mask; an unknown may be one."""
    if isinstance(value, Known):
        return is_masking(value.value)
    return isinstance(value, Number) or (isinstance(value, Unknown) and not value.tensorlike and value.tensor is None)


Bound = dict[str, Value]


def choose_overload(
    overloads: Iterable[Overload], arguments: Sequence[Value], keywords: Mapping[str, Value]
) -> tuple[Overload, Bound] | None:
    """Return the overload that takes these arguments with the arguments by name: the first with the exact types, else
    the first with the fewest others."""
    loose: tuple[Overload, Bound] | None = None
    fewest = 0
    for overload in overloads:
        bound = bind_arguments(overload.params, arguments, keywords)
        if bound is None or not _has_given_values(overload, bound):
            continue
        fits = [_rank_fit(p, bound[p.name]) for p in overload.params if p.name in bound]
        if 0 in fits:
            continue
        others = fits.count(1)
        if not others:
            return overload, bound
        if loose is None or others < fewest:
            loose, fewest = (overload, bound), others
    return loose


_OTHER_NAMES = {"axis": "dim", "x": "self", "input": "self", "keepdims": "keepdim"}
"""Names that torch takes for a parameter besides its own, as numpy calls it."""
_OF_FACTORIES = frozenset({"requires_grad", "device", "dtype", "layout", "pin_memory", "memory_format"})
"""Options of factories that the op table leaves out: what they do is done where the result is described."""


def bind_arguments(params: Sequence[Param], arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Bound | None:
    """Bind arguments to parameter names; None if they do not fit. A list parameter takes the rest: `x.view(2, 3)`."""
    for at, param in enumerate(params[: len(arguments)]):
        if param.variadic and not param.keyword_only and not isinstance(arguments[at], Items):
            arguments = [*arguments[:at], Items("tuple", list(arguments[at:]))]
            break
    if keywords:
        keywords = _rename_keywords(params, keywords)
    binding = signatures.bind_arguments(params, arguments, keywords)
    return binding.values if binding.fits else None


def _rename_keywords(params: Sequence[Param], keywords: Mapping[str, Value]) -> Mapping[str, Value]:
    """Return the keywords under the names of the parameters, without options of factories."""
    names = {param.name for param in params}
    renamed = ((name if name in names else _OTHER_NAMES.get(name, name), value) for name, value in keywords.items())
    return {name: value for name, value in renamed if name in names or name not in _OF_FACTORIES}


def _has_given_values(overload: Overload, bound: Bound) -> bool:
    if not overload.given:
        return True
    defaults = {p.name: p.default for p in overload.params}
    for name, wanted in overload.given:
        value = _common_extent(bound.get(name))
        if value is None:
            if defaults.get(name) != repr(wanted):
                return False
        elif (
            not isinstance(value, Known)
            or value.value != wanted
            or isinstance(value.value, bool) != isinstance(wanted, bool)
        ):
            return False
    return True


def _common_extent(value: Value | None) -> Value | None:
    """Return the number that stands for several equal extents: `(1, 1)` means 1."""
    if not isinstance(value, Items) or value.open:
        return value
    extents = {item.value if isinstance(item, Known) and type(item.value) is int else None for item in value.items}
    return value.items[0] if len(extents) == 1 and None not in extents else value


def _rank_fit(param: Param, value: Value) -> int:
    """Return 2 for the exact type, 1 if torch converts it or the type is unknown, 0 if it does not fit."""
    if isinstance(value, Tensor):
        return _rank_tensor(param)
    if isinstance(value, Known):
        return _rank_constant(param, value)
    if isinstance(value, Unknown):
        return 2 if value.tensorlike and param.type in _TENSOR_TYPES else 1
    if isinstance(value, Number):
        return 1 if param.type in ("Tensor", "Tensor?") else _rank_number(param, value)
    if isinstance(value, Items):
        return 2 if param.type in ("Tensor[]", "int[]", "other") else 0
    return 0 if param.type in ("Tensor", "Tensor?") or isinstance(value, (Instance, Module, Optimizer)) else 1


def _rank_constant(param: Param, value: Known) -> int:
    if value.value is None:
        return 2 if param.type.endswith("?") or param.default in ("None", "()") else 0
    if isinstance(value.value, (int, float, complex)):
        return 1 if param.type in ("Tensor", "Tensor?") else _rank_number(param, value)
    if isinstance(value.value, str):
        return 2 if param.type in ("str", "other") else 0
    return 0 if param.type in ("Tensor", "Tensor?") else 1


def _rank_tensor(param: Param) -> int:
    if param.type in ("Tensor", "Tensor?"):
        return 2
    return 1 if param.type in _TAKE_NUMBERS else 0


def _rank_number(param: Param, value: Value) -> int:
    if param.type == "bool" and isinstance(value, Known) and not isinstance(value.value, bool):
        return 1
    return 2 if param.type in ("Scalar", "int", "float", "bool", "other") else 1 if param.type == "int[]" else 0


def apply_overload(
    recorder: Recorder, overload: Overload, bound: Mapping[str, Value], *, declared: Span | None = None, op: str = ""
) -> Value:
    """Apply the op on the tape: refuse, save, write, and make the results. Raises TorchError where the program
    catches torch's error."""
    return _Application(recorder, overload, bound, op or overload.name.split(".")[0], declared).apply_op()


def _expanded_dimensions(of: Tensor, bound: Mapping[str, Value]) -> frozenset[int]:
    """Return the dimensions that `expand` repeats: new ones, and those of extent 1 with a new extent."""
    wanted = _wanted_extents(bound)
    if wanted is None:
        return frozenset({0})
    new = len(wanted) - len(of.shape) if of.shape is not None else 0
    return frozenset(
        d
        for d, extent in enumerate(wanted)
        if extent not in (1, -1) and (d < new or of.shape is None or of.shape[d - new] == 1)
    )


def _wanted_extents(bound: Mapping[str, Value]) -> Sequence[int | None] | None:
    """Return the extents that an `expand` asks for, None for those of a tensor of unknown shape."""
    sizes, other = bound.get("size"), bound.get("other")
    if isinstance(sizes, Items):
        return [s.value if isinstance(s, Known) and isinstance(s.value, int) else None for s in sizes.items]
    return other.shape if isinstance(other, Tensor) else None


class _Application:
    """The application of an overload to bound arguments."""

    def __init__(
        self, recorder: Recorder, overload: Overload, bound: Mapping[str, Value], op: str, declared: Span | None
    ) -> None:
        self.recorder = recorder
        self.overload = overload
        self.op = op
        self.declared = declared
        self.bound = bound
        self.tensors = {
            p.name: tensors_in(recorder, bound.get(p.name)) for p in overload.params if p.type in _MAY_HOLD_TENSORS
        }
        self.device = _find_device(self.tensors.values()) if recorder.moves else None

    def apply_op(self) -> Value:
        recorder, overload = self.recorder, self.overload
        if not overload.writes and (same := self._returned_argument()) is not None:
            return same
        differentiable = self._differentiable_arguments()
        written = [t for name in overload.writes for t in self._tensors_of(name)]
        needs = recorder.needs_floats(differentiable, written)
        self._check_out()
        refused: dict[int, Refused] = {}
        if overload.writes_no_grad:
            self._prepare_arguments(written)
            written = []
        elif written:
            refused = self._check_writes(written, needs)
        node = recorder.new_node(self.op, differentiable, needs) if needs else None
        if node is not None:
            self._save_inputs(node)
            if is_input_lost(overload, self.op, self.bound):
                self._save_written(node)
            if written and not any(save.role.startswith("result") for save in overload.saves):
                self._save_copy(node)
        for tensor in written:
            self._write_argument(tensor, needs, node, refused.get(tensor.id))
        results = [self._make_output(i, needs, node) for i in range(max(overload.returns, 1))]
        if node is not None:
            self._describe_node(node, results)
            self._save_results(node, results)
        if recorder.set_by_data:
            recorder.note_reads([tensor for given in self.tensors.values() for tensor in given], results)
        return self._shape_results(results, needs, node)

    def _describe_node(self, node: Node, results: Sequence[Value]) -> None:
        """Note what decides whether the op's inputs get the very gradient of its result."""
        first = results[0]
        if isinstance(first, Tensor) and first.node is not None:
            first.node.shape = first.shape
        alpha = self.bound.get("alpha")
        node.scaled = alpha is not None and not (isinstance(alpha, Known) and alpha.value == 1)

    def _differentiable_arguments(self) -> list[Tensor]:
        wanted = self.overload.differentiable
        return [t for p in self.overload.params if p.name in wanted for t in self._tensors_of(p.name)]

    def _prepare_arguments(self, written: list[Tensor]) -> None:
        """Write the arguments as an op does that prepares them first: `embedding(max_norm=)`."""
        for tensor in written:
            with self.recorder.set_grad_mode(False):
                self.recorder.write_tensor(tensor, self.op, bumps=self.overload.bumps, declared=self.declared)

    def _check_writes(self, written: list[Tensor], needs: When) -> dict[int, Refused]:
        """Return the arguments (their ids) that torch refuses to write, before anything is saved or written."""
        others = [t for name, group in self.tensors.items() if name not in self.overload.writes for t in group]
        refused = {}
        for tensor in written:
            found = self.recorder.check_write(tensor, self.op, needs, declared=self.declared, operands=others)
            if found is not None:
                refused[tensor.id] = found
        return refused

    def _write_argument(self, tensor: Tensor, needs: When, node: Node | None, refused: Refused | None) -> None:
        harmless, bumps = is_mask(self.bound.get("value")), self.overload.bumps
        if refused is not None:
            self.recorder.renew_name(tensor, refused, needs, node)
            return
        self.recorder.write_tensor(
            tensor, self.op, needs, bumps=bumps, declared=self.declared, node=node, harmless=harmless
        )
        shapes.update_shape_in_place(tensor, self.op, self.bound)
        if self.op == "copy_" and (source := self._tensors_of("src") or self._tensors_of("other")):
            self.recorder.contents.note_copy(source[0], tensor)

    def _tensors_of(self, name: str) -> list[Tensor]:
        return self.tensors.get(name, [])

    def _check_out(self) -> None:
        """Refuse `out=` if an argument of the op requires grad; of a factory, if `out` is a leaf that does."""
        out = self._tensors_of("out") if "out" in self.overload.writes and not self.overload.out_of_any else []
        if not out:
            return
        asked = [t for group in self.tensors.values() for t in group if t.leaf or not self.overload.makes_leaf()]
        refused = self.recorder.needs_grad(asked)
        if refused:
            self.recorder.reject_operation(out[0], self.op, Refusal.OUT_REQUIRES_GRAD, refused)

    def _needs_any(self, names: Iterable[str]) -> When:
        """Return when one of these operands requires grad, for a recorded op."""
        needs = (self.recorder.requires_grad(tensor) for name in names for tensor in self._tensors_of(name))
        return reduce(or_, needs, NEVER)

    def _save_inputs(self, node: Node) -> None:
        for save in self.overload.saves:
            if save.role.startswith("result") or not (when := self._needs_any(save.when)):
                continue
            if products.keeps_copy(self.op, save.role, self.tensors, self.bound):
                self.recorder.save_private(node, self.op)
                continue
            for tensor in self._tensors_of(save.role):
                self.recorder.save_tensor(node, tensor, self.op, save.role, when)

    def _save_written(self, node: Node) -> None:
        """Save what the op is about to write, so that every backward finds it changed."""
        for name in self.overload.writes:
            for tensor in self._tensors_of(name):
                self.recorder.save_tensor(node, tensor, self.op, name, self._needs_any((name,)))

    def _save_results(self, node: Node, results: list[Value]) -> None:
        for save in self.overload.saves:
            if save.role.startswith("result") and (when := self._needs_any(save.when)):
                index = int(save.role[6:] or 0)
                for tensor in self._list_results(results, index):
                    self.recorder.save_tensor(node, tensor, self.op, save.role, when)
        self._save_copy(node)

    def _list_results(self, results: list[Value], index: int) -> list[Tensor]:
        """Return the tensors of a result; of an op that returns nothing it is what was written."""
        if not self.overload.returns:
            return [tensor for name in self.overload.writes for tensor in self._tensors_of(name)]
        return tensors_in(self.recorder, results[index]) if index < len(results) else []

    def _save_copy(self, node: Node) -> None:
        """Add a private save if the op saves something but none of its arguments or results."""
        if self.overload.saves_something and not node.saves:
            self.recorder.save_private(node, self.op)

    def _make_output(self, index: int, needs: When, node: Node | None) -> Value:
        for alias in self.overload.aliases:
            if alias.output == index and (of := next(iter(self._tensors_of(alias.of)), None)) is not None:
                return self._make_alias(of, alias, needs, node)
        graph = node if index not in self.overload.no_grad_outputs else None
        dtype = "int" if index in self.overload.no_grad_outputs and self.overload.differentiable else "float"
        result = self.recorder.new_tensor(self.op, requires_grad=needs if graph else NEVER, node=graph, dtype=dtype)
        result.device = self.device
        shapes.set_layout(result, shapes.layout_of_result(self.op, self.bound))
        if result.layout is None and shapes.keeps_order(self.op):
            _lay_out_alike(result, next((tensor for group in self.tensors.values() for tensor in group), None))
        if self.op == "clone" and (source := self._tensors_of("self") or self._tensors_of("input")):
            self.recorder.contents.note_copy(source[0], result)
        if self.op in _SHIFTING and not needs:
            result.shifted = next(iter(self._tensors_of("self")), None)
        return result

    def _make_alias(self, of: Tensor, alias: Alias, needs: When, node: Node | None) -> Value:
        if alias.kind == "same" or (alias.kind == "maybe_same" and self._is_unchanged(of)):
            return of
        layout = shapes.layout_of_view(self.op, of, self.bound)
        if alias.kind == "maybe_same" or (alias.kind == "maybe" and _must_move(of, layout)):
            return self._make_copy(of)
        if alias.kind == "multi":
            return self._make_views(of, ViewKind.MULTI_OUTPUT)
        if alias.kind == "apart":
            return self._make_parts(of, needs, node)
        if self.overload.returns == -1:
            return self._make_views(of, ViewKind.PLAIN)
        view = self.recorder.new_view(of, self.op)
        self._describe_view(view, of, layout)
        return view

    def _describe_view(self, view: Tensor, of: Tensor, layout: Layout | None) -> None:
        view.contiguous = of.contiguous and self.op in _GEOMETRY
        view.expanded = _expanded_dimensions(of, self.bound) if self.op in _EXPANDING else of.expanded
        if layout is None:
            self._describe_order(view, of)
        shapes.set_layout(view, layout)

    def _describe_order(self, view: Tensor, of: Tensor) -> None:
        """Note how the elements of a view of unknown extents lie: to exchange the same dimensions twice undoes it."""
        swapped = shapes.find_swapped_dimensions(self.op, self.bound)
        view.rows_apart = of.contiguous and shapes.puts_rows_apart(self.op, self.bound)
        view.swapped = swapped if of.contiguous else None
        view.contiguous = view.contiguous or (swapped is not None and swapped == of.swapped)

    def _make_copy(self, of: Tensor) -> Tensor:
        """Return the copy that the op makes where a view is not possible."""
        needs = self.recorder.needs_grad([of])
        node = self.recorder.new_node(self.op, [of], needs) if needs else None
        copy = self.recorder.new_tensor(self.op, requires_grad=needs, node=node)
        copy.device = of.device
        shapes.set_layout(copy, shapes.layout_of_copy(self.op, of, self.bound))
        return copy

    def _make_views(self, of: Tensor, kind: ViewKind) -> Items:
        """Return the views made at once: all of them if their number is known."""
        operands = self.tensors.get(next(a.of for a in self.overload.aliases), [])
        if len(operands) > 1:
            return self._view_of_each(operands)
        layouts = shapes.layouts_of_views(self.op, of, self.bound)
        if layouts is None:
            return Items("tuple", [], open=True, more=lambda: self.recorder.new_view(of, self.op, kind))
        views = [self.recorder.new_view(of, self.op, kind) for _ in layouts]
        for view, layout in zip(views, layouts, strict=True):
            shapes.set_layout(view, layout)
        return Items("tuple", [*views])

    def _make_parts(self, of: Tensor, needs: When, node: Node | None) -> Items:
        """Return parts of a tensor that are new tensors for autograd, though they share its memory."""

        def make_part() -> Tensor:
            part = self.recorder.new_alias(of, self.op, shares_counter=False)
            part.node, part.requires_grad, part.leaf = node, needs, node is None
            part.shape = part.layout = None
            return part

        layouts = shapes.layouts_of_views(self.op, of, self.bound)
        if layouts is None:
            return Items("tuple", [], open=True, more=make_part)
        parts = [make_part() for _ in layouts]
        for part, layout in zip(parts, layouts, strict=True):
            shapes.set_layout(part, layout)
        return Items("tuple", [*parts])

    def _view_of_each(self, operands: Sequence[Tensor]) -> Items:
        """Return a view of each operand, as `broadcast_tensors`, `meshgrid` and `atleast_2d` do."""
        views = [self.recorder.new_view(of, self.op) for of in operands]
        for at, view in enumerate(views):
            shapes.set_layout(view, shapes.layout_of_operand_view(self.op, operands, at))
        return Items("tuple", [*views])

    def _returned_argument(self) -> Tensor | None:
        """Return the argument that the op returns as it is, without autograd."""
        for alias in self.overload.aliases:
            of = next(iter(self._tensors_of(alias.of)), None)
            if of is not None and self.op == "flatten" and of.shape is not None and len(of.shape) == 1:
                return of
            if of is not None and (alias.kind == "same" or (alias.kind == "maybe_same" and self._is_unchanged(of))):
                return of
        return None

    def _is_unchanged(self, of: Tensor) -> bool:
        """Return whether `to`, `float`, `contiguous`, ... have nothing to do and return the tensor itself."""
        if self.op == "contiguous":
            return of.contiguous
        if self.op in ("to", "type", "cpu", "cuda", "double", "half", "bfloat16", "int", "long", "bool"):
            return False
        return of.dtype == "float"

    def _shape_results(self, results: list[Value], needs: When, node: Node | None) -> Value:
        if self.overload.returns == -1 and not isinstance(results[0], Items):
            recorder, op = self.recorder, self.op
            first = results[0]
            return Items(
                "list", [first], open=True, more=lambda: recorder.new_tensor(op, requires_grad=needs, node=node)
            )
        if self.overload.returns == 0:  # a number or a flag, if it does not write
            return NONE if self.overload.writes else Number()
        if len(results) == 1:
            return results[0]
        pair = len(results) == 2 and 1 in self.overload.no_grad_outputs
        fields = _FIELDS.get(self.op.removeprefix("linalg_"), _PAIRS if pair else ())
        return Items("tuple", results, fields=fields)


def _find_device(operands: Iterable[Iterable[Tensor]]) -> Value | None:
    """Return the device to which the program has moved one of the operands; None if it has moved none."""
    return next((tensor.device for group in operands for tensor in group if tensor.device is not None), None)


def _lay_out_alike(result: Tensor, first: Tensor | None) -> None:
    """Note that the elements of a new tensor lie in the order of the first operand, whose extents are not known."""
    if first is not None and first.swapped is not None:
        result.contiguous, result.swapped, result.rows_apart = False, first.swapped, first.rows_apart


def _must_move(of: Tensor, layout: Layout | None) -> bool:
    """Return whether no view of the tensor can have the wanted shape, so that the op copies it."""
    return not of.contiguous and (of.layout is None or layout is None)
