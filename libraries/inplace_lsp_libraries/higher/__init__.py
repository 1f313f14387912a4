"""higher: an inner training loop whose steps make new weights, so that the outer one can walk through them."""

from contextlib import contextmanager
from copy import deepcopy

import torch
from inplace_lsp.modelling import ignores, is_true

DESCRIBES = "higher 0.2"
_DEVICE = "where tensors lie says nothing of graphs"


class _FunctionalModule:
    """A module that computes with fast weights in place of its parameters."""

    def __init__(self, module, copies, tracks):
        self.module = deepcopy(module)
        self.tracks = tracks
        self.places = []
        self.fast_params = []
        for own, theirs in zip(self.module.modules(), module.modules(), strict=False):
            for name, parameter in list(theirs._parameters.items()):
                self.places.append((own, name))
                start = parameter.detach().clone().requires_grad_() if copies else parameter.clone()
                self.fast_params.append(start)
        self.update_params(self.fast_params)

    def update_params(self, params):
        """Compute with these weights from now on."""
        self.fast_params = list(params)
        for place, weight in zip(self.places, self.fast_params, strict=False):
            owner, name = place
            setattr(owner, name, weight)

    def __call__(self, *args, params=None, **kwargs):
        """Run the module with the fast weights, or with those given."""
        if params is not None:
            self.update_params(params)
        return self.module(*args, **kwargs)

    forward = __call__

    @ignores("time", because="only the latest weights are kept")
    def parameters(self, time=-1):
        """Return the fast weights."""
        return list(self.fast_params)

    @ignores("time", because="only the latest weights are kept")
    def named_parameters(self, time=-1):
        """Return the fast weights by name."""
        return [(name, weight) for (owner, name), weight in zip(self.places, self.fast_params, strict=False)]

    def __getattr__(self, name):
        return getattr(self.module, name)


class _DifferentiableOptimizer:
    """Steps by making new weights."""

    def __init__(self, rates, fmodel, tracks):
        self.rates = rates
        self.fmodel = fmodel
        self.tracks = tracks

    @ignores("override", because="the rates given at the start stand for all")
    def step(self, loss, params=None, override=None, grad_callback=None):
        """Take the gradients of the loss and make new weights; the loss's graph is kept if they are tracked."""
        weights = self.fmodel.fast_params if params is None else list(params)
        gradients = torch.autograd.grad(loss, weights, create_graph=self.tracks, allow_unused=True)
        if grad_callback is not None:
            gradients = grad_callback(gradients)
        new = []
        for weight, gradient in zip(weights, gradients, strict=False):
            for rate in self.rates:
                gradient = gradient * rate
            weight = weight - gradient
            new.append(weight if self.tracks else weight.detach().requires_grad_())
        self.fmodel.update_params(new)
        return new


@ignores("device", because=_DEVICE)
def monkeypatch(module, device=None, copy_initial_weights=True, track_higher_grads=True):
    """Make a module of fast weights."""
    return _FunctionalModule(module, is_true(copy_initial_weights), is_true(track_higher_grads))


make_functional = monkeypatch


@ignores(
    "opt", "reference_params", "device", "kwargs", because="any optimizer makes new weights of old ones and gradients"
)
def get_diff_optim(opt, reference_params, fmodel=None, device=None, override=None, track_higher_grads=True, **kwargs):
    """Make an optimizer whose steps can be walked through."""
    rates = [] if override is None else [rate for values in override.values() for rate in values]
    return _DifferentiableOptimizer(rates, fmodel, is_true(track_higher_grads))


@contextmanager
def innerloop_ctx(model, opt, device=None, copy_initial_weights=True, override=None, track_higher_grads=True):
    """Make fast weights of the model, and an optimizer that steps them."""
    fmodel = monkeypatch(model, device, copy_initial_weights, track_higher_grads)
    yield fmodel, get_diff_optim(opt, None, fmodel, device, override, track_higher_grads)
