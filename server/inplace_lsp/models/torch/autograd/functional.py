"""torch.autograd.functional: derivatives of functions, taken by walks back through a graph of their own."""

import torch
from inplace_lsp.modelling import ignores, is_true

DESCRIBES = "torch 2.13"

_HOW = "however the rows are computed, they need the same tensors"
_STRICT = "it only refuses what does not depend on the inputs"


@ignores("strict", because=_STRICT)
@ignores("vectorize", "strategy", because=_HOW)
def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """Walk back from each element of what the function returns."""
    with torch.enable_grad():
        inside, outputs = _call_tracked(func, inputs, create_graph)
        gradients = _walk_back(outputs, inside, create_graph)
    return _like(inputs, gradients, create_graph)


@ignores("strict", because=_STRICT)
@ignores("vectorize", "outer_jacobian_strategy", because=_HOW)
def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    """Walk back from each element of the gradient."""
    return _like(inputs, _walk_twice(func, inputs, create_graph)[1], create_graph)


@ignores("v", "strict", because=_STRICT)
def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """Walk back from what the function returns, and return that too."""
    with torch.enable_grad():
        inside, outputs = _call_tracked(func, inputs, create_graph)
        gradients = _walk_back(outputs, inside, create_graph)
    return _finish(outputs, create_graph), _like(inputs, gradients, create_graph)


@ignores("v", "strict", because=_STRICT)
def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """Walk back twice from what the function returns, and return that too."""
    outputs, gradients = _walk_twice(func, inputs, create_graph)
    return _finish(outputs, create_graph), _like(outputs, gradients, create_graph)


@ignores("v", "strict", because=_STRICT)
def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """Walk back from the gradient, and return what the function returns too."""
    outputs, gradients = _walk_twice(func, inputs, create_graph)
    return _finish(outputs, create_graph), _like(inputs, gradients, create_graph)


@ignores("v", "strict", because=_STRICT)
def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """Walk back from the gradient, and return what the function returns too."""
    outputs, gradients = _walk_twice(func, inputs, create_graph)
    return _finish(outputs, create_graph), _like(inputs, gradients, create_graph)


def _is_pair(value):
    return is_true(isinstance(value, tuple))


def _call_tracked(func, inputs, create_graph):
    """Return where a walk back ends, and what the function makes of it."""
    given = inputs if _is_pair(inputs) else (inputs,)
    keeps = is_true(create_graph)
    inside = tuple([x.view_as(x) if keeps and x.requires_grad else x.detach().requires_grad_() for x in given])
    return inside, func(*inside)


def _walk_back(outputs, inside, create_graph):
    roots = outputs if _is_pair(outputs) else (outputs,)
    return torch.autograd.grad(roots, inside, roots, retain_graph=True, create_graph=create_graph, allow_unused=True)


def _walk_twice(func, inputs, create_graph):
    """Return what the function makes of the inputs, and its second derivatives."""
    with torch.enable_grad():
        inside, outputs = _call_tracked(func, inputs, create_graph)
        gradients = _walk_back(outputs, inside, True)
        return outputs, _walk_back(gradients, inside, create_graph)


def _finish(value, create_graph):
    """Return the value, without its graph unless that is asked for."""
    if _is_pair(value):
        return tuple([_finish(part, create_graph) for part in value])
    return value if is_true(create_graph) else value.detach()


def _like(model, gradients, create_graph):
    """Return one tensor or several, as `model` is."""
    finished = _finish(tuple(gradients), create_graph)
    return finished if _is_pair(model) else finished[0]
