"""types of Python 3.10 to 3.14: methods made of functions, and other views of dicts."""

DESCRIBES = "Python 3.10 to 3.14"


def MethodType(function, instance, /):
    """Bind the function to the object."""
    return lambda *args, **kwargs: function(instance, *args, **kwargs)


def MappingProxyType(mapping, /):
    """Show the dict to those who do not change it."""
    return mapping
