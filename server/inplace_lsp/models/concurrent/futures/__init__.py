"""concurrent.futures of Python 3.10 to 3.14: what a pool is given runs when it is given, where a new thread starts."""

from inplace_lsp.modelling import ignores, in_new_thread

DESCRIBES = "Python 3.10 to 3.14"

_TIME = "when a call ends is not followed: it has ended"


class Future:
    """A call that has been made."""

    _result = None

    def set_result(self, result):
        """Say what the call returned."""
        self._result = result

    @ignores("timeout", because=_TIME)
    def result(self, timeout=None):
        """Give what the call returned."""
        return self._result

    @ignores("timeout", because=_TIME)
    def exception(self, timeout=None):
        """Give what the call raised: nothing."""
        return None

    def done(self):
        """Tell whether the call has ended."""
        return True

    def running(self):
        """Tell whether the call has not ended."""
        return False

    def cancel(self):
        """Give up the call, if it was not made."""
        return False

    def cancelled(self):
        """Tell whether the call was given up."""
        return False

    def add_done_callback(self, fn):
        """Call the function with the future."""
        in_new_thread(fn, self)


class ThreadPoolExecutor:
    """A pool of threads."""

    @ignores(
        "max_workers",
        "thread_name_prefix",
        because="how many threads there are, and what they are called, says nothing of tensors",
    )
    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=()):
        if initializer is not None:
            in_new_thread(initializer, *initargs)

    def __enter__(self):
        return self

    def __exit__(self, *details):
        pass

    def submit(self, fn, /, *args, **kwargs):
        """Call the function in a thread."""
        future = Future()
        future.set_result(in_new_thread(fn, *args, **kwargs))
        return future

    @ignores("timeout", "chunksize", "buffersize", because=_TIME)
    def map(self, fn, *iterables, timeout=None, chunksize=1, buffersize=None):
        """Call the function in a thread for each row of elements."""
        return iter([in_new_thread(fn, *row) for row in zip(*iterables, strict=False)])

    @ignores("wait", "cancel_futures", because=_TIME)
    def shutdown(self, wait=True, *, cancel_futures=False):
        """Let the threads end."""


class _DoneAndNotDone:
    def __init__(self, done):
        self.done = done
        self.not_done = set()

    def __iter__(self):
        return iter([self.done, self.not_done])


@ignores("timeout", "return_when", because=_TIME)
def wait(fs, timeout=None, return_when="ALL_COMPLETED"):
    """Wait for the calls."""
    return _DoneAndNotDone(set(fs))


@ignores("timeout", because=_TIME)
def as_completed(fs, timeout=None):
    """Give the calls that have ended: all."""
    return iter(list(fs))
