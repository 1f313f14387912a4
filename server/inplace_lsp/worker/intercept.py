"""Wrappers round a definition, to notice its first call or to verify that call."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from torch.autograd.function import Function

from inplace_lsp.worker.apply_frame import APPLY

Then = Callable[[object], None]


class TargetReached(BaseException):
    """The verified call has returned: the program that led to it need not go on."""


class Interception:
    """Decorates the target. `then` gets the result of the first call, as soon as there is one.

    The forward of a custom function has no result of its own: what it returns gets its history when `apply` ends.
    """

    def __init__(self, then: Then | None = None) -> None:
        self.called = False
        self._then = then
        self._applying = False

    @contextmanager
    def watch_apply(self) -> Iterator[None]:
        """Watch for the end of `apply`."""
        apply = Function.__dict__["apply"]

        def apply_watched(cls: type[Function], /, *args: object, **kwargs: object) -> object:
            result = apply.__get__(None, cls)(*args, **kwargs)
            if self._applying:
                self._applying = False
                self._report_result(result)
            return result

        Function.apply = classmethod(apply_watched)
        try:
            yield
        finally:
            Function.apply = apply

    def __call__(self, defined: object) -> object:
        """Return a replacement for `defined`: a function, or a descriptor made of one."""
        if isinstance(defined, (staticmethod, classmethod)):
            return type(defined)(self._wrap_function(defined.__func__))
        if isinstance(defined, property):
            getter = defined.fget and self._wrap_function(defined.fget)
            return property(getter, defined.fset, defined.fdel, defined.__doc__)
        return self._wrap_function(defined) if callable(defined) else defined

    def _wrap_function(self, function: Callable[..., object]) -> Callable[..., object]:
        @functools.wraps(function)
        def call_target(*args: object, **kwargs: object) -> object:
            if self.called:
                return function(*args, **kwargs)
            self.called = True
            result = function(*args, **kwargs)
            self._applying = sys._getframe(1).f_code is APPLY
            if not self._applying:
                self._report_result(result)
            return result

        return call_target

    def _report_result(self, result: object) -> None:
        if self._then is not None:
            self._then(result)
