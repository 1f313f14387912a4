"""Intrinsics and models declare the signatures that the real libraries have."""

from __future__ import annotations

import enum
import importlib
import inspect
import sys
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

import declared
from declared import Declared

KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "normal",
    inspect.Parameter.VAR_POSITIONAL: "vararg",
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.VAR_KEYWORD: "kwarg",
}
ANYTHING = ["vararg", "kwarg"]
PLAIN = (bool, int, float, str, type(None))
"""Of other defaults nothing is said, and of those that no literal says: `...` stands for them."""


OLDER = (
    "transformers.cache_utils.Cache.to_legacy_cache",
    "transformers.modeling_utils.PreTrainedModel.generate",
)
"""What only older versions of a library have, which the model describes, too."""


class MissingError(Exception):
    """The library has no such name."""


@dataclass(frozen=True)
class Shown:
    """What counts of a parameter: its name where a call can say it, and its default where it is a plain constant."""

    name: str
    kind: str
    required: bool
    default: object = ...

    def __str__(self) -> str:
        default = "" if self.required else f"={self.default!r}"
        return f"{self.kind} {self.name}{default}"


def show(name: str, kind: str, required: bool, default: object) -> Shown:
    is_named, is_plain = kind in ("normal", "keyword"), isinstance(default, PLAIN) and not required
    return Shown(name if is_named else "", kind, required, default if is_plain else ...)


def library_signature(name: str) -> list[Shown] | None:
    """What the library says; None if it says nothing: it is not installed, written in C, or hands on what it is given.

    Raises MissingError if the library is installed and has no such name.
    """
    found = find_target(name)
    if found is None:
        return None
    target, is_method = found
    try:
        parameters = list(signature_of(target).parameters.values())
    except (ValueError, TypeError):
        return None
    if [KINDS[parameter.kind] for parameter in parameters] == ANYTHING:
        return None
    if is_method:
        del parameters[0]
    return [
        show(parameter.name, KINDS[parameter.kind], parameter.default is parameter.empty, parameter.default)
        for parameter in parameters
    ]


def find_target(name: str) -> tuple[object, bool] | None:
    """What has the dotted name, and whether it is a method; None if the library is not installed."""
    parts = name.split(".")
    for at in range(len(parts) - 1, 0, -1):
        try:
            owner: object = importlib.import_module(".".join(parts[:at]))
        except ImportError:
            continue
        try:
            for part in parts[at:-1]:
                owner = getattr(owner, part)
            target = getattr(owner, parts[-1])
        except AttributeError as error:
            raise MissingError(str(error)) from None
        return target, isinstance(owner, type) and not is_bound(inspect.getattr_static(owner, parts[-1]), target)
    return None


def is_bound(attribute: object, target: object) -> bool:
    """Whether what a class has as `attribute`, and gives as `target`, takes no object."""
    return isinstance(attribute, (staticmethod, type)) or isinstance(
        target, (types.MethodType, types.BuiltinMethodType)
    )


def signature_of(target: object) -> inspect.Signature:
    """As `inspect.signature`; of a class whose `__new__` takes arguments, which `__init__` may not show, that."""
    if not isinstance(target, type):
        return inspect.signature(target)  # type: ignore[arg-type] # TypeError if it cannot be called
    if issubclass(target, enum.Enum):
        raise TypeError("it is derived from, not called")
    made = target.__new__
    if not isinstance(made, types.FunctionType):
        return inspect.signature(target)
    parameters = list(inspect.signature(made).parameters.values())[1:]
    if [KINDS[parameter.kind] for parameter in parameters] == ANYTHING:
        return inspect.signature(target)
    return inspect.Signature(parameters)


def drop_older_options(declared: Declared, own: list[Shown], library: list[Shown]) -> list[Shown]:
    """Without the `**options` of a model that describes older versions, too, whose options had other names."""
    takes_more = "kwarg" in [p.kind for p in own] and "kwarg" not in [p.kind for p in library]
    return own[:-1] if takes_more and " to " in declared.describes else own


def describes_newer_python(describes: str) -> bool:
    """Whether a model describes a newer Python than the one that runs: names and options may have come since."""
    _, _, newest = describes.partition("Python 3.10 to 3.")
    return newest.isdecimal() and sys.version_info[:2] < (3, int(newest))


def without_new_options(own: Sequence[Shown], library: Sequence[Shown]) -> list[Shown]:
    """The parameters that the library has, or that must be given."""
    names = {parameter.name for parameter in library}
    return [parameter for parameter in own if parameter.required or parameter.name in names]


def find_difference(declared: Declared) -> tuple[list[str], list[str]] | None:
    """What is declared and what the library says; None if it is the same."""
    is_newer = describes_newer_python(declared.describes)
    try:
        library = library_signature(declared.name)
    except MissingError as error:
        return None if is_newer or declared.name in OLDER else ([declared.name], [str(error)])
    if library is None:
        return None
    own = [show(p.name, p.kind, p.required or p.kind in ("vararg", "kwarg"), p.default) for p in declared.parameters]
    own = drop_older_options(declared, own, library)
    if is_newer:
        own = without_new_options(own, library)
    if len(own) == len(library) and all(map(agree, own, library)):
        return None
    return [str(p) for p in own], [str(p) for p in library]


def agree(own: Shown, library: Shown) -> bool:
    """Whether two parameters are the same, as far as both say it."""
    is_said = own.default is not ... and library.default is not ...
    same_default = own.default == library.default or not is_said
    return (own.name, own.kind, own.required) == (library.name, library.kind, library.required) and same_default


@pytest.mark.parametrize("source", [declared.intrinsics, declared.models])
def test_signatures_are_those_of_the_library(source: Callable[[], list[Declared]]):
    public = [declared for declared in source() if not declared.name.rpartition(".")[2].startswith("_")]
    differences = {
        declared.name: difference for declared in public if (difference := find_difference(declared)) is not None
    }
    assert differences == {}
