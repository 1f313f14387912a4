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


class UserDict:
    """A dict in an object that others inherit from: `data`."""

    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        self.update(dict or {}, **kwargs)

    def __getitem__(self, key):
        if hasattr(self, "__missing__") and key not in self.data:
            return self.__missing__(key)
        return self.data[key]

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __len__(self):
        return len(self.data)

    def __contains__(self, key):
        return key in self.data

    def __or__(self, other):
        return self.__class__({**self.data, **dict(other.items())})

    def __ior__(self, other):
        self.update(other)
        return self

    def keys(self):
        """List the keys."""
        return self.data.keys()

    def values(self):
        """List the values."""
        return [self[key] for key in self.data]

    def items(self):
        """List keys with their values."""
        return [(key, self[key]) for key in self.data]

    def get(self, key, default=None):
        """Look up a key."""
        return self[key] if key in self.data else default

    def update(self, other=(), /, **kwds):
        """Set entries to those of another dict."""
        for key, value in other.items() if hasattr(other, "items") else other:
            self[key] = value
        for key, value in kwds.items():
            self[key] = value

    def setdefault(self, key, default=None):
        """Look up a key, and set it if it is not there."""
        if key not in self.data:
            self[key] = default
        return self[key]

    def pop(self, key, default=...):
        """Take an entry out."""
        return self.data.pop(key, default)

    def popitem(self):
        """Take the first entry out."""
        key = next(iter(self.data))
        return key, self.data.pop(key)

    def clear(self):
        """Take all entries out."""
        self.data.clear()

    def copy(self):
        """Copy the dict, not what is in it."""
        return self.__class__(self.data)


class UserList:
    """A list in an object that others inherit from: `data`."""

    def __init__(self, initlist=None):
        self.data = list(initlist) if initlist is not None else []

    def __getitem__(self, i):
        return self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def __iter__(self):
        return iter(self.data)

    def __len__(self):
        return len(self.data)

    def __contains__(self, item):
        return item in self.data

    def __add__(self, other):
        return self.__class__([*self.data, *other])

    def __radd__(self, other):
        return self.__class__([*other, *self.data])

    def __iadd__(self, other):
        self.data.extend(other)
        return self

    def append(self, item):
        """Add the item."""
        self.data.append(item)

    def insert(self, i, item):
        """Put the item in."""
        self.data.insert(i, item)

    def extend(self, other):
        """Add the items."""
        self.data.extend(other)

    def pop(self, i=-1):
        """Take an item out."""
        return self.data.pop(i)

    def remove(self, item):
        """Take the item out."""
        self.data.remove(item)

    def clear(self):
        """Take all items out."""
        self.data.clear()

    def copy(self):
        """Copy the list, not what is in it."""
        return self.__class__(self.data)

    def count(self, item):
        """Count an item."""
        return self.data.count(item)

    def index(self, item, *args):
        """Find an item."""
        return self.data.index(item, *args)

    def reverse(self):
        """Turn the order round."""
        self.data.reverse()

    def sort(self, /, *args, **kwds):
        """Order the items."""
        self.data.sort(*args, **kwds)
