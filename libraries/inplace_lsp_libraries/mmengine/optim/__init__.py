"""mmengine.optim: optimizers that walk a loss, step and clear the gradients in one call."""

from contextlib import contextmanager

from inplace_lsp.modelling import ignores
from mmengine.registry import OPTIM_WRAPPER_CONSTRUCTORS, OPTIM_WRAPPERS, OPTIMIZERS
from torch import nn

DESCRIBES = "mmengine 0.10"

_COUNT = "how many losses are gathered before a step does not matter"


class OptimWrapper:
    """Steps an optimizer."""

    @ignores("accumulative_counts", because=_COUNT)
    def __init__(self, optimizer, accumulative_counts=1, clip_grad=None):
        self.optimizer = optimizer
        self.clip_grad = clip_grad

    @ignores("step_kwargs", "zero_kwargs", because=_COUNT)
    def update_params(self, loss, step_kwargs=None, zero_kwargs=None):
        """Walk the loss, step and clear the gradients."""
        self.backward(self.scale_loss(loss))
        self.step()
        self.zero_grad()

    def scale_loss(self, loss):
        """Divide the loss by the number of losses that are gathered."""
        return loss / 1

    def backward(self, loss, **kwargs):
        """Walk the loss."""
        loss.backward(**kwargs)

    def zero_grad(self, **kwargs):
        """Clear the gradients."""
        self.optimizer.zero_grad(**kwargs)

    def step(self, **kwargs):
        """Clip the gradients and step the optimizer."""
        if self.clip_grad:
            nn.utils.clip_grad_norm_(
                [parameter for group in self.optimizer.param_groups for parameter in group["params"]], 1.0
            )
        self.optimizer.step(**kwargs)

    @contextmanager
    @ignores("model", because="all that it does is to hold back the exchange of gradients")
    def optim_context(self, model):
        """Run a forward pass."""
        yield

    @ignores("model", "init_counts", "max_counts", because=_COUNT)
    def initialize_count_status(self, model, init_counts, max_counts):
        """Set the number of steps."""

    def should_update(self):
        """Tell whether this loss is the last before a step."""
        return True

    @property
    def param_groups(self):
        """Return the optimizer's groups."""
        return self.optimizer.param_groups

    def state_dict(self):
        """Return the optimizer's state."""
        return self.optimizer.state_dict()


class AmpOptimWrapper(OptimWrapper):
    """The same with scaled losses."""

    @ignores("loss_scale", "dtype", "use_fsdp", because="the factor says nothing of who keeps the loss")
    def __init__(self, loss_scale="dynamic", dtype=None, use_fsdp=False, **kwargs):
        super().__init__(**kwargs)


class OptimWrapperDict(OptimWrapper):
    """Several wrappers by name."""

    def __init__(self, **optim_wrapper_dict):
        self.optim_wrappers = optim_wrapper_dict

    def __getitem__(self, key):
        return self.optim_wrappers[key]

    def __contains__(self, key):
        return key in self.optim_wrappers

    def items(self):
        """List names and wrappers."""
        return self.optim_wrappers.items()

    def keys(self):
        """Return the names."""
        return self.optim_wrappers.keys()

    def values(self):
        """Return the wrappers."""
        return self.optim_wrappers.values()


class DefaultOptimWrapperConstructor:
    """Makes an optimizer of all parameters of a model, and the wrapper of it."""

    @ignores("paramwise_cfg", because="rates by parameter say nothing of who keeps it")
    def __init__(self, optim_wrapper_cfg, paramwise_cfg=None):
        self.optim_wrapper_cfg = {"type": "OptimWrapper", **optim_wrapper_cfg}
        self.optimizer_cfg = self.optim_wrapper_cfg.pop("optimizer")

    def __call__(self, model):
        optimizer = OPTIMIZERS.build({**self.optimizer_cfg, "params": model.parameters()})
        return _build_wrapper({**self.optim_wrapper_cfg, "optimizer": optimizer})


def _build_wrapper(cfg):
    """Make the wrapper whose class `type` names, one of the user's or of these."""
    known = {"OptimWrapper": OptimWrapper, "AmpOptimWrapper": AmpOptimWrapper}
    given = {**cfg}
    return _find_class(OPTIM_WRAPPERS, given.pop("type", "OptimWrapper"), known)(**given)


def build_optim_wrapper(model, cfg):
    """Make the wrapper that a config describes, by the constructor that it names."""
    known = {"DefaultOptimWrapperConstructor": DefaultOptimWrapperConstructor}
    given = {**cfg}
    constructor = given.pop("constructor", "DefaultOptimWrapperConstructor")
    paramwise_cfg = given.pop("paramwise_cfg", None)
    return _find_class(OPTIM_WRAPPER_CONSTRUCTORS, constructor, known)(given, paramwise_cfg)(model)


def _find_class(registry, kind, known):
    """Return the class of a name."""
    if not isinstance(kind, str):
        return kind
    return known[kind] if kind in known else registry.get(kind)
