"""Plain data, what JSON can say, and frozen dataclasses as plain data and back: how tapes and messages are written.

A class that is written otherwise than as its fields has `as_plain` and `of_plain`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, partial
from types import NoneType, UnionType
from typing import TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

Plain: TypeAlias = Union[bool, int, float, str, Sequence["Plain"], Mapping[str, "Plain"], None]  # noqa: UP007
"""A value of JSON. Tuples are written as lists."""
Reader = Callable[[Plain], object]
Built = TypeVar("Built")

_SIMPLE = frozenset({bool, int, float, str, NoneType})


def to_plain(value: object) -> Plain:
    """Return plain data for a value: a dataclass, an enum, a container of them, or plain data."""
    if value is None or type(value) in _SIMPLE:
        return value  # type: ignore[return-value]  # one of those types
    if isinstance(value, Enum):
        return to_plain(value.value)
    if isinstance(value, (list, tuple)):
        return value if not value or type(value[0]) in _SIMPLE else [to_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    write: Callable[[object], Plain] | None = getattr(type(value), "as_plain", None)
    return fields_to_plain(value) if write is None else write(value)


def fields_to_plain(value: object) -> dict[str, Plain]:
    """Return the fields of a dataclass as plain data."""
    return {name: to_plain(getattr(value, name)) for name in field_readers(type(value))}  # type: ignore[arg-type]  # a class can be hashed


def build_dataclass(make: Callable[..., Built], data: Plain) -> Built:
    """Build the dataclass `make` from its fields. Raises KeyError for an unknown field, TypeError, ValueError."""
    if not isinstance(data, Mapping):
        raise TypeError(f"{data!r} is no object")
    readers = field_readers(make)
    return make(**{name: readers[name](value) for name, value in data.items()})


def build_from_known_fields(make: Callable[..., Built], data: Plain) -> Built:
    """Build the dataclass `make` and ignore fields that it does not have. A missing or null field gets its default."""
    if not isinstance(data, Mapping):
        raise TypeError(f"{data!r} is no object")
    readers = field_readers(make)
    return make(**{name: read(data[name]) for name, read in readers.items() if data.get(name) is not None})


@cache
def field_readers(cls: Callable[..., object]) -> Mapping[str, Reader]:
    """Return, for each field of the dataclass `cls`, the function that builds its value from plain data."""
    hints = get_type_hints(cls)
    return {field.name: _reader_of(hints[field.name]) for field in fields(cls)}  # type: ignore[arg-type]  # it is one


def _reader_of(hint: object) -> Reader:
    """Return the function that builds a value of a type: of a dataclass, an enum, a tuple of them, or plain data."""
    options = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    types = [option for option in options if option is not NoneType]
    read = _reader_of_type(types[0]) if len(types) == 1 else _return_value
    if read is _return_value or NoneType not in options:
        return read
    return partial(_read_optional, read)


def _reader_of_type(cls: object) -> Reader:
    if get_origin(cls) is tuple:
        return _reader_of_tuple(get_args(cls))
    if get_origin(cls) is frozenset:
        return _set_of
    if isinstance(cls, type) and hasattr(cls, "of_plain"):
        of_plain: Reader = cls.of_plain
        return of_plain
    if isinstance(cls, type) and issubclass(cls, Enum):
        return cls
    return partial(build_from_known_fields, cls) if isinstance(cls, type) and is_dataclass(cls) else _return_value


def _reader_of_tuple(parts: tuple[object, ...]) -> Reader:
    """Return the function that builds a tuple: all of one type, or each plain data."""
    read = _reader_of(parts[0]) if parts[-1] is Ellipsis else _return_value
    return tuple_of if read is _return_value else partial(_map_tuple, read)


def _return_value(value: Plain) -> object:
    return value


def _read_optional(read: Reader, value: Plain) -> object:
    return None if value is None else read(value)


def tuple_of(value: Plain) -> tuple[Plain, ...]:
    """Return the items of a list. Raises TypeError."""
    if not isinstance(value, Sequence):
        raise TypeError(f"{value!r} is no list")
    return tuple(value)


def _set_of(value: Plain) -> frozenset[Plain]:
    return frozenset(tuple_of(value))


def _map_tuple(read: Reader, value: Plain) -> tuple[object, ...]:
    return tuple(read(item) for item in tuple_of(value))
