"""weakref of Python 3.10 to 3.14: references that do not keep their object; while a program uses it, it is there."""

from inplace_lsp.modelling import ignores

DESCRIBES = "Python 3.10 to 3.14"

_END = "what happens when the object is gone comes after its last use"


@ignores("callback", because=_END)
def ref(object, callback=None, /):
    """Refer to the object."""
    return lambda: object


@ignores("callback", because=_END)
def proxy(object, callback=None, /):
    """Stand for the object."""
    return object


def WeakMethod(meth, callback=None):
    """Refer to the method of an object."""
    return ref(meth, callback)


def WeakValueDictionary(other=(), /, **kw):
    """Keep values by key."""
    return dict(other, **kw)


def WeakKeyDictionary(dict=None):
    """Keep values by object."""
    return {**(dict or {})}


def WeakSet(data=None):
    """Keep objects."""
    return set(data or ())


@ignores("obj", "func", "args", "kwargs", because=_END)
def finalize(obj, func, /, *args, **kwargs):
    """Call the function when the object is gone."""
    return lambda: None
