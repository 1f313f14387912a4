"""Networks and optimizers that an object has from a base class that is not in sight, or that a caller out of sight
gives: how they are used, and by which names, says what they are."""

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
    split_words,
)
from inplace_lsp.interpret.state.values import Instance, Tensor, Unknown, Value
from inplace_lsp.interpret.torch_api import module_tree
from inplace_lsp.source import ir

_CALL, _STEP = "()", "step"
_OF_MODULES = frozenset((*ASKED_FOR, "zero_grad", "train", "state_dict"))
"""What is asked of networks that learn: one that is only used is loaded and set to `eval`."""
_ANY_NETWORK = frozenset("net network model module".split())
"""Words that say that something is a network, and not which."""

Uses = dict[str, frozenset[str]]
"""The attributes of `self` by name: what is asked of each, and whether it is called."""


def recognise(machine: Machine, owner: Instance, name: str) -> None:
    """Let an attribute that nothing in sight sets be the network or the optimizer that the class uses it as."""
    uses = _find_uses(machine, owner, name)
    if names_optimizer(name):
        parameters = [one for part in uses if _trains(name, part, uses) for one in _find_weights(machine, owner, part)]
        if parameters:
            owner.attributes[name] = make_optimizer(machine, parameters)
    elif _is_network(name, uses):
        _assume_network(machine, owner, name)


def recognise_given(machine: Machine, definition: ir.FunctionDef | ir.Lambda, given: dict[str, Value]) -> None:
    """Let what a function is given by nobody in sight be the networks and the optimizers that it uses them as."""
    if any(names_optimizer(parameter.name) for parameter in definition.parameters):
        _recognise_all(machine, _uses_of_parameters(definition), given)


def recognise_attributes(machine: Machine, owner: Instance) -> None:
    """Let the attributes of an object that nobody in sight makes be the networks and the optimizers that its methods
    use them as."""
    plain = [name for name, value in owner.attributes.items() if _is_plain(value)]
    optimizer = next(filter(names_optimizer, plain), None)
    if optimizer is not None:  # whichever it is, how all attributes are used is told
        uses = _find_uses(machine, owner, optimizer)
        _recognise_all(machine, {name: uses[name] for name in plain if name in uses}, owner.attributes)


def _recognise_all(machine: Machine, uses: Uses, given: dict[str, Value]) -> None:
    plain = {name: value for name, value in given.items() if name in uses and _is_plain(value)}
    networks = {name: value for name, value in plain.items() if _is_network(name, uses)}
    for optimizer in filter(names_optimizer, plain):
        trained = [network for name, network in networks.items() if _trains(optimizer, name, uses)]
        for network in trained:
            assume_module(machine, network)
        parameters = [one for network in trained for one in _parameters_of(network)]
        if parameters and _STEP in uses[optimizer]:
            given[optimizer] = make_optimizer(machine, parameters)


def _is_plain(value: Value) -> TypeGuard[Unknown]:
    """Whether nothing is known of a value but that somebody gave it."""
    return isinstance(value, Unknown) and not value.tensorlike and value.tensor is None and not value.inputs


def is_asked_for_parameters(machine: Machine, owner: Instance, name: str) -> bool:
    """Whether the methods of an object call an attribute and ask it for its parameters, wherever they do."""
    asked = frozenset[str]().union(*machine.read_classes(owner.cls, _read_asked, name))
    return _CALL in asked and not asked.isdisjoint(ASKED_FOR)


def _is_network(name: str, uses: Uses) -> bool:
    """Whether an attribute is called and treated as a network, or beside it stands an optimizer that bears its name."""
    asked = uses.get(name, frozenset())
    if _CALL not in asked or names_optimizer(name):
        return False
    return not asked.isdisjoint(_OF_MODULES) or any(names_optimizer(one) and _bears(one, name) for one in uses)


def _trains(optimizer: str, part: str, uses: Uses) -> bool:
    """Whether an optimizer trains a part: it bears its name, or none, and the part has no optimizer of its own."""
    if not _is_network(part, uses):
        return False
    own = any(names_optimizer(one) and _bears(one, part) for one in uses)
    return _bears(optimizer, part) or (not own and not find_trained_name(optimizer))


def _bears(optimizer: str, part: str) -> bool:
    """Whether an optimizer is called by what it trains: `critic_opt` and `critic`, `optimizer_G` and `netG`."""
    trained = find_trained_name(optimizer)
    return _which(trained) == _which(split_words(part)) and bool(trained or not _which(split_words(part)))


def _which(words: list[str]) -> list[str]:
    return [word for word in words if word not in _ANY_NETWORK]


def _assume_network(machine: Machine, owner: Instance, name: str) -> Unknown | None:
    """Return the unknown network that the object has under a name; None if what it has there is known."""
    network = owner.attributes.setdefault(name, machine.unknown(f"{owner.name or 'self'}.{name}"))
    if not isinstance(network, Unknown):
        return None
    assume_module(machine, network)
    return network


def _find_weights(machine: Machine, owner: Instance, part: str) -> Iterator[Tensor]:
    network = _assume_network(machine, owner, part)
    if network is not None:
        yield from _parameters_of(network)


def _parameters_of(network: Unknown) -> Iterator[Tensor]:
    if network.module is not None:
        yield from (tensor for _, tensor in module_tree.parameters(network.module))


def _find_uses(machine: Machine, owner: Instance, name: str) -> Uses:
    """Return how the methods of an object use its attribute of that name, and all that may tell what it is."""
    found: Uses = {}
    for uses in machine.read_classes(owner.cls, _read_uses, name):
        for used, asked in uses:
            found[used] = found.get(used, frozenset()) | asked
    return found


def _read_uses(definition: ir.ClassDef, name: str) -> frozenset[tuple[str, frozenset[str]]]:
    """Read how a class uses an attribute and its optimizers; for an optimizer how it uses all attributes."""
    uses, whole = _uses_in(definition).items(), names_optimizer(name)
    return frozenset((used, asked) for used, asked in uses if whole or used == name or names_optimizer(used))


def _read_asked(definition: ir.ClassDef, name: str) -> frozenset[str]:
    return _uses_in(definition).get(name, frozenset())


@lru_cache(maxsize=1024)
def _uses_in(definition: ir.ClassDef) -> Mapping[str, frozenset[str]]:
    """Return which attributes of `self` a class uses, and what it asks of each."""
    found: dict[str, set[str]] = {}
    for node in ir.walk(definition.body):
        if isinstance(node, ir.Attribute):
            if name := _attribute_of_self(node):
                found.setdefault(name, set())
            elif owner := _attribute_of_self(node.value):
                found.setdefault(owner, set()).add(node.name)
        elif isinstance(node, ir.Call) and (called := _attribute_of_self(node.function)):
            found.setdefault(called, set()).add(_CALL)
    return {name: frozenset(asked) for name, asked in found.items()}


@lru_cache(maxsize=1024)
def _uses_of_parameters(definition: ir.FunctionDef | ir.Lambda) -> Uses:
    """Return which parameters a function uses as objects, and what it asks of each."""
    found: dict[str, set[str]] = {parameter.name: set() for parameter in definition.parameters}
    for node in ir.walk(definition.body):
        if isinstance(node, ir.Attribute) and isinstance(node.value, ir.Name) and node.value.id in found:
            found[node.value.id].add(node.name)
        elif isinstance(node, ir.Call) and isinstance(node.function, ir.Name) and node.function.id in found:
            found[node.function.id].add(_CALL)
    return {name: frozenset(asked) for name, asked in found.items() if asked}


def _attribute_of_self(node: object) -> str:
    """Return the name of an attribute of `self`, "" for anything else."""
    if isinstance(node, ir.Attribute) and isinstance(node.value, ir.Name) and node.value.id == "self":
        return node.name
    return ""
