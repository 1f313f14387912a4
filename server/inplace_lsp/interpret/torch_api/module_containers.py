"""`nn.Sequential`, `nn.ModuleList` and similar: modules that hold others in order or by name."""

from __future__ import annotations

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.iteration import find_elements
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state import relative_numbers
from inplace_lsp.interpret.state.values import (
    NONE,
    Bound,
    Container,
    Instance,
    Items,
    Known,
    Mapping,
    Unknown,
    Value,
    find_integer,
    make_key,
    name_part,
)
from inplace_lsp.interpret.torch_api import indexing

AnyContainer = Container | Instance

CLASSES = frozenset(
    f"torch.nn.{kind}" for kind in ("Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict")
)


def container_of(module: Value) -> Container | None:
    """Return the container that a module is, itself or by inheritance."""
    found = module.base if isinstance(module, Instance) else module
    return found if isinstance(found, Container) else None


# Construction


@intrinsic("torch.nn.Sequential(*args)")
def _make_sequential(machine: Machine, args: Items) -> Value:
    """Build a container that calls its modules one after the other."""
    made = Container("Sequential", {})
    for argument in args.items:
        if isinstance(argument, Mapping):
            made.items.update({name_part(key): value for key, value in argument.items.items()})
        else:
            made.items[str(len(made.items))] = argument
    _cut_from_samples(made)
    return made


def _cut_from_samples(container: Container) -> None:
    """Cut modules that unseen code made off from tensors it was given: a layer that is made for the shape of a sample
    does not keep the sample's graph."""
    for module in container.items.values():
        if isinstance(module, Unknown):
            module.inputs = ()


@intrinsic("torch.nn.ModuleList(modules=None)")
def _module_list(machine: Machine, modules: Value) -> Value:
    """Hold modules in order."""
    return _make_container(machine, "ModuleList", modules)


@intrinsic("torch.nn.ModuleDict(modules=None)")
def _module_dict(machine: Machine, modules: Value) -> Value:
    """Hold modules by name."""
    return _make_container(machine, "ModuleDict", modules)


@intrinsic("torch.nn.ParameterList(values=None)")
def _parameter_list(machine: Machine, values: Value) -> Value:
    """Hold parameters in order."""
    return _make_container(machine, "ParameterList", values)


@intrinsic("torch.nn.ParameterDict(parameters=None)")
def _parameter_dict(machine: Machine, parameters: Value) -> Value:
    """Hold parameters by name."""
    return _make_container(machine, "ParameterDict", parameters)


def _make_container(machine: Machine, kind: str, given: Value) -> Container:
    made = Container(kind, {}, open=isinstance(given, Unknown))
    if kind.endswith("Dict"):
        _take_entries(machine, made, given)
    elif not isinstance(given, Known):
        _append_items(machine, made, given)
        relative_numbers.give_length(made, relative_numbers.find_length(given))
    if kind.startswith("Module"):
        _cut_from_samples(made)
    return made


def _take_entries(machine: Machine, into: Container, given: Value) -> None:
    """Add the named entries of a dict, a container or an iterable of pairs."""
    source = container_of(given) or given
    if isinstance(source, (Mapping, Container)):
        into.items.update({name_part(key): value for key, value in source.items.items()})
    elif not isinstance(source, Known):
        for pair in find_elements(machine, source):
            if isinstance(pair, Items) and len(pair.items) == 2:
                into.items[name_part(make_key(pair.items[0]))] = pair.items[1]


def _append_items(machine: Machine, into: Container, given: Value) -> None:
    for item in list(find_elements(machine, given)):
        into.items[str(len(into.items))] = item


# Calls


@intrinsic("torch.nn.Sequential.forward(container, /, input)")
def _forward_sequential(machine: Machine, container: AnyContainer, input: Value, text: str) -> Value:
    """Call all modules one after the other."""
    for item in _list_items(container):
        input = machine.call(item, [input], {}, text)
    return input


# Lists


@intrinsic("torch.nn.Sequential.append(container, /, module)", "torch.nn.ModuleList.append(container, /, module)")
def _append_module(machine: Machine, container: AnyContainer, module: Value) -> Value:
    """Add a module at the end."""
    return _add_all(machine, container, Items("list", [module]))


@intrinsic("torch.nn.ParameterList.append(container, /, value)")
def _append_parameter(machine: Machine, container: AnyContainer, value: Value) -> Value:
    """Add a parameter at the end."""
    return _add_all(machine, container, Items("list", [value]))


@intrinsic("torch.nn.Sequential.extend(container, /, sequential)")
def _extend_sequential(machine: Machine, container: AnyContainer, sequential: Value) -> Value:
    """Add modules at the end."""
    return _add_all(machine, container, sequential)


@intrinsic("torch.nn.ModuleList.extend(container, /, modules)")
def _extend_list(machine: Machine, container: AnyContainer, modules: Value) -> Value:
    """Add modules at the end."""
    return _add_all(machine, container, modules)


@intrinsic("torch.nn.ParameterList.extend(container, /, values)")
def _extend_parameters(machine: Machine, container: AnyContainer, values: Value) -> Value:
    """Add parameters at the end."""
    return _add_all(machine, container, values)


def _add_all(machine: Machine, container: AnyContainer, given: Value) -> Value:
    held = container_of(container)
    if held is not None:
        _append_items(machine, held, given)
    return container


@intrinsic(
    "torch.nn.Sequential.insert(container, /, index, module)", "torch.nn.ModuleList.insert(container, /, index, module)"
)
def _insert_module(machine: Machine, container: AnyContainer, index: Value, module: Value) -> Value:
    """Insert a module before another."""
    held, items = container_of(container), _list_items(container)
    at = find_integer(index)
    items.insert(len(items) if at is None else max(-len(items), min(at, len(items))), module)
    if held is None:
        return container
    _renumber_items(held, items)
    return container if held.kind == "Sequential" else NONE


@intrinsic("torch.nn.Sequential.pop(container, /, key)", "torch.nn.ModuleList.pop(container, /, key)")
def _pop_module(machine: Machine, container: AnyContainer, key: Value) -> Value:
    """Remove a module and return it."""
    held, items = container_of(container), _list_items(container)
    at = find_integer(key)
    if held is None or at is None or not -len(items) <= at < len(items):
        return machine.make_unknown("a module")
    taken = items.pop(at)
    _renumber_items(held, items)
    return taken


def _list_items(container: AnyContainer) -> list[Value]:
    held = container_of(container)
    return list(held.items.values()) if held is not None else []


def _renumber_items(container: Container, items: list[Value]) -> None:
    """Name the items by their places."""
    container.items.clear()
    container.items.update({str(at): item for at, item in enumerate(items)})


@intrinsic(*(f"{name}.__len__(container, /)" for name in sorted(CLASSES)))
def _count_items(machine: Machine, container: AnyContainer) -> Value:
    """Return the number of items."""
    return Known(len(_list_items(container)))


@intrinsic(*(f"{name}.__getitem__(container, key, /)" for name in sorted(CLASSES)))
def _get_item(machine: Machine, container: AnyContainer, key: Value) -> Value:
    """Return the item at a key."""
    return indexing.get_element(machine, container_of(container) or container, key)


@intrinsic(*(f"{name}.__setitem__(container, key, value, /)" for name in sorted(CLASSES)))
def _set_item(machine: Machine, container: AnyContainer, key: Value, value: Value) -> Value:
    """Replace the item at a key."""
    indexing.put_element(machine, container_of(container) or container, key, value)
    return NONE


# Dicts


def _signatures_of_dict(signature: str) -> tuple[str, str]:
    return f"torch.nn.ModuleDict.{signature}", f"torch.nn.ParameterDict.{signature}"


def _dict_method(machine: Machine, container: AnyContainer, name: str, *arguments: Value) -> Value:
    """Call the method of a dict with the same entries."""
    held = container_of(container)
    entries = Mapping(held.items, held.open) if held is not None else Mapping({}, open=True)
    return machine.call(Bound(entries, name), arguments, {})


@intrinsic(*_signatures_of_dict("keys(container, /)"))
def _list_keys(machine: Machine, container: AnyContainer) -> Value:
    """List the names of the entries."""
    return _dict_method(machine, container, "keys")


@intrinsic(*_signatures_of_dict("values(container, /)"))
def _list_values(machine: Machine, container: AnyContainer) -> Value:
    """List the values of the entries."""
    return _dict_method(machine, container, "values")


@intrinsic(*_signatures_of_dict("items(container, /)"))
def _list_entries(machine: Machine, container: AnyContainer) -> Value:
    """List the entries as pairs."""
    return _dict_method(machine, container, "items")


@intrinsic(*_signatures_of_dict("pop(container, /, key)"))
def _pop_entry(machine: Machine, container: AnyContainer, key: Value) -> Value:
    """Remove the entry of that name and return it."""
    return _dict_method(machine, container, "pop", key)


@intrinsic(*_signatures_of_dict("clear(container, /)"))
def _clear_entries(machine: Machine, container: AnyContainer) -> Value:
    """Remove all entries."""
    return _dict_method(machine, container, "clear")


@intrinsic("torch.nn.ModuleDict.update(container, /, modules)")
def _update_modules(machine: Machine, container: AnyContainer, modules: Value) -> Value:
    """Add modules by name."""
    return _update_entries(machine, container, modules)


@intrinsic("torch.nn.ParameterDict.update(container, /, parameters)")
def _update_parameters(machine: Machine, container: AnyContainer, parameters: Value) -> Value:
    """Add parameters by name."""
    return _update_entries(machine, container, parameters)


def _update_entries(machine: Machine, container: AnyContainer, given: Value) -> Value:
    held = container_of(container)
    if held is not None:
        _take_entries(machine, held, given)
    return NONE


@intrinsic("torch.nn.ParameterDict.get(container, /, key, default=None)")
def _get_entry(machine: Machine, container: AnyContainer, key: Value, default: Value) -> Value:
    """Return the entry of that name, or the default."""
    return _dict_method(machine, container, "get", key, default)


@intrinsic("torch.nn.ParameterDict.setdefault(container, /, key, default=None)")
def _set_default(machine: Machine, container: AnyContainer, key: Value, default: Value) -> Value:
    """Return the entry of that name; add the default if it is missing."""
    return _dict_method(machine, container, "setdefault", key, default)
