"""Dictionaries whose values are attributes, too, as several small libraries have them for configurations."""

from __future__ import annotations

from inplace_lsp.worker.stand_in_errors import AttributeStandInError


class AttributeDict(dict[str, object]):
    """A dictionary whose values, dictionaries among them, can be read and set as attributes."""

    _module = ""
    """The module that it stands in for."""

    def __init__(self, *given: object, **named: object) -> None:
        super().__init__()
        self.update(*given, **named)

    def update(self, *given: object, **named: object) -> None:
        """Take over the values of a dictionary."""
        for name, value in dict(*given, **named).items():
            self[name] = value

    def setdefault(self, name: str, value: object = None) -> object:
        """Return a value; one that is not there is taken over first."""
        if name not in self:
            self[name] = value
        return self[name]

    def copy(self) -> AttributeDict:
        """Return another with the same values."""
        return type(self)(self)

    def __ior__(self, other: object) -> AttributeDict:  # type: ignore[override, misc]
        self.update(other)
        return self

    def __setitem__(self, name: str, value: object) -> None:
        super().__setitem__(name, self._convert(value))

    def _convert(self, value: object) -> object:
        """Return a value with the dictionaries in it converted, those in lists and tuples, too."""
        if isinstance(value, dict) and not isinstance(value, AttributeDict):
            return type(self)(value)
        return type(value)(map(self._convert, value)) if type(value) in (list, tuple) else value  # type: ignore[call-arg, call-overload]

    def __getattr__(self, name: str) -> object:
        if name in self:
            return self[name]
        if name.startswith("__"):
            raise AttributeError(name)
        why = f"the module `{self._module}` is not installed"
        raise AttributeStandInError(f"{why}, and the stand-in for its `{type(self).__name__}` has no `{name}`")

    def __setattr__(self, name: str, value: object) -> None:
        self[name] = value

    def __delattr__(self, name: str) -> None:
        self.pop(name, None)


def make_attribute_dict(name: str) -> type[AttributeDict]:
    """Return the class that stands in for one of a library, by its full name: `easydict.EasyDict`."""
    module, _, word = name.rpartition(".")
    return type(word, (AttributeDict,), {"_module": module.partition(".")[0], "__module__": module})
