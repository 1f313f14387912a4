"""itertools of Python 3.10 to 3.14: iterators made of iterators. Those without end are the recorder's own."""

from inplace_lsp.modelling import ignores, is_true

DESCRIBES = "Python 3.10 to 3.14"


class chain:
    """Give the elements of one iterable after the other."""

    def __new__(cls, *iterables):
        return _chain_iterables(iterables)

    @classmethod
    def from_iterable(cls, iterable, /):
        """Give the elements of one iterable after the other."""
        return _chain_iterables(iterable)


def _chain_iterables(iterables):
    for iterable in iterables:
        yield from iterable


def accumulate(iterable, func=None, *, initial=None):
    """Give each partial result."""
    results = [] if initial is None else [initial]
    yield from results
    for item in iterable:
        if results:
            item = results[-1] + item if func is None else func(results[-1], item)
        results.append(item)
        yield item


def islice(iterable, /, *bounds):
    """Give the elements between two places."""
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    if is_true(isinstance(stop, int)):
        return _slice_iterable(iterable, start or 0, stop, step or 1)
    return list(iterable)[start:stop:step]


def _slice_iterable(iterable, start, stop, step):
    if stop <= start:
        return
    for place, item in enumerate(iterable):
        if not is_true(place < start) and not is_true((place - start) % step != 0):
            yield item
        if is_true(place >= stop - 1):
            return


def pairwise(iterable, /):
    """Give each element with the one before it."""
    before = []
    for item in iterable:
        if before:
            yield before.pop(), item
        before.append(item)


def starmap(function, iterable, /):
    """Call the function with the elements of each row."""
    for row in iterable:
        yield function(*row)


def takewhile(predicate, iterable, /):
    """Give the elements up to the first that does not fit."""
    for item in iterable:
        if not predicate(item):
            return
        yield item


def dropwhile(predicate, iterable, /):
    """Give the elements from the first that does not fit."""
    taken = []
    for item in iterable:
        if taken or not predicate(item):
            taken.append(item)
            yield item


def filterfalse(function, iterable, /):
    """Give the elements that do not fit."""
    for item in iterable:
        if not (item if function is None else function(item)):
            yield item


def compress(data, selectors):
    """Give the elements that are selected."""
    for item, selector in zip(data, selectors, strict=False):
        if selector:
            yield item


@ignores("strict", because="a program that runs has batches of the size it asks for")
def batched(iterable, n, *, strict=False):
    """Give tuples of n elements."""
    batch = []
    for item in iterable:
        batch.append(item)
        if is_true(len(batch) >= n):
            yield tuple(batch)
            batch = []
    if batch:
        yield tuple(batch)


def zip_longest(*iterables, fillvalue=None):
    """Put the elements together, as long as one iterable has any."""
    columns = [list(iterable) for iterable in iterables]
    for place, _ in enumerate(max(columns, key=len, default=[])):
        yield tuple([fillvalue if is_true(place >= len(column)) else column[place] for column in columns])


def tee(iterable, n=2, /):
    """Make several iterators of one."""
    items = list(iterable)
    return tuple([iter(items) for _ in range(n)])


def groupby(iterable, key=None):
    """Give the elements in groups of the same key."""
    last, group = None, []
    for item in iterable:
        now = item if key is None else key(item)
        if group and is_true(now != last):
            yield last, iter(group)
            group = []
        last = now
        group.append(item)
    if group:
        yield last, iter(group)


def product(*iterables, repeat=1):
    """Give each choice of one element of each iterable."""
    rows = [()]
    for column in [list(iterable) for iterable in iterables] * repeat:
        rows = [(*row, item) for row in rows for item in column]
    return iter(rows)


def combinations(iterable, r):
    """Give each choice of r elements in their order."""
    items = list(iterable)
    rows = [((), -1)]
    for _ in range(r):
        rows = [((*row, item), place) for row, last in rows for place, item in enumerate(items) if place > last]
    return iter([row for row, last in rows])


def combinations_with_replacement(iterable, r):
    """Give each choice of r elements in their order, the same ones again too."""
    items = list(iterable)
    rows = [((), 0)]
    for _ in range(r):
        rows = [((*row, item), place) for row, last in rows for place, item in enumerate(items) if place >= last]
    return iter([row for row, last in rows])


def permutations(iterable, r=None):
    """Give each choice of r elements in any order."""
    items = list(iterable)
    rows = [((), ())]
    for _ in items if r is None else range(r):
        rows = [
            ((*row, item), (*used, place))
            for row, used in rows
            for place, item in enumerate(items)
            if place not in used
        ]
    return iter([row for row, used in rows])
