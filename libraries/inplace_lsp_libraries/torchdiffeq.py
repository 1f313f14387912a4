"""torchdiffeq: differential equations solved step by step, each of which calls the function of the program."""

import torch
from inplace_lsp.modelling import compute, ignores

DESCRIBES = "torchdiffeq 0.2"

_STEPS = "how many steps there are, and how long, does not matter"


@ignores("rtol", "atol", "method", "options", because=_STEPS)
def odeint(func, y0, t, *, rtol=1e-07, atol=1e-09, method=None, options=None, event_fn=None):
    """Solve step by step, and copy each state into the solution."""
    y = y0
    for _ in range(2):
        slope = func(t[0], y)
        y = tuple(a + b * 0.1 for a, b in zip(y, slope, strict=False)) if isinstance(y0, tuple) else y + slope * 0.1
    if isinstance(y0, tuple):
        solution = tuple(torch.stack([a, b]) for a, b in zip(y0, y, strict=False))
    else:
        solution = compute("stack", (y0, y))
    return solution if event_fn is None else (t[0], solution)


@ignores(
    "rtol",
    "atol",
    "method",
    "options",
    "adjoint_rtol",
    "adjoint_atol",
    "adjoint_method",
    "adjoint_options",
    because=_STEPS,
)
def odeint_adjoint(
    func,
    y0,
    t,
    *,
    rtol=1e-07,
    atol=1e-09,
    method=None,
    options=None,
    event_fn=None,
    adjoint_rtol=None,
    adjoint_atol=None,
    adjoint_method=None,
    adjoint_options=None,
    adjoint_params=None,
):
    """Solve without a graph; times, weights and solution are kept for the backward pass, which solves once more."""
    weights = tuple(func.parameters()) if adjoint_params is None else tuple(adjoint_params)
    with torch.no_grad():
        odeint(func, y0, t)
    _walk_steps(func, y0, t)
    if isinstance(y0, tuple):
        whole = compute("odeint_adjoint", (y0, t, weights), saves=(t, weights), saves_result=True)
        solution = tuple(whole[0].view(-1) for _ in y0)
    else:
        solution = compute("odeint_adjoint", (y0, t, weights), saves=(t, weights), saves_result=True)
    return solution if event_fn is None else (t[0], solution)


def _walk_steps(func, y0, t):
    """Do what the backward pass does: call the function once more, and walk what it gives."""
    y = tuple(_make_leaf(part) for part in y0) if isinstance(y0, tuple) else _make_leaf(y0)
    with torch.enable_grad():
        torch.autograd.grad(func(t[0], y), y, retain_graph=True, allow_unused=True)


def _make_leaf(tensor):
    return tensor.detach().requires_grad_(True)


@ignores("reverse_time", because=_STEPS)
def odeint_event(func, y0, t0, *, event_fn, reverse_time=False, odeint_interface=odeint, **kwargs):
    """Solve until something happens."""
    return odeint_interface(func, y0, torch.stack([t0, t0]), event_fn=event_fn, **kwargs)
