"""Compares the table's module classes with torch: the modules of torch's own module database, run forward."""

from __future__ import annotations

import ast
import inspect
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

import torch
from torch.nn.modules.lazy import LazyModuleMixin

from inplace_lsp.torch_ops.model import Alias, ModuleOp, Overload, SavedRole
from inplace_lsp.torch_ops.table import find_module, find_overloads
from tests.torch_ops.agreement import Score, compare_call
from tests.torch_ops.predictions import choose
from tools.op_table.seeds import set_seed

FEW = 20
"""Modules with more parameters are stacks of layers, which the table describes only in part."""


def module_cases(limit: int) -> Iterator[tuple[type[Any], Any, tuple[Any, ...], Mapping[str, Any]]]:
    """`limit` modules of every class of the database that can be made here, with arguments for forward."""
    from torch.testing._internal.common_modules import module_db

    for info in module_db:
        if not info.module_cls.__module__.startswith("torch.nn.modules"):
            continue
        set_seed(3)
        try:
            inputs = info.module_inputs_func(
                info, device="cpu", dtype=torch.float32, requires_grad=False, training=True
            )
            for each in islice(inputs, limit):
                made, called = each.constructor_input, each.forward_input
                module = info.module_cls(*made.args, **made.kwargs)
                if called is not None:
                    yield info.module_cls, module, called.args, called.kwargs
        except Exception:  # a database entry may need what this machine lacks
            continue


def compare_modules(cases: Iterable[tuple[type[Any], Any, tuple[Any, ...], Mapping[str, Any]]]) -> Score:
    """The score of `find_module` over `cases`."""
    score = Score()
    for cls, module, args, kwargs in cases:
        name = f"torch.nn.{cls.__name__}"
        known = find_module(name)
        if known is None:
            score.unbound[name] += 1
            continue
        if isinstance(module, LazyModuleMixin) or len(list(module.parameters())) > FEW:
            continue  # a lazy module has no parameters before it was called
        own = {f"self.{each}": tensor.detach() for each, tensor in module.named_parameters()}
        given = dict(inspect.signature(cls.forward).bind(module, *args, **kwargs).arguments)
        given = {each: value for each, value in given.items() if each != "self"} | own
        overload = forward_overload(known, module, given)
        if overload is None:
            score.unbound[name] += 1
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compare_call(name, overload, _call(module), given, score)
    return score


def forward_overload(known: ModuleOp, module: Any, given: Mapping[str, Any]) -> Overload | None:
    """The facts of this forward, with roles named as its arguments and `self.NAME`."""
    if not known.call:
        return next((each for each in known.forward_op if _is_meant(each, module, given)), None)
    sources = dict(known.arguments)
    kwargs = {param: _value(source, module, given) for param, source in sources.items()}
    chosen = choose(find_overloads(known.call), (), kwargs)
    return _renamed(chosen[0], sources) if chosen else None


def _is_meant(overload: Overload, module: Any, given: Mapping[str, Any]) -> bool:
    """Whether the flags of the module and of the call are those the overload is for."""
    defaults = {param.name: param.default == "True" for param in overload.params}

    def flag(name: str) -> Any:
        attribute = name.removeprefix("self.")
        if attribute == name:
            return given.get(name, defaults[name])
        inner = getattr(module, "self_attn", None)  # a transformer's layer leaves `batch_first` to its attention
        return getattr(module, attribute, getattr(inner, attribute, defaults[name]))

    return all(flag(name) == wanted for name, wanted in overload.given)


def _value(source: str, module: Any, given: Mapping[str, Any]) -> Any:
    if source == "training":
        return module.training
    if source in given:
        return given[source]
    if source.startswith("self."):
        return getattr(module, source.removeprefix("self."))
    try:
        return ast.literal_eval(source)
    except (ValueError, SyntaxError):
        return None


def _renamed(overload: Overload, sources: Mapping[str, str]) -> Overload:
    def new(role: str) -> str:
        return role if role.startswith("result") else sources.get(role, role)

    return replace(
        overload,
        params=tuple(replace(param, name=new(param.name)) for param in overload.params),
        saves=tuple(SavedRole(new(save.role), frozenset(map(new, save.when))) for save in overload.saves),
        differentiable=frozenset(map(new, overload.differentiable)),
        aliases=tuple(Alias(each.output, new(each.of), each.kind) for each in overload.aliases),
    )


def _call(module: Any) -> Any:
    def call(given: Mapping[str, Any]) -> Any:
        own = {each.removeprefix("self."): value for each, value in given.items() if each.startswith("self.")}
        rest = {each: value for each, value in given.items() if not each.startswith("self.")}
        return torch.func.functional_call(module, own, (), rest)

    return call
