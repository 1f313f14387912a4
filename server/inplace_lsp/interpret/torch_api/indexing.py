"""Subscripts of anything; on tensors they are views, copies and writes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from inplace_lsp.interpret.autograd import shapes
from inplace_lsp.interpret.autograd.ops import is_mask, tensor_of, tensors_in
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state import layout as layouts
from inplace_lsp.interpret.state.layout import Layout
from inplace_lsp.interpret.state.values import (
    Container,
    Counter,
    Instance,
    Items,
    Known,
    Library,
    Mapping,
    Number,
    SliceValue,
    Storage,
    Tensor,
    Unknown,
    Value,
    integer_of,
    is_none,
    key_of,
)
from inplace_lsp.interpret.torch_api.container_indexing import (
    get_entry,
    get_item,
    get_part,
    part_of,
    put_item,
    put_part,
    remove_item,
    slice_of,
)


def get(machine: Machine, value: Value, index: Value, text: str = "") -> Value:
    """`value[index]`."""
    if isinstance(index, Unknown) and index.names:
        index = Known(machine.name_in(index))
    if isinstance(value, Unknown) and _as_tensor(value, index):
        value = tensor_of(machine.recorder, value) or value
    if isinstance(value, Tensor):
        return _tensor_get(machine, value, index)
    if isinstance(value, Items):
        return get_item(machine, value, index, text)
    if isinstance(value, Mapping):
        return get_entry(machine, value, index, text)
    if isinstance(value, Container):
        return get_part(machine, value, index, text)
    if isinstance(value, Instance) and value.cls.lookup("__getitem__") is not None:
        return machine.call(machine.attribute(value, "__getitem__"), [index], {})
    if isinstance(value, Instance) and isinstance(value.base, Container):
        return get_part(machine, value.base, index, text)
    if isinstance(value, Unknown):
        key = key_of(index)
        if key not in value.elements:
            value.elements[key] = machine.element_of(value, text)
        return value.elements[key]
    if isinstance(value, Known) and isinstance(value.value, str) and (part := part_of(value.value, index)) is not None:
        return part
    return value if isinstance(value, Library) else machine.unknown(text or "an element")


def put(machine: Machine, value: Value, index: Value, item: Value) -> None:
    """`value[index] = item`."""
    if isinstance(value, Unknown) and (_as_tensor(value, index) or isinstance(item, Tensor)) and value.tensorlike:
        value = tensor_of(machine.recorder, value) or value
    if isinstance(value, Tensor):
        _tensor_put(machine, value, index, item)
    elif isinstance(value, Items):
        put_item(value, index, item)
    elif isinstance(value, Mapping):
        key = key_of(index)
        if key not in value.items:
            machine.note_growth(value)
        value.items[key] = item
    elif isinstance(value, Container):
        put_part(value, index, item)
    elif isinstance(value, Instance) and value.cls.lookup("__setitem__") is not None:
        machine.call(machine.attribute(value, "__setitem__"), [index, item], {})
    elif isinstance(value, Unknown):
        value.elements[key_of(index)] = item


def remove(machine: Machine, value: Value, index: Value) -> None:
    """`del value[index]`."""
    if isinstance(value, Mapping):
        value.items.pop(key_of(index), None)
    elif isinstance(value, Items):
        remove_item(value, index)
    elif isinstance(value, Unknown):
        whole = isinstance(index, SliceValue) and index.whole
        value.elements.clear() if whole else value.elements.pop(key_of(index), None)


def _as_tensor(value: Unknown, index: Value) -> bool:
    """Whether only a tensor (or array) can be indexed so, or the value is used as one elsewhere."""
    if isinstance(index, Known) and isinstance(index.value, str):
        return False
    if value.tensor is not None or value.tensorlike:
        return True
    if isinstance(index, Items):
        return any(isinstance(i, SliceValue) or (isinstance(i, Known) and i.value in (None, ...)) for i in index.items)
    return isinstance(index, Tensor) or (isinstance(index, Known) and index.value is ...)


# Tensors

_SHAPELESS = Tensor(0, Storage(0), Counter(0))


def is_basic(index: Value) -> bool:
    """Whether the index selects a view: numbers, slices, None and `...` only; a tensor, mask or list makes a copy."""
    if isinstance(index, Items) and index.kind == "tuple":
        return all(is_basic(i) for i in index.items)
    if isinstance(index, Unknown):
        return not index.tensorlike and index.tensor is None
    if isinstance(index, Known) and isinstance(index.value, bool):
        return False
    if isinstance(index, Tensor):
        return index.shape == () and index.dtype == "int"
    return isinstance(index, (Known, Number, SliceValue))


def _tensor_get(machine: Machine, tensor: Tensor, index: Value) -> Value:
    recorder = machine.recorder
    if tensor.array:
        if is_basic(index):
            part = recorder.alias(tensor, tensor.alias, shares_counter=True, array=True)
            part.layout = _layout(tensor.layout, _parts(index))
            return part
        return recorder.fresh("index", dtype=tensor.dtype)
    if is_basic(index):
        view = recorder.view(tensor, _view_op(index))
        view.name = tensor.name
        _describe(view, tensor, index)
        return view
    return _gather(machine, tensor, index)


def _view_op(index: Value) -> str:
    if isinstance(index, Items) and index.items:
        return _view_op(index.items[-1])
    if isinstance(index, SliceValue):
        return "slice"
    if isinstance(index, Known) and index.value in (None, ...):
        return "unsqueeze" if index.value is None else "alias"
    return "select"


def _parts(index: Value) -> Sequence[Value]:
    """What is written between the brackets, several for a tuple or a list."""
    return index.items if isinstance(index, Items) else [index]


def _describe(view: Tensor, tensor: Tensor, index: Value) -> None:
    """What is known of a view's shape, and which rows of its tensor it is."""
    view.contiguous = False
    view.expanded = _still_expanded(tensor.expanded, index)
    layout = _layout(tensor.layout, _parts(index))
    if layout is not None:
        shapes.give(view, layout)
        return
    if isinstance(index, SliceValue):
        if index.step is None and tensor.contiguous:
            view.contiguous = True
            bounds = [integer_of(index.lower), integer_of(index.upper)]
            if None not in [b for b, v in zip(bounds, (index.lower, index.upper), strict=True) if v is not None]:
                view.region = (tensor.id, bounds[0] if bounds[0] is not None else 0, bounds[1])
        if tensor.shape:
            view.shape = (None, *tensor.shape[1:])
    elif isinstance(index, (Known, Number)) and not (isinstance(index, Known) and index.value in (None, ...)):
        view.contiguous = tensor.contiguous
        view.shape = tensor.shape[1:] if tensor.shape else None


def _layout(of: Layout | None, parts: Sequence[Value]) -> Layout | None:
    """The layout of the view that a basic index selects, None where a number in it is not known."""
    if of is None:
        return None
    used = sum(not (isinstance(part, Known) and part.value in (None, ...)) for part in parts)
    at = 0
    try:
        for part in parts:
            if isinstance(part, Known) and part.value is ...:
                at += len(of.shape) - at - (used - _used(parts, part))
            elif is_none(part):
                of, at = layouts.unsqueezed(of, at), at + 1
            elif isinstance(part, SliceValue):
                of, at = layouts.sliced(of, at, slice_of(part)), at + 1
            elif isinstance(part, Known) and isinstance(part.value, int):
                of = layouts.selected(of, at, part.value)
            else:
                return None
    except (IndexError, TypeError, ValueError):
        return None
    return of


def _used(parts: Sequence[Value], until: Value) -> int:
    """The dimensions that the parts before `until` take."""
    before = itertools.takewhile(lambda part: part is not until, parts)
    return sum(not (isinstance(part, Known) and part.value in (None, ...)) for part in before)


def _still_expanded(expanded: frozenset[int], index: Value) -> frozenset[int]:
    """The expanded dimensions that are left after indexing: a number takes one away."""
    parts = _parts(index)
    if not expanded or any(isinstance(p, Known) and p.value is ... for p in parts):
        return expanded
    kept, at, to = [], 0, 0
    for part in parts:
        if is_none(part):
            to += 1
            continue
        if isinstance(part, SliceValue):
            if at in expanded:
                kept.append(to)
            to += 1
        at += 1
    return frozenset([*kept, *(d - at + to for d in expanded if d >= at)])


def _gather(machine: Machine, tensor: Tensor, index: Value) -> Value:
    """Indexing by tensors, masks or lists: a copy whose node keeps the indices, not the values."""
    recorder = machine.recorder
    needs = recorder.needs_grad([tensor])
    node = recorder.node("index", [tensor], needs) if needs else None
    result = recorder.fresh("index", requires_grad=needs, node=node, dtype=tensor.dtype)
    rows = len(index.items) if isinstance(index, Items) and index.kind == "list" and not index.open else None
    if isinstance(index, Tensor) and index.dtype == "int" and index.shape is not None and len(index.shape) == 1:
        rows = index.shape[0]
    if rows is not None and tensor.shape:
        shapes.take(result, (rows, *tensor.shape[1:]))
    if node is not None:
        for indices in tensors_in(recorder, index):
            recorder.save(node, indices, "index", "indices", needs)
        if not node.saves:
            recorder.save_private(node, "index")
    return result


def _tensor_put(machine: Machine, tensor: Tensor, index: Value, item: Value) -> None:
    recorder = machine.recorder
    if tensor.array:
        recorder.write(tensor, "numpy", region=_layout(tensor.layout, _parts(index)) if is_basic(index) else None)
        return
    source = tensor_of(recorder, item) if isinstance(item, (Tensor, Unknown)) and _is_tensor(item) else None
    if source is not None and source.array:
        source = None
    mask = source is None and is_mask(item)
    if is_basic(index):
        target = tensor if _is_whole(index, tensor) else recorder.view(tensor, _view_op(index), to_write=True)
        if target is not tensor:
            target.name = tensor.name
            _describe(target, tensor, index)
        _copy(machine, target, source, mask=mask)
        return
    if isinstance(index, Items) and index.kind == "tuple":
        basic = Items("tuple", [i for i in index.items if is_basic(i)])
        if not _is_whole(basic, tensor):  # `x[0, mask] = v` writes a view of x
            name = tensor.name
            tensor = recorder.view(tensor, _view_op(basic), to_write=True)
            tensor.name = name
    _scatter(machine, tensor, index, source, mask=mask)


def _is_whole(index: Value, tensor: Tensor) -> bool:
    """Whether assigning to the index writes the tensor itself: torch makes no view for `[:]`, `[...]`, `[:, :]`."""
    if isinstance(index, Items):
        return all(_is_whole(i, tensor) if n == 0 else _is_whole(i, _SHAPELESS) for n, i in enumerate(index.items))
    if isinstance(index, Known):
        return index.value is ...
    if not isinstance(index, SliceValue) or (index.step is not None and integer_of(index.step) != 1):
        return False
    extent = tensor.shape[0] if tensor.shape else None
    starts = index.lower is None or integer_of(index.lower) == 0
    return starts and (index.upper is None or (extent is not None and integer_of(index.upper) == extent))


def _is_tensor(value: Value) -> bool:
    known = value.tensorlike or value.tensor is not None or value.inputs if isinstance(value, Unknown) else False
    return isinstance(value, Tensor) or bool(known)


def _copy(machine: Machine, target: Tensor, source: Tensor | None, *, mask: bool) -> None:
    """What is assigned is copied; a number becomes a tensor first."""
    recorder, op = machine.recorder, "copy_"
    operands = [source] if source is not None else []
    needs = recorder.needs_grad(t for t in (target, *operands) if t.dtype in ("float", ""))
    fills = source is not None and source.shape == ()  # one element may lie in what it fills
    recorder.check_write(target, op, needs, operands=() if fills else operands)
    node = recorder.node(op, [target, *operands], needs) if needs else None
    recorder.write(target, op, needs, node=node, harmless=mask or _is_put_back(target, source))


def _is_put_back(target: Tensor, source: Tensor | None) -> bool:
    """Whether what is written was there before (`x[i] *= 2` has done it), or was but for a constant."""
    before = source.shifted or source if source is not None else None
    if before is None or before.storage is not target.storage or before.alias != target.alias:
        return False
    return before.layout is None or target.layout is None or before.layout == target.layout


def _scatter(machine: Machine, tensor: Tensor, index: Value, source: Tensor | None, *, mask: bool) -> None:
    """A write through a mask or index tensors: to the tensor itself; the node keeps the indices."""
    recorder = machine.recorder
    inputs = [tensor, *([source] if source is not None else [])]
    needs = recorder.needs_grad(t for t in inputs if t.dtype in ("float", ""))
    recorder.check_write(tensor, "index_put_", needs, operands=inputs[1:])
    node = recorder.node("index_put_", inputs, needs) if needs else None
    if node is not None:
        for indices in tensors_in(recorder, index):
            recorder.save(node, indices, "index_put_", "indices", needs)
    recorder.write(tensor, "index_put_", needs, node=node, harmless=mask)
