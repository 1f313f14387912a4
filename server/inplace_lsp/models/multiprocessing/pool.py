"""multiprocessing.pool of Python 3.10 to 3.14: a call runs when a pool is given it, where a new thread starts."""

from inplace_lsp.modelling import ignores, in_new_thread

DESCRIBES = "Python 3.10 to 3.14"

_TIME = "when a call ends is not followed: it has ended"


class AsyncResult:
    """A call that has been made."""

    _result = None

    @ignores("pool", "callback", "error_callback", because="the call has been made, and its callback called")
    def __init__(self, pool, callback, error_callback):
        pass

    @ignores("timeout", because=_TIME)
    def get(self, timeout=None):
        """Give what the call returned."""
        return self._result

    @ignores("timeout", because=_TIME)
    def wait(self, timeout=None):
        """Wait for the call."""

    def ready(self):
        """Tell whether the call has ended."""
        return True

    def successful(self):
        """Tell whether the call raised nothing."""
        return True


class ThreadPool:
    """A pool of threads."""

    @ignores("processes", because="how many threads there are says nothing of tensors")
    def __init__(self, processes=None, initializer=None, initargs=()):
        if initializer is not None:
            in_new_thread(initializer, *initargs)

    def __enter__(self):
        return self

    def __exit__(self, *details):
        pass

    def apply(self, func, args=(), kwds={}):
        """Call the function in a thread."""
        return in_new_thread(func, *args, **kwds)

    @ignores("error_callback", because="a call that raises ends the program as well")
    def apply_async(self, func, args=(), kwds={}, callback=None, error_callback=None):
        """Call the function in a thread."""
        return _run_later(self, in_new_thread(func, *args, **kwds), callback)

    @ignores("chunksize", because=_TIME)
    def map(self, func, iterable, chunksize=None):
        """Call the function in a thread for each element."""
        return [in_new_thread(func, item) for item in iterable]

    @ignores("chunksize", "error_callback", because=_TIME)
    def map_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        """Call the function in a thread for each element."""
        return _run_later(self, self.map(func, iterable), callback)

    @ignores("chunksize", because=_TIME)
    def imap(self, func, iterable, chunksize=1):
        """Call the function in a thread for each element."""
        return iter(self.map(func, iterable))

    @ignores("chunksize", because=_TIME)
    def imap_unordered(self, func, iterable, chunksize=1):
        """Call the function in a thread for each element."""
        return iter(self.map(func, iterable))

    @ignores("chunksize", because=_TIME)
    def starmap(self, func, iterable, chunksize=None):
        """Call the function in a thread for each row."""
        return [in_new_thread(func, *row) for row in iterable]

    @ignores("chunksize", "error_callback", because=_TIME)
    def starmap_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        """Call the function in a thread for each row."""
        return _run_later(self, self.starmap(func, iterable), callback)

    def close(self):
        """Take no more calls."""

    def join(self):
        """Wait for the threads."""

    def terminate(self):
        """End the threads."""


def _run_later(pool, result, callback):
    if callback is not None:
        in_new_thread(callback, result)
    later = AsyncResult(pool, callback, None)
    later._result = result
    return later
