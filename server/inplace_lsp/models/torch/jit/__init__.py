"""torch.jit: scripted functions do to tensors what the functions say."""

from inplace_lsp.modelling import ignores

DESCRIBES = "torch 2.13"


@ignores("optimize", "_frames_up", "_rcb", "example_inputs", because="it says how a function is compiled")
def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    """Leave the function or module as it is."""
    return obj


@ignores("kwargs", because="it says what is compiled")
def ignore(drop=False, **kwargs):
    """Leave the function as it is."""
    return drop if callable(drop) else lambda function: function


def unused(fn):
    """Leave the function as it is."""
    return fn


def export(fn):
    """Leave the function as it is."""
    return fn


@ignores("the_type", because="it says what is compiled")
def annotate(the_type, the_value):
    """Leave the value as it is."""
    return the_value


def interface(obj):
    """Leave the class as it is."""
    return obj


def is_scripting():
    """Tell whether the code is being compiled: it runs."""
    return False


def is_tracing():
    """Tell whether the code is being traced: it runs."""
    return False
