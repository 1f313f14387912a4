"""functools of Python 3.10 to 3.14: functions made of functions."""

from inplace_lsp.modelling import ignores, is_true

DESCRIBES = "Python 3.10 to 3.14"

_MISSING = object()


def partial(function, /, *args, **keywords):
    """Call the function with these arguments first."""
    return lambda *more, **named: function(*args, *more, **{**keywords, **named})


def partialmethod(func, /, *args, **keywords):
    """Call the method with these arguments first."""
    return lambda self, *more, **named: func(self, *args, *more, **{**keywords, **named})


def reduce(function, iterable, initial=_MISSING, /):
    """Put the elements together, two at a time."""
    iterator = iter(iterable)
    result = next(iterator) if is_true(initial is _MISSING) else initial
    for item in iterator:
        result = function(result, item)
    return result


@ignores("assigned", "updated", because="docstrings and annotations say nothing of tensors")
def wraps(wrapped, assigned=(), updated=()):
    """Name the wrapper after what it wraps."""
    return lambda wrapper: update_wrapper(wrapper, wrapped)


@ignores("assigned", "updated", because="docstrings and annotations say nothing of tensors")
def update_wrapper(wrapper, wrapped, assigned=(), updated=()):
    """Name the wrapper after what it wraps."""
    wrapper.__name__ = wrapped.__name__
    wrapper.__wrapped__ = wrapped
    return wrapper
