"""torch.func: derivatives of functions, made of `grad`, and the states of several modules as one."""

import torch
from inplace_lsp.modelling import compute, enter_level, ignores, is_true, leave_level, opaque
from torch.func import grad as _grad

DESCRIBES = "torch 2.13"

_COST = "it says how much memory the rows of a derivative take at once"


@ignores("chunk_size", "_preallocate_and_copy", because=_COST)
def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False):
    """Return a function that walks back from each element of what `func` returns."""
    return _grad(func, argnums, has_aux)


@ignores("randomness", "argnums", because="the derivative in one direction needs what that in another does")
def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    """Return a function that takes the derivative along with the call."""

    def compute_jacobian(*args, **kwargs):
        result = func(*args, **kwargs)
        if is_true(has_aux):
            return _leave_level(result[0], "jvp"), result[1]
        return _leave_level(result, "jvp")

    return compute_jacobian


def hessian(func, argnums=0):
    """Return a function that takes the derivative along with a walk back."""
    return jacfwd(jacrev(func, argnums), argnums)


@ignores("strict", because="it only refuses what does not depend on the inputs")
def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """Call the function, and take its derivative along with the call."""
    result = func(*primals)
    if is_true(has_aux):
        return result[0], opaque(result[0], *tangents), result[1]
    return result, opaque(result, *tangents)


def linearize(func, *primals):
    """Call the function, and return what takes its derivative."""
    result = func(*primals)
    return result, lambda *tangents: opaque(result, *tangents)


def vjp(func, *primals, has_aux=False):
    """Call the function, and return what walks back through that call as often as it is asked to."""
    leaves = []
    with torch.enable_grad():
        result = func(*[_track(primal, leaves) for primal in primals])
    value = result[0] if is_true(has_aux) else result

    @ignores("cotangents", "retain_graph", "create_graph", because="whatever is asked for, the graph is kept")
    def pull_back(*cotangents, retain_graph=True, create_graph=None):
        roots = tuple(_list_tensors(value))
        found = torch.autograd.grad(roots, leaves, roots, create_graph=True, allow_unused=True)
        gradients = iter(leave_level(found, leaves))
        return tuple([_replace_tensors(primal, gradients) for primal in primals])

    seen = leave_level(value, leaves)  # the walk does not ask whether this memory was written
    return (seen, pull_back, result[1]) if is_true(has_aux) else (seen, pull_back)


def _track(value, leaves):
    """Return the value with its tensors as where a walk back ends, on the same memory."""
    if is_true(isinstance(value, torch.Tensor)):
        leaves.append(value.view_as(value) if value.requires_grad else enter_level(value).requires_grad_())
        return leaves[-1]
    if is_true(isinstance(value, (tuple, list))):
        return type(value)([_track(part, leaves) for part in value])
    if is_true(isinstance(value, dict)):
        return {name: _track(part, leaves) for name, part in value.items()}
    return value


def _list_tensors(value):
    """Return the tensors of a value."""
    if is_true(isinstance(value, (tuple, list))):
        return [tensor for part in value for tensor in _list_tensors(part)]
    if is_true(isinstance(value, dict)):
        return [tensor for part in value.values() for tensor in _list_tensors(part)]
    return [value]


def _replace_tensors(value, others):
    """Return the value with other tensors in place of its own."""
    if is_true(isinstance(value, (tuple, list))):
        return type(value)([_replace_tensors(part, others) for part in value])
    if is_true(isinstance(value, dict)):
        return {name: _replace_tensors(part, others) for name, part in value.items()}
    return next(others) if is_true(isinstance(value, torch.Tensor)) else value


def _leave_level(value, op):
    """Return tensors that a transform has made of those of its own level: they carry their graph."""
    if is_true(isinstance(value, (tuple, list))):
        return type(value)([_leave_level(part, op) for part in value])
    if is_true(isinstance(value, dict)):
        return {name: _leave_level(part, op) for name, part in value.items()}
    return compute(op, [value])


def stack_module_state(models):
    """Return the parameters and the buffers of several modules, stacked to new leaves."""
    models = list(models)
    parameters = [dict(model.named_parameters()) for model in models]
    buffers = [dict(model.named_buffers()) for model in models]
    return _stack_all(parameters), _stack_all(buffers)


def _stack_all(states):
    """Stack the tensors of each name."""
    return {name: _stack_to_leaf([state[name] for state in states]) for name in states[0]}


def _stack_to_leaf(tensors):
    stacked = torch.stack(tensors)
    if tensors[0].requires_grad:
        stacked = stacked.detach().requires_grad_()
    return stacked
