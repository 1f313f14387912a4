"""Describe errors safely: a message may be endless, and asking for it may raise."""

from __future__ import annotations

LIMIT = 4000
"""Maximum number of characters of a message."""


def describe_error(error: BaseException) -> str:
    """Return the type and message of `error`."""
    name = _type_name(error)
    try:
        return shorten_text(f"{name}: {error}")
    except BaseException as problem:
        return f"{name}, whose message cannot be shown: its __str__ raises {_type_name(problem)}"


def show_value(value: object) -> str:
    """Return the `repr` of `value`, or its type if that raises."""
    try:
        return shorten_text(repr(value))
    except BaseException:
        return f"<{_type_name(value)}>"


def _type_name(value: object) -> str:
    """Return the name of the type of `value`, whatever its metaclass says."""
    return str(type.__dict__["__name__"].__get__(type(value)))


def shorten_text(text: str) -> str:
    """Return the first part of a long text, and how much is left out."""
    more = len(text) - LIMIT
    return f"{text[:LIMIT]} ... and {more} characters more" if more > 0 else text
