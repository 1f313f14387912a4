"""torch.nn.utils.stateless: what torch.func offers, under the name it had before."""

from torch.func import functional_call as _functional_call

DESCRIBES = "torch 2.13"


def functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """Call the module with other tensors in place of its own."""
    return _functional_call(module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict)
