"""The shipped form of the facts: one line a name, `NAME<tab>JSON`, so that a look-up parses only the line it needs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TypedDict, cast

from inplace_lsp.torch_ops.model import Alias, AliasKind, ModuleOp, Overload, Param, ParamType, Passes, SavedRole

Constants = dict[str, bool | int | float | str | None]


class PackedOverload(TypedDict, total=False):
    """An overload as JSON; what is missing has the model's default. Only `name` is always there."""

    name: str
    params: list[str]
    returns: int
    differentiable: list[str]
    no_grad_outputs: list[int]
    saves: dict[str, str]
    private: bool
    writes: list[str]
    silent: bool
    writes_no_grad: bool
    aliases: list[tuple[int, str, str]]
    given: Constants
    derivative: str
    passes: str
    shares_gradient: list[str]


class PackedModule(TypedDict, total=False):
    """A class of modules as JSON; only `name` is always there."""

    name: str
    init: list[str]
    parameters: dict[str, str]
    buffers: dict[str, str]
    call: str
    arguments: dict[str, str]
    forward: list[PackedOverload]
    versions: dict[str, int]


def pack_overloads(overloads: Iterable[Overload]) -> str:
    """Return the overloads of one name as a JSON line, without the model's default values."""
    return _to_json([_pack_overload(each) for each in overloads])


def unpack_overloads(text: str) -> tuple[Overload, ...]:
    """Undo `pack_overloads`."""
    return tuple(unpack_overload(each) for each in json.loads(text))


def pack_releases(releases: Mapping[str, str | None]) -> str:
    """Return what other releases of torch do under one name, as a JSON line: the packed overloads by releases that do
    the same, their numbers separated by spaces; null where they have no such name."""
    return "{" + ",".join(f"{_to_json(names)}:{packed or 'null'}" for names, packed in releases.items()) + "}"


def unpack_releases(text: str) -> dict[str, tuple[Overload, ...] | None]:
    """Undo `pack_releases`, with a key for each release."""
    unpacked = {
        names: tuple(map(unpack_overload, packed)) if packed is not None else None
        for names, packed in json.loads(text).items()
    }
    return {release: overloads for names, overloads in unpacked.items() for release in names.split()}


def pack_module(module: ModuleOp) -> str:
    """Return a module class as a JSON line."""
    packed = {
        "name": module.name,
        "init": _pack_params(module.init),
        "parameters": dict(module.parameters),
        "buffers": dict(module.buffers),
        "call": module.call,
        "arguments": dict(module.arguments),
        "forward": [_pack_overload(each) for each in module.forward_op],
        "versions": dict(module.versions),
    }
    return _to_json({key: value for key, value in packed.items() if value})


def unpack_module(text: str) -> ModuleOp:
    """Undo `pack_module`."""
    packed: PackedModule = json.loads(text)
    return ModuleOp(
        name=packed["name"],
        init=_unpack_params(packed.get("init", ())),
        parameters=tuple(packed.get("parameters", {}).items()),
        buffers=tuple(packed.get("buffers", {}).items()),
        call=packed.get("call", ""),
        arguments=tuple(packed.get("arguments", {}).items()),
        forward_op=tuple(unpack_overload(each) for each in packed.get("forward", ())),
        versions=tuple(packed.get("versions", {}).items()),
    )


def _to_json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _pack_overload(overload: Overload) -> Mapping[str, object]:
    everyone = overload.differentiable
    packed = {
        "name": overload.name,
        "params": _pack_params(overload.params),
        "returns": overload.returns if overload.returns != 1 else None,
        "differentiable": sorted(everyone),
        "no_grad_outputs": sorted(overload.no_grad_outputs),
        "saves": {save.role: "" if save.when == everyone else " ".join(sorted(save.when)) for save in overload.saves},
        "private": overload.saves_something and not overload.saves,
        "writes": list(overload.writes),
        "silent": not overload.bumps,
        "writes_no_grad": overload.writes_no_grad,
        "aliases": [[alias.output, alias.of, alias.kind] for alias in overload.aliases],
        "given": dict(overload.given),
        "derivative": overload.derivative,
        "passes": overload.passes,
        "shares_gradient": sorted(overload.shares_gradient),
    }
    return {key: value for key, value in packed.items() if value or (key == "returns" and value == 0)}


def unpack_overload(packed: PackedOverload) -> Overload:
    """Return an overload from its parsed JSON (or TOML: the corrections have the same form)."""
    everyone = frozenset(packed.get("differentiable", ()))
    saves = tuple(
        SavedRole(role, frozenset(when.split()) if when else everyone) for role, when in packed.get("saves", {}).items()
    )
    return Overload(
        name=packed["name"],
        params=_unpack_params(packed.get("params", ())),
        returns=packed.get("returns", 1),
        differentiable=everyone,
        no_grad_outputs=frozenset(packed.get("no_grad_outputs", ())),
        saves=saves,
        saves_something=bool(saves) or packed.get("private", False),
        writes=tuple(packed.get("writes", ())),
        bumps=not packed.get("silent", False),
        aliases=tuple(Alias(output, of, cast(AliasKind, kind)) for output, of, kind in packed.get("aliases", ())),
        given=tuple(packed.get("given", {}).items()),
        derivative=packed.get("derivative", ""),
        writes_no_grad=packed.get("writes_no_grad", False),
        passes=cast(Passes, packed.get("passes", "")),
        shares_gradient=frozenset(packed.get("shares_gradient", ())),
    )


def _pack_params(params: Iterable[Param]) -> list[str]:
    """Return `NAME TYPE [DEFAULT]` for each, with a `*` before the first keyword-only one and `*NAME` for a variadic
    one."""
    packed: list[str] = []
    for param in params:
        if param.keyword_only and "*" not in packed:
            packed.append("*")
        star = "*" if param.variadic else ""
        words = [star + param.name, param.type] + ([] if param.default is None else [param.default])
        packed.append(" ".join(words))
    return packed


def _unpack_params(packed: Iterable[str]) -> tuple[Param, ...]:
    params = []
    keyword_only = False
    for text in packed:
        if text == "*":
            keyword_only = True
            continue
        name, kind, *default = text.split(" ", 2)
        variadic = name.startswith("*")
        value = default[0] if default else None
        params.append(Param(name.lstrip("*"), cast(ParamType, kind), value, keyword_only, variadic))
    return tuple(params)
