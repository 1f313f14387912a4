"""Recognise networks and optimizers that come from code out of sight (a base class, a caller) by their use and their
names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TypeGuard

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python.assumed_modules import ASKED_FOR, assume_module
from inplace_lsp.interpret.python.assumed_optimizers import (
    find_trained_name,
    make_optimizer,
    names_optimizer,
)
from inplace_lsp.interpret.state.values import Instance, Tensor, Unknown, Value, is_none
from inplace_lsp.interpret.torch_api import module_tree
from inplace_lsp.source import ir
from inplace_lsp.tape.names import split_words
from inplace_lsp.uses.reading import find_uses, find_uses_of_self
from inplace_lsp.uses.use import Use

_CALL, STEP = "()", "step"
_OF_MODULES = frozenset((*ASKED_FOR, "zero_grad", "train", "state_dict"))
"""Attributes that are read from networks in training: one that is only used is loaded and set to `eval`."""
_ANY_NETWORK = frozenset("net network model module".split())
"""Words in the name of any network, which do not say which one it is."""

Uses = dict[str, frozenset[str]]
"""The attributes of `self` by name, each with the attributes read from it, and `()` if it is called."""


def recognise_attribute(machine: Machine, owner: Instance, name: str) -> None:
    """Make an attribute that nothing in sight sets the network or the optimizer that the class uses it as."""
    uses = _find_uses(machine, owner, name)
    if names_optimizer(name):
        parameters = [
            parameter
            for part in uses
            if _trains_part(name, part, uses)
            for parameter in _find_weights(machine, owner, part)
        ]
        if parameters:
            owner.attributes[name] = make_optimizer(machine, parameters)
    elif is_network(name, uses):
        _assume_network(machine, owner, name)


def recognise_given(machine: Machine, definition: ir.FunctionDef | ir.Lambda, given: dict[str, Value]) -> None:
    """Make the arguments from an unseen caller the networks and the optimizers that the function uses them as."""
    if any(names_optimizer(parameter.name) for parameter in definition.parameters):
        recognise_all(machine, find_uses_of_parameters(definition), given)


def recognise_attributes(machine: Machine, owner: Instance) -> None:
    """Give an object from an unseen constructor the networks and optimizers that its methods use as attributes; also
    attributes that other code or another method sets later."""
    late = _find_late_optimizers(machine, owner)
    named = ((name, value) for name, value in owner.attributes.items() if isinstance(name, str))  # not by `vars(self)`
    plain = [name for name, value in named if is_plain(value)]
    optimizer = next(filter(names_optimizer, plain), None) or next(iter(late), None)
    if optimizer is None:
        return
    uses = _find_uses(machine, owner, optimizer)  # those of any optimizer include those of all attributes
    for name in (name for name in uses if late and (name in late or is_network(name, uses))):
        if _is_set_later(owner, name):
            owner.attributes[name] = machine.make_unknown(f"{owner.name or 'self'}.{name}")
            plain.append(name)
    recognise_all(machine, {name: uses[name] for name in plain if name in uses}, owner.attributes)


def _find_late_optimizers(machine: Machine, owner: Instance) -> list[str]:
    """Return the optimizers that the methods of an object step, and its constructor does not make."""
    stepped = frozenset[str]().union(*machine.read_classes(owner.cls, _read_stepped_attributes, ""))
    return sorted(name for name in stepped if _is_set_later(owner, name))


def _is_set_later(owner: Instance, name: str) -> bool:
    """Return whether the constructor has left an attribute out, or None."""
    held = owner.attributes.get(name)
    return is_none(held) if held is not None else owner.cls.look_up(name) is None


def _read_stepped_attributes(definition: ir.ClassDef, _: str) -> frozenset[str]:
    """Return the attributes that a class steps as optimizers."""
    uses = _find_uses_in_class(definition).items()
    return frozenset(used for used, asked in uses if STEP in asked and names_optimizer(used))


def recognise_all(machine: Machine, uses: Uses, given: dict[str, Value]) -> None:
    """Make those of the values of which nothing is known the networks and the optimizers that they are used as."""
    plain = {name: value for name, value in given.items() if name in uses and is_plain(value)}
    networks = {name: value for name, value in plain.items() if is_network(name, uses)}
    for optimizer in filter(names_optimizer, plain):
        trained = [network for name, network in networks.items() if _trains_part(optimizer, name, uses)]
        parameters = [parameter for network in trained for parameter in _assume_parameters(machine, network)]
        if parameters and STEP in uses[optimizer]:
            given[optimizer] = make_optimizer(machine, parameters)


def _assume_parameters(machine: Machine, network: Unknown) -> Iterator[Tensor]:
    """Make an unknown a module, and yield its parameters."""
    assume_module(machine, network)
    yield from _find_parameters(network)


def is_plain(value: Value) -> TypeGuard[Unknown]:
    """Return whether nothing is known of a value."""
    return isinstance(value, Unknown) and not value.tensorlike and value.tensor is None and not value.inputs


def is_asked_for_parameters(machine: Machine, owner: Instance, name: str) -> bool:
    """Return whether the methods of an object both call an attribute and ask it for its parameters."""
    asked = frozenset[str]().union(*machine.read_classes(owner.cls, _read_attribute_uses, name))
    return _CALL in asked and not asked.isdisjoint(ASKED_FOR)


def is_network(name: str, uses: Uses) -> bool:
    """Return whether an attribute is called and used as a network, or an optimizer is named after it."""
    asked = uses.get(name, frozenset())
    if _CALL not in asked or names_optimizer(name):
        return False
    return not asked.isdisjoint(_OF_MODULES) or _has_own_optimizer(name, uses)


def _trains_part(optimizer: str, part: str, uses: Uses) -> bool:
    """Return whether an optimizer trains a part: it is named after it, or after nothing, and the part has no optimizer
    of its own."""
    if not is_network(part, uses):
        return False
    if bears_name(optimizer, part, uses):
        return True
    return not find_trained_name(optimizer) and not _has_own_optimizer(part, uses)


def _has_own_optimizer(part: str, uses: Uses) -> bool:
    """Return whether an optimizer is named after a part. What is called is none, but makes one: `value_optimizer_fn`
    beside `value_model_fn`."""
    optimizers = (used for used, asked in uses.items() if names_optimizer(used) and _CALL not in asked)
    return any(bears_name(used, part, uses) for used in optimizers)


def bears_name(optimizer: str, part: str, uses: Uses) -> bool:
    """Return whether an optimizer is named after a part: `critic_opt` and `critic`, `optimizer_G` and `netG`; or, if
    there is no other such part, after the beginning of its name: `opt_d` and `discriminator`."""
    if _bears_whole_name(optimizer, part):
        return True
    called = [name for name, asked in uses.items() if _CALL in asked and not names_optimizer(name)]
    return [name for name in called if _abbreviates_name(optimizer, name)] == [part] and not any(
        _bears_whole_name(optimizer, name) for name in called
    )


def _bears_whole_name(optimizer: str, part: str) -> bool:
    trained, words = find_trained_name(optimizer), _select_telling_words(part)
    return [word for word in trained if word not in _ANY_NETWORK] == words and bool(trained or not words)


def _abbreviates_name(optimizer: str, part: str) -> bool:
    """Return whether an optimizer's name has the beginning of a part's: `disc_opt` and `discriminator`."""
    trained, words = find_trained_name(optimizer), _select_telling_words(part)
    return len(trained) == len(words) == 1 and words[0].lower().startswith(trained[0].lower())


def _select_telling_words(part: str) -> list[str]:
    return [word for word in split_words(part) if word not in _ANY_NETWORK]


def _assume_network(machine: Machine, owner: Instance, name: str) -> Unknown | None:
    """Return the unknown network that the object has under a name; None if what it has there is known."""
    network = owner.attributes.setdefault(name, machine.make_unknown(f"{owner.name or 'self'}.{name}"))
    if not isinstance(network, Unknown):
        return None
    assume_module(machine, network)
    return network


def _find_weights(machine: Machine, owner: Instance, part: str) -> Iterator[Tensor]:
    network = _assume_network(machine, owner, part)
    if network is not None:
        yield from _find_parameters(network)


def _find_parameters(network: Unknown) -> Iterator[Tensor]:
    if network.module is not None:
        yield from (tensor for _, tensor in module_tree.find_parameters(network.module))


def _find_uses(machine: Machine, owner: Instance, name: str) -> Uses:
    """Return how the methods of an object use an attribute, and all other attributes that may identify it."""
    found: Uses = {}
    for uses in machine.read_classes(owner.cls, _read_uses, name):
        for used, asked in uses:
            found[used] = found.get(used, frozenset()) | asked
    return found


def _read_uses(definition: ir.ClassDef, name: str) -> frozenset[tuple[str, frozenset[str]]]:
    """Return how a class uses an attribute and its optimizers; for an optimizer, how it uses all attributes."""
    uses, whole = _find_uses_in_class(definition).items(), names_optimizer(name)
    return frozenset((used, asked) for used, asked in uses if whole or used == name or names_optimizer(used))


def _read_attribute_uses(definition: ir.ClassDef, name: str) -> frozenset[str]:
    return _find_uses_in_class(definition).get(name, frozenset())


@lru_cache(maxsize=1024)
def _find_uses_in_class(definition: ir.ClassDef) -> Mapping[str, frozenset[str]]:
    """Return the attributes of `self` that a class uses, and what it asks of each."""
    return {name: list_questions(use) for name, use in find_uses_of_self(definition.body).items()}


@lru_cache(maxsize=1024)
def find_uses_of_parameters(definition: ir.FunctionDef | ir.Lambda) -> Uses:
    """Return the parameters that a function uses as objects, and what it asks of each."""
    found = {name: list_questions(use) for name, use in find_uses(definition).items()}
    return {name: asked for name, asked in found.items() if asked}


def list_questions(use: Use) -> frozenset[str]:
    """Return the attributes that are read from a value, and `()` if it is called."""
    return frozenset([*use.attributes, _CALL] if use.called else use.attributes)
