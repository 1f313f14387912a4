"""threading of Python 3.10 to 3.14: a thread runs when it starts."""

from inplace_lsp.modelling import ignores, in_new_thread

DESCRIBES = "Python 3.10 to 3.14"


class Thread:
    """A function that runs where a new thread starts."""

    @ignores("group", "daemon", because="what ends a thread says nothing of tensors")
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        self.name = name
        self._target, self._args, self._kwargs = target, args, kwargs or {}

    def start(self):
        """Run the thread."""
        in_new_thread(self.run)

    def run(self):
        """Call the thread's function."""
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    @ignores("timeout", because="a thread has ended when its start has returned")
    def join(self, timeout=None):
        """Wait for the thread."""

    def is_alive(self):
        """Tell whether the thread runs."""
        return False
