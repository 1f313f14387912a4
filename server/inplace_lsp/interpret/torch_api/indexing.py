"""Subscripts of all values; on tensors they are views, copies and writes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from inplace_lsp.interpret.autograd import shapes
from inplace_lsp.interpret.autograd.ops import is_mask, tensor_of, tensors_in
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state import layout as layouts
from inplace_lsp.interpret.state import relative_numbers
from inplace_lsp.interpret.state.layout import Layout
from inplace_lsp.interpret.state.values import (
    Bound,
    Class,
    Container,
    Counter,
    Function,
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
    find_integer,
    is_none,
    make_key,
)
from inplace_lsp.interpret.torch_api.container_indexing import (
    find_text_part,
    get_entry,
    get_item,
    get_part,
    put_item,
    put_part,
    remove_item,
    to_known_slice,
)
from inplace_lsp.interpret.torch_api.devices import is_on_gpu
from inplace_lsp.interpret.torch_api.new_arrays import is_real_array, new_array, take_for_array_or_raise
from inplace_lsp.tape.autograd import INDEXED
from inplace_lsp.tape.names import split_words


def get_element(machine: Machine, value: Value, index: Value, text: str = "") -> Value:
    """Evaluate `value[index]`."""
    if isinstance(index, Unknown) and index.names:
        index = Known(machine.decide_text(index))
    if isinstance(value, Unknown) and _is_used_as_tensor(value, index):
        value = tensor_of(machine.recorder, value) or value
    if isinstance(value, Tensor):
        return _read_field(machine, value, index, text) if _is_text(index) else _tensor_get(machine, value, index)
    if isinstance(value, Items):
        return get_item(machine, value, index, text)
    if isinstance(value, Mapping):
        return get_entry(machine, value, index, text)
    if isinstance(value, Container):
        return get_part(machine, value, index, text)
    if isinstance(value, Unknown):
        return _get_unknown_element(machine, value, index, text)
    if isinstance(value, Library):
        return value
    found = _get_other_element(machine, value, index, text)
    return found if found is not None else machine.make_unknown(text or "an element")


def _is_text(index: Value) -> bool:
    return isinstance(index, Known) and isinstance(index.value, str)


def _name_field(index: Value) -> str:
    """Return the name under which a field of a value is kept that was taken for a tensor."""
    return f"[{make_key(index)!r}]"


def _read_field(machine: Machine, value: Tensor, index: Value, text: str) -> Value:
    """Return `value["name"]`: what was taken for a tensor is a dict of them, computed like it."""
    name = _name_field(index)
    if name not in value.attributes:
        value.attributes[name] = machine.make_unknown(text or "an element", [value])
    return value.attributes[name]


def _get_other_element(machine: Machine, value: Value, index: Value, text: str) -> Value | None:
    """Return the element of a user's object or of a text; None if it is not known."""
    if isinstance(value, Instance) and value.cls.look_up("__getitem__") is not None:
        return machine.call(machine.get_attribute(value, "__getitem__"), [index], {})
    if isinstance(value, Instance) and isinstance(value.base, Container):
        return get_part(machine, value.base, index, text)
    if isinstance(value, Class):
        return _get_element_of_class(machine, value, index)
    if isinstance(value, Known) and isinstance(value.value, str):
        return find_text_part(value.value, index)
    return None


def _get_element_of_class(machine: Machine, value: Class, index: Value) -> Value | None:
    """Return a member of an enum by its name, what the class itself makes of `index`, or the class: it is generic."""
    if value.is_enum():
        return value.look_up(index.value) if isinstance(index, Known) and isinstance(index.value, str) else None
    method = value.look_up_in_metaclass("__getitem__") or value.look_up("__class_getitem__")
    return machine.call(Bound(value, method), [index], {}) if isinstance(method, Function) else value


def _get_unknown_element(machine: Machine, value: Unknown, index: Value, text: str) -> Value:
    """Return the element of an unknown value, the same for the same index."""
    key = make_key(index)
    if key not in value.elements:
        value.elements[key] = machine.make_element(value, text)
    return value.elements[key]


def put_element(machine: Machine, value: Value, index: Value, item: Value) -> None:
    """Execute `value[index] = item`."""
    if isinstance(value, Unknown) and value.tensorlike and not _is_text(index):
        value = _as_written_tensor(machine, value, index, item)
    elif isinstance(value, Unknown) and value.tensor is not None and value.tensor.array:
        value = value.tensor  # a tensor lies in its memory
    if isinstance(value, Tensor) and (_is_text(index) or _is_refused(value, item)):
        value.attributes[_name_field(index)] = item
    elif isinstance(value, Tensor):
        _tensor_put(machine, value, index, item)
    elif isinstance(value, Items):
        put_item(value, index, item)
    elif isinstance(value, Mapping):
        _put_entry(machine, value, make_key(index), item)
    elif isinstance(value, Container):
        put_part(value, index, item)
    elif isinstance(value, Instance) and value.cls.look_up("__setitem__") is not None:
        machine.call(machine.get_attribute(value, "__setitem__"), [index, item], {})
    elif isinstance(value, Unknown):
        relative_numbers.forget_length(value)
        value.elements[make_key(index)] = item


def _is_refused(tensor: Tensor, item: Value) -> bool:
    """Return whether torch refuses the item, so that what was taken for a tensor is a list, a dict or an array."""
    return _is_sequence(item) and not tensor.array


def _is_sequence(item: Value) -> bool:
    return isinstance(item, (Items, Mapping)) or is_none(item) or _is_text(item)


def _as_written_tensor(machine: Machine, value: Unknown, index: Value, item: Value) -> Value:
    """Return the tensor that an unknown value is if a tensor is assigned to it, or its index is one for tensors."""
    if _is_sequence(item):
        return value
    if isinstance(item, Tensor) or _is_used_as_tensor(value, index):
        return tensor_of(machine.recorder, value) or value
    return value


def _put_entry(machine: Machine, mapping: Mapping, key: object, item: Value) -> None:
    if key not in mapping.items:
        machine.note_growth(mapping)
    mapping.items[key] = item


def remove_element(machine: Machine, value: Value, index: Value) -> None:
    """Execute `del value[index]`."""
    if isinstance(value, Mapping):
        value.items.pop(make_key(index), None)
    elif isinstance(value, Items):
        remove_item(value, index)
    elif isinstance(value, Unknown):
        relative_numbers.forget_length(value)
        whole = isinstance(index, SliceValue) and index.is_whole
        value.elements.clear() if whole else value.elements.pop(make_key(index), None)


def _is_used_as_tensor(value: Unknown, index: Value) -> bool:
    """Return whether only a tensor (or array) takes this index, or the value is used as one elsewhere."""
    if _is_text(index):
        return False
    if value.tensor is not None or value.tensorlike:
        return True
    if isinstance(index, Items):
        return any(isinstance(i, SliceValue) or _is_new_axis(i) for i in index.items)
    return isinstance(index, Tensor) or (isinstance(index, Known) and index.value is ...)


def _is_new_axis(index: Value) -> bool:
    """Return whether an index is None or `...`: it takes no dimension."""
    return isinstance(index, Known) and index.value in (None, ...)


# Tensors

_SHAPELESS = Tensor(0, Storage(0), Counter(0))


def is_basic(index: Value) -> bool:
    """Return whether the index selects a view: only numbers, slices, None and `...` do; all else copies."""
    if isinstance(index, Items) and index.kind == "tuple":
        return all(is_basic(i) for i in index.items)
    if isinstance(index, Unknown):
        return _may_be_number(index)
    if isinstance(index, Known) and isinstance(index.value, bool):
        return False
    if isinstance(index, Tensor):
        return index.shape == () and index.dtype == "int"
    return isinstance(index, (Known, Number, SliceValue))


def _may_be_number(index: Unknown) -> bool:
    """Return whether an unknown index is taken for a number, which selects a view. What is a part of something unknown,
    or is called like many indices, may as well select a copy: no alias is guessed."""
    if index.tensorlike or index.tensor is not None or index.part:
        return False
    return _OF_INDICES.isdisjoint(split_words(index.origin[-_LONG:]))


_LONG = 16
_OF_INDICES = frozenset("indices idxs indexes inds ids perm permutation mask masks order".split())
"""Words for many indices, looked for in the last characters of an expression (`cfg.perm`)."""


def _tensor_get(machine: Machine, tensor: Tensor, index: Value) -> Value:
    recorder = machine.recorder
    if tensor.array:
        if is_basic(index):
            if _is_element(tensor, index):
                return Number()
            part = recorder.new_alias(tensor, tensor.alias, shares_counter=True, array=True)
            part.layout = _layout_of_part(tensor.layout, _index_parts(index))
            part.shape = part.layout.shape if part.layout is not None else None
            part.contiguous = tensor.contiguous and not isinstance(index, Items)
            return part
        return new_array(machine, tensor.dtype)
    if is_basic(index):
        view = recorder.new_view(tensor, _view_op(index))
        view.name = tensor.name
        _describe_view(view, tensor, index)
        return view
    return _gather_elements(machine, tensor, index)


def _is_element(array: Tensor, index: Value) -> bool:
    """Return whether the index takes one number out of an array."""
    parts = index.items if isinstance(index, Items) else [index]
    return array.shape is not None and len(parts) == len(array.shape) and all(map(_is_integer, parts))


def _is_integer(index: Value) -> bool:
    return isinstance(index, Number) or (isinstance(index, Known) and isinstance(index.value, int))


def _view_op(index: Value) -> str:
    if isinstance(index, Items) and index.items:
        return _view_op(index.items[-1])
    if isinstance(index, SliceValue):
        return "slice"
    if isinstance(index, Known) and index.value in (None, ...):
        return "unsqueeze" if index.value is None else "alias"
    return "select"


def _index_parts(index: Value) -> Sequence[Value]:
    """Return the parts between the brackets, several for a tuple or a list."""
    return index.items if isinstance(index, Items) else [index]


def _describe_view(view: Tensor, tensor: Tensor, index: Value) -> None:
    """Set what is known of a view's shape, and which rows of its base it covers."""
    view.contiguous = False
    view.expanded = _list_expanded_dimensions(tensor.expanded, index)
    layout = _layout_of_part(tensor.layout, _index_parts(index))
    if layout is not None:
        shapes.set_layout(view, layout)
    elif isinstance(index, SliceValue):
        _describe_rows(view, tensor, index)
    elif isinstance(index, (Known, Number)) and not _is_new_axis(index):
        view.contiguous = tensor.contiguous
        view.shape = tensor.shape[1:] if tensor.shape else None


def _describe_rows(view: Tensor, tensor: Tensor, index: SliceValue) -> None:
    if index.step is None and tensor.contiguous:
        view.contiguous = True
        lower, upper = find_integer(index.lower), find_integer(index.upper)
        if (index.lower is None or lower is not None) and (index.upper is None or upper is not None):
            view.region = (tensor.id, lower if lower is not None else 0, upper)
    if tensor.shape:
        view.shape = (None, *tensor.shape[1:])


def _layout_of_part(of: Layout | None, parts: Sequence[Value]) -> Layout | None:
    """Return the layout of the view that a basic index selects; None if a number in it is unknown."""
    if of is None:
        return None
    used = sum(not _is_new_axis(part) for part in parts)
    at = 0
    try:
        for part in parts:
            if isinstance(part, Known) and part.value is ...:
                at += len(of.shape) - at - (used - _count_used_dimensions(parts, part))
            elif is_none(part):
                of, at = layouts.unsqueeze_layout(of, at), at + 1
            elif isinstance(part, SliceValue):
                of, at = layouts.slice_dimension(of, at, to_known_slice(part)), at + 1
            elif isinstance(part, Known) and isinstance(part.value, int):
                of = layouts.select_index(of, at, part.value)
            else:
                return None
    except (IndexError, TypeError, ValueError):
        return None
    return of


def _count_used_dimensions(parts: Sequence[Value], until: Value) -> int:
    """Count the dimensions that the parts before `until` consume."""
    before = itertools.takewhile(lambda part: part is not until, parts)
    return sum(not (isinstance(part, Known) and part.value in (None, ...)) for part in before)


def _list_expanded_dimensions(expanded: frozenset[int], index: Value) -> frozenset[int]:
    """Return the expanded dimensions left after indexing: an integer removes one."""
    parts = _index_parts(index)
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


def _gather_elements(machine: Machine, tensor: Tensor, index: Value) -> Value:
    """Index by tensors, masks or lists: the result is a copy whose node saves the indices, not the values."""
    recorder = machine.recorder
    needs = recorder.needs_grad([tensor])
    node = recorder.new_node("index", [tensor], needs) if needs else None
    result = recorder.new_tensor("index", requires_grad=needs, node=node, dtype=tensor.dtype)
    rows = _count_rows(index)
    if rows is not None and tensor.shape:
        shapes.set_shape(result, (rows, *tensor.shape[1:]))
    if node is not None:
        for indices in tensors_in(recorder, index):
            recorder.save_tensor(node, indices, "index", "indices", needs)
        if not node.saves:
            recorder.save_private(node, "index")
    return result


def _count_rows(index: Value) -> int | None:
    """Return the number of rows that a list or a tensor of indices selects; None if unknown."""
    if isinstance(index, Items) and index.kind == "list" and not index.open:
        return len(index.items)
    if isinstance(index, Tensor) and index.dtype == "int" and index.shape is not None and len(index.shape) == 1:
        return index.shape[0]
    return None


def _tensor_put(machine: Machine, tensor: Tensor, index: Value, item: Value) -> None:
    with machine.recorder.run_spelt(INDEXED):
        _write_part(machine, tensor, index, item)


def _write_part(machine: Machine, tensor: Tensor, index: Value, item: Value) -> None:
    basic = is_basic(index)
    if is_real_array(item):
        take_for_array_or_raise(machine, tensor)
    if tensor.array:
        region = _layout_of_part(tensor.layout, _index_parts(index)) if basic else None
        machine.recorder.write_tensor(tensor, "numpy", region=region)
        return
    source = _find_source(machine, item)
    mask = source is None and is_mask(item)
    if basic:
        target = _view_to_write(machine, tensor, index)
        if target is not tensor:
            _describe_view(target, tensor, index)
        _copy_into(machine, target, source, mask=mask)
        return
    if isinstance(index, Items) and index.kind == "tuple":  # `x[0, mask] = v` writes a view of x
        tensor = _view_to_write(machine, tensor, Items("tuple", [i for i in index.items if is_basic(i)]))
    _scatter_into(machine, tensor, index, source, mask=mask)


def _view_to_write(machine: Machine, tensor: Tensor, index: Value) -> Tensor:
    """Return the view that an assignment to a basic index writes; the tensor itself if the index takes it whole."""
    if _is_whole(index, tensor):
        return tensor
    view = machine.recorder.new_view(tensor, _view_op(index), to_write=True)
    view.name = tensor.name
    return view


def _find_source(machine: Machine, item: Value) -> Tensor | None:
    """Return the tensor that is assigned; None for numbers and arrays."""
    source = tensor_of(machine.recorder, item) if isinstance(item, (Tensor, Unknown)) and _is_tensor(item) else None
    return source if source is not None and not source.array else None


def _is_whole(index: Value, tensor: Tensor) -> bool:
    """Return whether assigning to the index writes the tensor itself, without a view: `[:]`, `[...]`, `[:, :]`."""
    if isinstance(index, Items):
        return all(_is_whole(i, tensor if n == 0 else _SHAPELESS) for n, i in enumerate(index.items))
    if isinstance(index, Known):
        return index.value is ...
    return isinstance(index, SliceValue) and _takes_all(index, tensor.shape[0] if tensor.shape else None)


def _takes_all(part: SliceValue, extent: int | None) -> bool:
    """Return whether a slice of a dimension of that extent takes all of it."""
    if part.step is not None and find_integer(part.step) != 1:
        return False
    if part.lower is not None and find_integer(part.lower) != 0:
        return False
    return part.upper is None or (extent is not None and find_integer(part.upper) == extent)


def _is_tensor(value: Value) -> bool:
    known = value.tensorlike or value.tensor is not None or value.inputs if isinstance(value, Unknown) else False
    return isinstance(value, Tensor) or bool(known)


def _copy_into(machine: Machine, target: Tensor, source: Tensor | None, *, mask: bool) -> None:
    """Copy the assigned value into the target, a number as a new tensor."""
    recorder = machine.recorder
    fills_all = source is None and target.overlaps_itself and is_on_gpu(target)
    op = "fill_" if fills_all else "copy_"  # a number is copied on the CPU only: `set_item` in TensorIndexing.h
    operands = [source] if source is not None else []
    needs = recorder.needs_floats((target, *operands), [target])
    fills = source is not None and source.shape == ()  # one element may lie in what it fills
    refused = recorder.check_write(target, op, needs, operands=() if fills else operands)
    node = recorder.new_node(op, [target, *operands], needs) if needs else None
    if refused is not None:
        recorder.renew_name(target, refused, needs, node)
        return
    recorder.write_tensor(target, op, needs, node=node, harmless=mask or _is_put_back(target, source))


def _is_put_back(target: Tensor, source: Tensor | None) -> bool:
    """Return whether the written values are those already there, up to a constant (as after `x[i] *= 2`)."""
    before = source.shifted or source if source is not None else None
    if before is None or before.storage is not target.storage or before.alias != target.alias:
        return False
    return before.layout is None or target.layout is None or before.layout == target.layout


def _scatter_into(machine: Machine, tensor: Tensor, index: Value, source: Tensor | None, *, mask: bool) -> None:
    """Write to the tensor itself through a mask or index tensors; the node saves the indices."""
    recorder = machine.recorder
    inputs = [tensor, *([source] if source is not None else [])]
    needs = recorder.needs_floats(inputs, [tensor])
    chosen = tensors_in(recorder, index)
    apart = [part for part in chosen if _lies_apart(part, source)]
    refused = recorder.check_write(tensor, "index_put_", needs, operands=[*inputs[1:], *apart])
    node = recorder.new_node("index_put_", inputs, needs) if needs else None
    if node is not None:
        for indices in chosen:
            recorder.save_tensor(node, indices, "index_put_", "indices", needs)
    if refused is not None:
        recorder.renew_name(tensor, refused, needs, node)
        return
    recorder.write_tensor(tensor, "index_put_", needs, node=node, harmless=mask)


def _lies_apart(index: Tensor, source: Tensor | None) -> bool:
    """Return whether torch requires that an index shares no memory with the written tensor. A mask that is filled with
    one number may share it."""
    return index.dtype == "int" or (source is not None and source.shape != ())
