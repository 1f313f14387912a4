"""collections of Python 3.10 to 3.14: containers of others, and to inherit from. The rest are intrinsics."""

DESCRIBES = "Python 3.10 to 3.14"


class ChainMap:
    """Several dicts of which the first that has a key answers; changes go to the first."""

    def __init__(self, *maps):
        self.maps = list(maps) if maps else [{}]

    def __getitem__(self, key):
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
        raise KeyError(key)

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def get(self, key, default=None):
        """Look up a key in the first dict that has it."""
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
        return default

    def new_child(self, m=None, **kwargs):
        """Put a dict before the others."""
        return ChainMap({**(m or {}), **kwargs}, *self.maps)


class _Dict:
    """What inherits from `dict`. How an heir sets attributes and entries does not matter to its making."""

    def __init__(self, /, *args, **kwargs):
        object.__setattr__(self, "_entries", dict(*args, **kwargs))

    def __getitem__(self, key):
        if key not in self._entries and hasattr(type(self), "__missing__"):
            return self.__missing__(key)
        return self._entries[key]

    def __setitem__(self, key, item):
        self._entries[key] = item

    def __delitem__(self, key):
        del self._entries[key]

    def __iter__(self):
        return iter(self._entries)

    def __len__(self):
        return len(self._entries)

    def __contains__(self, key):
        return key in self._entries

    def __or__(self, other):
        return {**self._entries, **dict(other.items())}

    def __ior__(self, other):
        self._entries.update(other)
        return self

    def keys(self):
        """List the keys."""
        return self._entries.keys()

    def values(self):
        """List the values."""
        return self._entries.values()

    def items(self):
        """List keys with their values."""
        return self._entries.items()

    def get(self, key, default=None):
        """Look up a key."""
        return self._entries.get(key, default)

    def update(self, other=(), /, **kwds):
        """Set entries to those of another dict."""
        self._entries.update(other, **kwds)

    def setdefault(self, key, default=None):
        """Look up a key, and set it if it is not there."""
        return self._entries.setdefault(key, default)

    def pop(self, key, default=...):
        """Take an entry out."""
        return self._entries.pop(key, default)

    def popitem(self):
        """Take the first entry out."""
        key = next(iter(self._entries))
        return key, self._entries.pop(key)

    def clear(self):
        """Take all entries out."""
        self._entries.clear()

    def copy(self):
        """Copy the dict, not what is in it."""
        return self._entries.copy()


class UserDict(_Dict):
    """A dict in an object that others inherit from: `data`."""

    def __init__(self, dict=None, /, **kwargs):
        self._entries = {}
        self.update(dict or {}, **kwargs)

    def __or__(self, other):
        return self.__class__({**self._entries, **dict(other.items())})

    def __ior__(self, other):
        self.update(other)
        return self

    def values(self):
        """List the values."""
        return [self[key] for key in self._entries]

    def items(self):
        """List keys with their values."""
        return [(key, self[key]) for key in self._entries]

    def get(self, key, default=None):
        """Look up a key."""
        return self[key] if key in self._entries else default

    def update(self, other=(), /, **kwds):
        """Set entries to those of another dict."""
        for key, value in other.items() if hasattr(other, "items") else other:
            self[key] = value
        for key, value in kwds.items():
            self[key] = value

    def setdefault(self, key, default=None):
        """Look up a key, and set it if it is not there."""
        if key not in self._entries:
            self[key] = default
        return self[key]

    def copy(self):
        """Copy the dict, not what is in it."""
        return self.__class__(self._entries)

    @property
    def data(self):
        """The dict."""
        return self._entries

    @data.setter
    def data(self, entries):
        self._entries = entries


class _List:
    """What inherits from `list`."""

    def __init__(self, iterable=(), /):
        self._elements = list(iterable)

    def __getitem__(self, i):
        return self._elements[i]

    def __setitem__(self, i, item):
        self._elements[i] = item

    def __delitem__(self, i):
        del self._elements[i]

    def __iter__(self):
        return iter(self._elements)

    def __len__(self):
        return len(self._elements)

    def __contains__(self, item):
        return item in self._elements

    def __add__(self, other):
        return self._elements + list(other)

    def __iadd__(self, other):
        self._elements.extend(other)
        return self

    def append(self, item):
        """Add the item."""
        self._elements.append(item)

    def insert(self, i, item):
        """Put the item in."""
        self._elements.insert(i, item)

    def extend(self, other):
        """Add the items."""
        self._elements.extend(other)

    def pop(self, i=-1):
        """Take an item out."""
        return self._elements.pop(i)

    def remove(self, item):
        """Take the item out."""
        self._elements.remove(item)

    def clear(self):
        """Take all items out."""
        self._elements.clear()

    def copy(self):
        """Copy the list, not what is in it."""
        return self._elements.copy()

    def count(self, item):
        """Count an item."""
        return self._elements.count(item)

    def index(self, item, *args):
        """Find an item."""
        return self._elements.index(item, *args)

    def reverse(self):
        """Turn the order round."""
        self._elements.reverse()

    def sort(self, /, *args, **kwds):
        """Order the items."""
        self._elements.sort(*args, **kwds)


class UserList(_List):
    """A list in an object that others inherit from: `data`."""

    def __init__(self, initlist=None):
        self._elements = list(initlist) if initlist is not None else []

    def __add__(self, other):
        return self.__class__([*self._elements, *other])

    def __radd__(self, other):
        return self.__class__([*other, *self._elements])

    def copy(self):
        """Copy the list, not what is in it."""
        return self.__class__(self._elements)

    @property
    def data(self):
        """The list."""
        return self._elements

    @data.setter
    def data(self, elements):
        self._elements = elements


class _TypedDict:
    """What inherits from `TypedDict` makes dicts."""

    def __new__(cls, *args, **kwargs):
        return dict(*args, **kwargs)


class _Mapping:
    """What an heir of the abstract `Mapping` has: all by its own `__getitem__` and `__iter__`."""

    def __contains__(self, key):
        return key in list(self)

    def get(self, key, default=None):
        """Look up a key."""
        return self[key] if key in self else default

    def keys(self):
        """List the keys."""
        return list(self)

    def values(self):
        """List the values."""
        return [self[key] for key in self]

    def items(self):
        """List keys with their values."""
        return [(key, self[key]) for key in self]


class _MutableMapping(_Mapping):
    """What an heir of the abstract `MutableMapping` has besides, by its own `__setitem__` and `__delitem__`."""

    def update(self, other=(), /, **kwds):
        """Set entries to those of another dict."""
        for key, value in other.items() if hasattr(other, "items") else other:
            self[key] = value
        for key, value in kwds.items():
            self[key] = value

    def setdefault(self, key, default=None):
        """Look up a key, and set it if it is not there."""
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key, default=...):
        """Take an entry out."""
        if key not in self:
            return default
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        """Take the first entry out."""
        key = next(iter(self))
        return key, self.pop(key)

    def clear(self):
        """Take all entries out."""
        for key in list(self):
            del self[key]


class _MutableSequence:
    """What an heir of the abstract `MutableSequence` has, by its own `insert` and methods for elements."""

    def append(self, value):
        """Add the item."""
        self.insert(len(self), value)

    def extend(self, values):
        """Add the items."""
        for value in list(values):
            self.append(value)

    def __iadd__(self, values):
        self.extend(values)
        return self

    def pop(self, index=-1):
        """Take an item out."""
        value = self[index]
        del self[index]
        return value
