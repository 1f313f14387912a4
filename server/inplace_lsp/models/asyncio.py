"""asyncio of Python 3.10 to 3.14: coroutines, awaited one after the other."""

import queue

from inplace_lsp.modelling import ignores

DESCRIBES = "Python 3.10 to 3.14"

_WHEN = "when a coroutine runs is not known"


@ignores("return_exceptions", because="nothing is raised here")
async def gather(*coros_or_futures, return_exceptions=False):
    """Wait for all coroutines."""
    return [await part for part in coros_or_futures]


@ignores("timeout", because=_WHEN)
async def wait_for(fut, timeout):
    """Wait for one coroutine."""
    return await fut


async def to_thread(func, /, *args, **kwargs):
    """Call a function in a thread."""
    return func(*args, **kwargs)


class Queue(queue.Queue):
    """First in, first out."""

    async def put(self, item):
        """Put the item in."""
        self.put_nowait(item)

    async def get(self):
        """Take the next item out."""
        return self.get_nowait()

    def put_nowait(self, item):
        """Put the item in."""
        self._items.append(item)

    def get_nowait(self):
        """Take the next item out."""
        return self._items.pop(0)

    async def join(self):
        """Wait until all items are dealt with."""


class LifoQueue(Queue):
    """Last in, first out."""

    def get_nowait(self):
        """Take the last item out."""
        return self._items.pop()


class PriorityQueue(Queue):
    """The smallest first."""

    def get_nowait(self):
        """Take the smallest item out."""
        self._items.sort()
        return self._items.pop(0)
