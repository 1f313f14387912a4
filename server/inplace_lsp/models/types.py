"""types of Python 3.10 to 3.14: methods made of functions."""

DESCRIBES = "Python 3.10 to 3.14"


def MethodType(function, instance, /):
    """Bind the function to the object."""
    return lambda *args, **kwargs: function(instance, *args, **kwargs)
