"""Make optimizers of which only their parameters are known: an unknown class or function constructs them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python.assumed_modules import assume_module
from inplace_lsp.interpret.state.values import Bound, Items, Mapping, Optimizer, Tensor, Unknown, Value
from inplace_lsp.interpret.torch_api import module_tree, optimizers
from inplace_lsp.tape.model import UNSEEN
from inplace_lsp.tape.names import split_words

ASKED_OF = frozenset(("step", "zero_grad", "param_groups"))
"""Attributes that make an unknown value constructed from parameters an optimizer when they are read from it."""

_METHODS = ("step", "zero_grad", "add_param_group", "state_dict", "load_state_dict")
_ATTRIBUTES = ("param_groups", "state")
_WORDS = frozenset("opt opts optim optims optimizer optimizers optimiser optimisers".split())
_SETTINGS = frozenset("cfg config conf args arguments opt options hparams params settings flags name lr".split())
_MAKES_NONE = re.compile(r"(?i)ema|average|sched|clip|swa|scaler|warmup")
"""Names of other objects that are constructed from parameters and have a `step`, but do not write the parameters."""


@lru_cache(maxsize=4096)
def names_optimizer(name: str) -> bool:
    """Return whether something with this name is, or makes, an optimizer."""
    return not _WORDS.isdisjoint(split_words(name))


def names_other_steps(name: str) -> bool:
    """Return whether something with this name has a `step` and is no optimizer: a scheduler, an average."""
    return _MAKES_NONE.search(name) is not None


def find_trained_name(name: str) -> list[str]:
    """Return the words of an optimizer's name that say what it trains: `G` of `optimizer_G`."""
    return [word for word in split_words(name) if word not in _WORDS]


def assume_optimizer(machine: Machine, value: Unknown) -> bool:
    """Make an unknown value an optimizer of the parameters, or modules, it was constructed from. Return whether it can
    be one."""
    if names_other_steps(value.origin):
        return False
    trained = list(_find_parameters(value.given, of_modules=_makes_optimizer(value.origin)))
    if not trained:
        return False
    optimizer = make_optimizer(machine, trained)
    value.attributes.update({name: Bound(optimizer, name) for name in _METHODS})
    for name in _ATTRIBUTES:
        held = optimizers.read_attribute(machine, optimizer, name)
        if held is not None:
            value.attributes[name] = held
    return True


def expect_modules(machine: Machine, called: str, given: Iterable[Value]) -> None:
    """Treat the unknown arguments of an unknown optimizer factory as modules, even before they are called."""
    if not _makes_optimizer(called):
        return
    for value in given:
        if isinstance(value, Unknown) and not value.tensorlike and not _is_setting(value):
            assume_module(machine, value)


def _is_setting(value: Unknown) -> bool:
    return not _SETTINGS.isdisjoint(split_words(value.origin.partition("(")[0]))


def _makes_optimizer(called: str) -> bool:
    """Return whether a call's function is named after an optimizer: `make_optimizer(...)`."""
    return names_optimizer(called.partition("(")[0])


def make_optimizer(machine: Machine, trained: Iterable[Tensor]) -> Optimizer:
    """Return an optimizer of which only the parameters it writes are known."""
    return optimizers.make_unknown_optimizer(machine, UNSEEN, Items("list", list(trained)))


def _find_parameters(values: Iterable[Value], *, of_modules: bool) -> Iterator[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            if value.parameter:
                yield value
        elif isinstance(value, Items):
            yield from _find_parameters(value.items, of_modules=of_modules)
        elif isinstance(value, Mapping):
            yield from _find_parameters(value.items.values(), of_modules=of_modules)
        elif of_modules:
            yield from _find_module_parameters(value)


def _find_module_parameters(value: Value) -> Iterator[Tensor]:
    """Yield the parameters of a module, or of the module that an unknown stands for."""
    module = value.module if isinstance(value, Unknown) else value
    if module is not None and module_tree.is_module(module):
        yield from (tensor for _, tensor in module_tree.find_parameters(module))
