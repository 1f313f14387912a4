"""einops: axes of tensors by their names. By the pattern a result is the tensor itself, a view of it, or a copy."""

from math import prod

import torch
from inplace_lsp.modelling import einsum_equation, transform_axes

DESCRIBES = "einops 0.8"


def rearrange(tensor, pattern, **axes_lengths):
    """Put the axes in another order."""
    return reduce(tensor, pattern, "rearrange", **axes_lengths)


def repeat(tensor, pattern, **axes_lengths):
    """Repeat elements along new axes."""
    return reduce(tensor, pattern, "repeat", **axes_lengths)


def reduce(tensor, pattern, reduction, **axes_lengths):
    """Reduce the axes that the right side does not name."""
    if isinstance(tensor, list):
        tensor = torch.stack(tensor)
    return transform_axes(tensor, pattern, reduction, axes_lengths)


def einsum(*tensors_and_pattern):
    """Multiply tensors and sum over the axes that the right side does not name."""
    return torch.einsum(einsum_equation(tensors_and_pattern[-1]), *tensors_and_pattern[:-1])


def parse_shape(x, pattern):
    """Ask for the lengths of axes."""
    return {name: x.shape[at] for at, name in enumerate(pattern.split()) if name != "_"}


def pack(tensors, pattern):
    """Put tensors into one, along the axis `*`."""
    names = pattern.split()
    before = names.index("*")
    after = len(names) - before - 1
    packed = []
    shapes = []
    for tensor in tensors:
        shape = tensor.shape
        until = len(shape) - after
        shapes.append(shape[before:until])
        packed.append(tensor.reshape((*shape[:before], -1, *shape[until:])))
    return torch.cat(packed, dim=before), shapes


def unpack(tensor, packed_shapes, pattern):
    """Take views of the parts of a packed tensor."""
    names = pattern.split()
    axis = names.index("*")
    rest = len(names) - axis - 1
    parts = []
    start = 0
    for shape in packed_shapes:
        size = prod(shape)
        part = tensor.narrow(axis, start, size)
        parts.append(part.view(part.shape[:axis] + shape + part.shape[len(names) - rest :]))
        start = start + size
    return parts


def asnumpy(tensor):
    """Take an array on the tensor's memory."""
    return tensor.detach().cpu().numpy()
