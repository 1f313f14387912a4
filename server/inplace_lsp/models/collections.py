"""collections of Python 3.10 to 3.14: containers of others. The others are intrinsics."""

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
