"""The frame of `autograd.Function.apply`: from it torch calls a custom function's forward and keeps what that saves.

`apply` is written in Python up to torch 2.13. Since then it is a builtin, which leaves no frame: the same call from
Python takes its place, in the processes that this module is loaded in.
"""

from __future__ import annotations

from types import CodeType

from torch.autograd.function import Function


def _find_code() -> CodeType:
    """Return the code of `apply`, written in Python if it is not."""
    builtin = Function.__dict__["apply"]
    if not hasattr(builtin, "__func__"):

        def apply(cls: type[Function], /, *args: object, **kwargs: object) -> object:
            return builtin.__get__(None, cls)(*args, **kwargs)

        Function.apply = classmethod(apply)
    code: CodeType = Function.__dict__["apply"].__func__.__code__
    return code


APPLY = _find_code()
"""The code that the frame runs."""
