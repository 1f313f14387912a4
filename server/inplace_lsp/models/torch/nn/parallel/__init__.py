"""torch.nn.parallel: wrappers that call the module they hold, on one device or several."""

from contextlib import nullcontext

from inplace_lsp.modelling import ignores
from torch import Tensor, no_grad
from torch.nn import Module

DESCRIBES = "torch 2.13"

_SPREAD = "how a module is spread over devices says nothing of what it computes"


class _Wrapper(Module):
    """Calls the module it holds."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, *inputs, **kwargs):
        """Call the module."""
        return self.module(*inputs, **kwargs)


class DataParallel(_Wrapper):
    """Calls a module on parts of the batch."""

    @ignores("device_ids", "output_device", "dim", because=_SPREAD)
    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__(module)

    def forward(self, *inputs, **kwargs):
        """Call the module on the first device's part of the batch."""
        own = {name: _take_part(value) for name, value in kwargs.items()}
        return self.module(*[_take_part(value) for value in inputs], **own)


def _take_part(value):
    """Return the part of an input for the first device: what lies on a GPU already is not copied, but viewed."""
    if isinstance(value, Tensor) and value.is_cuda and not value.requires_grad:
        with no_grad():
            return value[:]
    if isinstance(value, (list, tuple)):
        return type(value)(_take_part(item) for item in value)
    return value


class DistributedDataParallel(_Wrapper):
    """Calls a module, whose gradients are averaged over processes."""

    @ignores(
        "device_ids",
        "output_device",
        "dim",
        "broadcast_buffers",
        "init_sync",
        "process_group",
        "bucket_cap_mb",
        "find_unused_parameters",
        "check_reduction",
        "gradient_as_bucket_view",
        "static_graph",
        "delay_all_reduce_named_params",
        "param_to_hook_all_reduce",
        "mixed_precision",
        "device_mesh",
        "skip_all_reduce_unused_params",
        "bucket_cap_mb_list",
        "batched_grad_copy",
        "forward_sync_buffers",
        because=_SPREAD,
    )
    def __init__(
        self,
        module,
        device_ids=None,
        output_device=None,
        dim=0,
        broadcast_buffers=None,
        init_sync=True,
        process_group=None,
        bucket_cap_mb=None,
        find_unused_parameters=False,
        check_reduction=False,
        gradient_as_bucket_view=False,
        static_graph=False,
        delay_all_reduce_named_params=None,
        param_to_hook_all_reduce=None,
        mixed_precision=None,
        device_mesh=None,
        skip_all_reduce_unused_params=False,
        bucket_cap_mb_list=None,
        batched_grad_copy=False,
        forward_sync_buffers=None,
    ):
        super().__init__(module)

    def no_sync(self):
        """Leave gradients as they are in each process."""
        return nullcontext()
