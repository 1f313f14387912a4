"""contextvars of Python 3.10 to 3.14: variables of a context; all code that is seen runs in one."""

DESCRIBES = "Python 3.10 to 3.14"

_MISSING = object()


class ContextVar:
    """A variable."""

    def __init__(self, name, /, *, default=_MISSING):
        self.name = name
        self._value = default

    def get(self, default=_MISSING, /):
        """Return what was set last, or a default."""
        return default if self._value is _MISSING else self._value

    def set(self, value, /):
        """Set the value, and return what puts back the one before."""
        before, self._value = self._value, value
        return before

    def reset(self, token, /):
        """Put back the value before."""
        self._value = token
