"""typing of Python 3.10 to 3.14: functions that tell a checker of types something, and return what they are given."""

from inplace_lsp.modelling import ignores

DESCRIBES = "Python 3.10 to 3.14"

_TYPES = "a type tells nothing of who shares memory with whom"


@ignores("typ", because=_TYPES)
def cast(typ, val):
    """Return the value as it is."""
    return val


@ignores("typ", because=_TYPES)
def assert_type(val, typ, /):
    """Return the value as it is."""
    return val


def reveal_type(obj, /):
    """Return the value as it is."""
    return obj


@ignores("name", "tp", because=_TYPES)
def NewType(name, tp):
    """Return what makes values of the type: as they are."""
    return lambda value: value
