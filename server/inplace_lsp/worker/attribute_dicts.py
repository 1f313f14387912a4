"""Dictionaries whose values are attributes, too, as several small libraries have them for configurations."""

from __future__ import annotations


class AttributeDict(dict[str, object]):
    """A dictionary whose values, dictionaries among them, can be read and set as attributes."""

    def __init__(self, *given: object, **named: object) -> None:
        super().__init__()
        self.update(*given, **named)

    def update(self, *given: object, **named: object) -> None:
        """Take over the values of a dictionary."""
        for name, value in dict(*given, **named).items():
            self[name] = value

    def __setitem__(self, name: str, value: object) -> None:
        super().__setitem__(name, type(self)(value) if type(value) is dict else value)

    def __getattr__(self, name: str) -> object:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'") from None

    def __setattr__(self, name: str, value: object) -> None:
        self[name] = value
