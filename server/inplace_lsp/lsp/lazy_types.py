"""Complete the classes of lsprotocol when they are first used: of its 554, a session needs a fifth.

attrs writes the methods of a class when the class is defined, which takes three quarters of the import.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import RLock
from typing import Any, get_type_hints

import attrs

_FIELDS = "__attrs_attrs__"
"""The attribute in which attrs keeps the fields of a class."""
_LOCK = RLock()


def import_types() -> None:
    """Import `lsprotocol.types`, its classes to be completed later."""
    if "lsprotocol.types" in sys.modules:
        return
    with _define_late():
        import_module("lsprotocol.types")
    vars(import_module("lsprotocol._hooks"))["_resolved_forward_references"] = True  # `_complete_class` does it


@contextmanager
def _define_late() -> Iterator[None]:
    """Within this block, `attrs.define` leaves a class unchanged until it is instantiated or its fields are read."""
    define = attrs.define

    def define_class_late(cls: type | None = None, **options: Any) -> Any:
        return define(cls, **options) if cls is None or options else _postpone_class(cls)

    vars(attrs)["define"] = define_class_late
    try:
        yield
    finally:
        vars(attrs)["define"] = define


def _postpone_class(cls: type) -> type:
    setattr(cls, _FIELDS, _MissingFields(cls))
    setattr(cls, "__init__", _complete_and_init)  # noqa: B010 - the type checker takes an assignment for a mistake
    return cls


class _MissingFields:
    """Completes a class when its fields are asked for."""

    def __init__(self, cls: type) -> None:
        self._cls = cls

    def __get__(self, instance: object, owner: type) -> Any:
        _complete_class(self._cls)
        return getattr(owner, _FIELDS)


def _complete_and_init(self: Any, *arguments: object, **keywords: object) -> None:
    for cls in type(self).__mro__:
        _complete_class(cls)
    self.__init__(*arguments, **keywords)


def _complete_class(cls: type) -> None:
    """Let attrs define a class in place, with the names in its annotations resolved as lsprotocol would resolve them.
    Other threads that need the class wait here until it is complete."""
    with _LOCK:
        if isinstance(vars(cls).get(_FIELDS), _MissingFields):
            cls.__annotations__ = get_type_hints(cls, import_module("lsprotocol.types").ALL_TYPES_MAP, {})
            attrs.define(slots=False, init=True)(cls)
