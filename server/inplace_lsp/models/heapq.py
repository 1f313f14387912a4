"""heapq of Python 3.10 to 3.14: a list of which the smallest element comes first, as far as the order is known."""

from itertools import chain

DESCRIBES = "Python 3.10 to 3.14"


def heapify(heap, /):
    """Put the smallest first."""
    heap.sort()


def heappush(heap, item, /):
    """Put the item in."""
    heap.append(item)


def heappop(heap, /):
    """Take the smallest out."""
    heap.sort()
    return heap.pop(0)


def heappushpop(heap, item, /):
    """Put the item in, and take the smallest out."""
    heap.append(item)
    return heappop(heap)


def heapreplace(heap, item, /):
    """Take the smallest out, and put the item in."""
    smallest = heappop(heap)
    heap.append(item)
    return smallest


def nlargest(n, iterable, key=None):
    """Give the n largest."""
    return sorted(iterable, key=key, reverse=True)[:n]


def nsmallest(n, iterable, key=None):
    """Give the n smallest."""
    return sorted(iterable, key=key)[:n]


def merge(*iterables, key=None, reverse=False):
    """Give the elements of all in order."""
    return iter(sorted(chain(*iterables), key=key, reverse=reverse))
