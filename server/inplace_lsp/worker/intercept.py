"""What is put round a definition, so that its first call can be noticed, or be the one that is verified."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

Then = Callable[[Any], None]


class Reached(BaseException):
    """The verified call is done: the program that led to it need not go on."""


class Interception:
    """Decorates the target. `then` gets the result of the first call, as soon as there is one."""

    def __init__(self, then: Then | None = None) -> None:
        self.called = False
        self._then = then

    def __call__(self, defined: Any) -> Any:
        """What stands in the place of `defined`: a function, or a descriptor made of one."""
        if isinstance(defined, (staticmethod, classmethod)):
            return type(defined)(self._wrapped(defined.__func__))
        if isinstance(defined, property):
            getter = defined.fget and self._wrapped(defined.fget)
            return property(getter, defined.fset, defined.fdel, defined.__doc__)
        return self._wrapped(defined) if callable(defined) else defined

    def _wrapped(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if self.called:
                return function(*args, **kwargs)
            self.called = True
            result = function(*args, **kwargs)
            if self._then is not None:
                self._then(result)
            return result

        return call
