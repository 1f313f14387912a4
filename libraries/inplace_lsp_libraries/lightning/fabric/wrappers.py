"""lightning.fabric.wrappers: a module that runs in the precision that Fabric was told."""

import torch
from inplace_lsp.modelling import is_true
from torch.nn import Module

DESCRIBES = "lightning 2.0 to 2.6"

_MIXED = ("16-mixed", "bf16-mixed", "16", 16, "bf16", "fp16")


def _is_mixed(precision):
    """Tell whether forward passes work on casts of the weights."""
    return is_true(isinstance(precision, (str, int))) and precision in _MIXED


class _FabricModule(Module):
    """Runs a module under autocast, if `mixed`; everything else is asked of the module."""

    def __init__(self, module, mixed):
        super().__init__()
        self.__dict__["_forward_module"] = module
        self._mixed = mixed

    @property
    def module(self):
        """Return the module itself."""
        return self._forward_module

    def _forward(self, *args, **kwargs):  # without a docstring: readers know it as their own module's
        with torch.autocast("cpu", enabled=self._mixed):
            output = self._forward_module(*args, **kwargs)
        return output.clone() if self._mixed and is_true(isinstance(output, torch.Tensor)) else output

    forward = _forward

    def __getattr__(self, name):
        return getattr(self._forward_module, name)
