"""contextlib of Python 3.10 to 3.14: contexts made of objects and functions."""

from inplace_lsp.modelling import ignores

DESCRIBES = "Python 3.10 to 3.14"


class nullcontext:
    """A context that does nothing."""

    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *details):
        pass


class closing:
    """A context that closes the object at its end."""

    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *details):
        self.thing.close()


class redirect_stdout:
    """A context in which output goes elsewhere."""

    def __init__(self, new_target):
        self._new_target = new_target

    def __enter__(self):
        return self._new_target

    def __exit__(self, *details):
        pass


class redirect_stderr(redirect_stdout):
    """A context in which errors are printed elsewhere."""


class ExitStack:
    """A context that leaves, at its end, all that was entered in it."""

    def __init__(self):
        self._exits = []

    def __enter__(self):
        return self

    def __exit__(self, *details):
        exits, self._exits = self._exits, []
        for leave in reversed(exits):
            leave(None, None, None)

    def enter_context(self, cm):
        """Enter a context until the end of the stack."""
        result = cm.__enter__()
        self._exits.append(cm.__exit__)
        return result

    def push(self, exit):
        """Leave a context at the end of the stack that was not entered here."""
        self._exits.append(getattr(exit, "__exit__", exit))
        return exit

    def callback(self, callback, /, *args, **kwds):
        """Call the function at the end of the stack."""
        self._exits.append(lambda *details: callback(*args, **kwds))
        return callback

    def pop_all(self):
        """Hand all that is to be left to another stack."""
        other = ExitStack()
        other._exits, self._exits = self._exits, []
        return other

    def close(self):
        """Leave all contexts now."""
        self.__exit__(None, None, None)


class ContextDecorator:
    """A context that can decorate functions."""

    def __call__(self, func):
        """Run the function inside the context."""

        def inside(*args, **kwds):
            with self:
                return func(*args, **kwds)

        return inside


@ignores("path", because="in which folder a program runs says nothing of tensors")
def chdir(path):
    """Run in another folder."""
    return nullcontext()


def _decorate(make_context, function):
    """Call the function in a new context each time."""

    def call_inside(*args, **keywords):
        with make_context():
            return function(*args, **keywords)

    return call_inside
