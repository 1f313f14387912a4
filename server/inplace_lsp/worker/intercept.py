"""What is put round a definition, so that its first call can be noticed, or be the one that is verified."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from torch.autograd.function import Function

from inplace_lsp.worker.apply_frame import APPLY

Then = Callable[[Any], None]


class Reached(BaseException):
    """The verified call is done: the program that led to it need not go on."""


class Interception:
    """Decorates the target. `then` gets the result of the first call, as soon as there is one.

    The forward of a custom function has no result of its own: what it returns gets its history when `apply` ends.
    """

    def __init__(self, then: Then | None = None) -> None:
        self.called = False
        self._then = then
        self._applying = False

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Notice the end of `apply`."""
        apply = Function.__dict__["apply"]

        def watched(cls: Any, *args: Any, **kwargs: Any) -> Any:
            result = apply.__get__(None, cls)(*args, **kwargs)
            if self._applying:
                self._applying = False
                self._end(result)
            return result

        Function.apply = classmethod(watched)
        try:
            yield
        finally:
            Function.apply = apply

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
            self._applying = sys._getframe(1).f_code is APPLY
            if not self._applying:
                self._end(result)
            return result

        return call

    def _end(self, result: Any) -> None:
        if self._then is not None:
            self._then(result)
