"""dataclasses of Python 3.10 to 3.14: objects of fields, copied and taken apart."""

from copy import deepcopy

DESCRIBES = "Python 3.10 to 3.14"


def replace(obj, /, **changes):
    """Make another object of the same class, with some fields replaced."""
    return type(obj)(**{**vars(obj), **changes})


def asdict(obj, *, dict_factory=dict):
    """Copy the fields into a dict."""
    return dict_factory([(name, deepcopy(value)) for name, value in vars(obj).items()])


def fields(class_or_instance):
    """List the fields, each with its name."""
    return tuple([_Field(name) for name in class_or_instance.__dataclass_fields__])


class _Field:
    """A field of a dataclass."""

    def __init__(self, name):
        self.name = name


def astuple(obj, *, tuple_factory=tuple):
    """Copy the fields into a tuple."""
    return tuple_factory([deepcopy(value) for value in vars(obj).values()])
