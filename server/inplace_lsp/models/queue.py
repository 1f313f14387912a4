"""queue of Python 3.10 to 3.14: what is put in comes out again."""

from inplace_lsp.modelling import ignores

DESCRIBES = "Python 3.10 to 3.14"

_TIME = "nobody waits: what is asked for is there"


class Queue:
    """First in, first out."""

    @ignores("maxsize", because=_TIME)
    def __init__(self, maxsize=0):
        self._items = []

    @ignores("block", "timeout", because=_TIME)
    def put(self, item, block=True, timeout=None):
        """Put the item in."""
        self._items.append(item)

    @ignores("block", "timeout", because=_TIME)
    def get(self, block=True, timeout=None):
        """Take the next item out."""
        return self._items.pop(0)

    def put_nowait(self, item):
        """Put the item in."""
        self.put(item)

    def get_nowait(self):
        """Take the next item out."""
        return self.get()

    def qsize(self):
        """Count the items."""
        return len(self._items)

    def empty(self):
        """Tell whether there is no item."""
        return not self._items

    def full(self):
        """Tell whether no more fits in."""
        return False

    def task_done(self):
        """Say that an item is dealt with."""

    def join(self):
        """Wait until all items are dealt with."""


class LifoQueue(Queue):
    """Last in, first out."""

    @ignores("block", "timeout", because=_TIME)
    def get(self, block=True, timeout=None):
        """Take the last item out."""
        return self._items.pop()


class PriorityQueue(Queue):
    """The smallest first."""

    @ignores("block", "timeout", because=_TIME)
    def get(self, block=True, timeout=None):
        """Take the smallest item out."""
        self._items.sort()
        return self._items.pop(0)


class SimpleQueue(Queue):
    """First in, first out."""
