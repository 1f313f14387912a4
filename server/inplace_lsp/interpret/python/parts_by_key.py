"""Recognise networks and optimizers that arguments hold by keys: `optimizers["critic"]` trains `nets["critic"]`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python.assumed_optimizers import names_optimizer, names_other_steps
from inplace_lsp.interpret.python.inherited_parts import (
    STEP,
    Uses,
    bears_name,
    find_uses_of_parameters,
    is_network,
    is_plain,
    list_questions,
    recognise_all,
)
from inplace_lsp.interpret.state.values import Unknown, Value
from inplace_lsp.source import ir
from inplace_lsp.tape.names import split_words
from inplace_lsp.uses.reading import make_deep_lookup, note_uses
from inplace_lsp.uses.use import Use

Place = tuple[str, str]
"""The name of a parameter, and a key by which its value holds something."""

_OPTIMIZER = "optimizer"


def recognise_by_keys(machine: Machine, definition: ir.FunctionDef | ir.Lambda, given: dict[str, Value]) -> None:
    """Make what arguments from an unseen caller hold by keys the networks and the optimizers that the function uses it
    as. If no key says what its optimizer trains, and there is one network, each of them trains it."""
    held = {place: asked for place, asked in _find_uses_by_key(definition).items() if _is_plain_argument(given, place)}
    stepped = [place for place, asked in held.items() if STEP in asked and _is_of_optimizers(*place)]
    if not stepped:
        return
    parts = {key: (name, key) for name, key in held if not names_optimizer(name)}
    uses = find_uses_of_parameters(definition) | {key: held[place] for key, place in parts.items()}
    networks = _find_networks(uses | {_name_after(place): held[place] for place in stepped}, {*given, *parts})
    for place in stepped:
        named = _name_after(place) if _is_named_after_network(stepped, networks, uses) else _OPTIMIZER
        found = {name: _find_held(machine, given, parts[name]) if name in parts else given[name] for name in networks}
        found[named] = _find_held(machine, given, place)
        recognise_all(
            machine, uses | {_name_after(other): held[other] for other in stepped} | {named: held[place]}, found
        )
        _put_held(given, place, found[named])


def _is_of_optimizers(name: str, key: str) -> bool:
    return names_optimizer(name) and not names_other_steps(key)


def _name_after(place: Place) -> str:
    """Return how an optimizer would be called that is named after its key."""
    return f"{place[1]}_{_OPTIMIZER}"


def _find_networks(uses: Uses, candidates: Iterable[str]) -> list[str]:
    return sorted(name for name in candidates if is_network(name, uses))


def _is_named_after_network(stepped: Iterable[Place], networks: list[str], uses: Uses) -> bool:
    """Return whether keys of optimizers say what they train: the network, or parts of it that the function uses
    (`model.encoder`), perhaps by the first letters (`d` of `model.discriminate`). With several networks, only they
    can."""
    if len(networks) != 1:
        return True
    used = {word for name in uses[networks[0]] for word in split_words(name)}
    return any(
        bears_name(_name_after(place), networks[0], uses)
        or any(word.startswith(part) for word in used for part in split_words(place[1]))
        for place in stepped
    )


def _is_plain_argument(given: dict[str, Value], place: Place) -> bool:
    return place[0] in given and is_plain(given[place[0]])


def _find_held(machine: Machine, given: dict[str, Value], place: Place) -> Value:
    """Return what an argument holds by a key."""
    name, key = place
    holder = given[name]
    if not isinstance(holder, Unknown):
        return holder
    return holder.elements.setdefault(key, machine.make_element(holder, f"{name}['{key}']"))


def _put_held(given: dict[str, Value], place: Place, value: Value) -> None:
    holder = given[place[0]]
    if isinstance(holder, Unknown):
        holder.elements[place[1]] = value


@lru_cache(maxsize=1024)
def _find_uses_by_key(definition: ir.FunctionDef | ir.Lambda) -> dict[Place, frozenset[str]]:
    """Return what a function uses as objects of what its parameters hold by text keys, and what it asks of each."""
    found = {parameter.name: Use() for parameter in definition.parameters}
    if not any(map(names_optimizer, found)):
        return {}
    note_uses(definition.body, make_deep_lookup(found))
    asked = {
        (name, key): list_questions(use.held[key]) for name, use in found.items() for key in use.keys if key in use.held
    }
    return {place: questions for place, questions in asked.items() if questions}
