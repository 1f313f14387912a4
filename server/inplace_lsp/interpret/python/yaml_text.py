"""Read a text as `yaml.safe_load` does, but for what makes a large value of a small text."""

from __future__ import annotations

import yaml

_SCALARS = (str, int, float, bool, type(None))


def read_yaml(text: str) -> object:
    """Return lists and dicts of scalars. Raise ValueError for anything else, aliases among it."""
    try:
        return _check_plain(yaml.load(text, _LoaderWithoutAliases))
    except RecursionError:
        raise
    except Exception as error:  # a tag may promise what its text is not
        raise ValueError(str(error)) from None


class _LoaderWithoutAliases(yaml.SafeLoader):  # type: ignore[misc]  # PyYAML has no types
    def compose_node(self, parent: object, index: object) -> object:
        """Return the next node. Raise ValueError for an alias: a few lines of them stand for millions of values."""
        if self.check_event(yaml.AliasEvent):
            raise ValueError("an alias")
        return super().compose_node(parent, index)


def _check_plain(data: object) -> object:
    if isinstance(data, dict):
        return {_check_scalar(key): _check_plain(item) for key, item in data.items()}
    return [_check_plain(item) for item in data] if isinstance(data, list) else _check_scalar(data)


def _check_scalar(data: object) -> object:
    if not isinstance(data, _SCALARS):  # a date, bytes, a set
        raise ValueError(f"a {type(data).__name__}")
    return data
