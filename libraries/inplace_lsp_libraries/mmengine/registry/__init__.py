"""mmengine.registry: classes and functions by name."""

from inplace_lsp.modelling import ignores
from torch import nn, optim

DESCRIBES = "mmengine 0.10"

_WHERE = "where the modules lie does not matter"


class Registry:
    """Builds objects of the classes that have been registered."""

    @ignores("build_func", "parent", "scope", "locations", because=_WHERE)
    def __init__(self, name, build_func=None, parent=None, scope=None, locations=()):
        self.name = name
        self.module_dict = {}

    @ignores("force", because="the last class of a name counts")
    def register_module(self, name=None, force=False, module=None):
        """Keep a class or function under its name, as a decorator too."""
        if module is not None:
            self._store_module(module, name)
            return module

        def decorate(module):
            self._store_module(module, name)
            return module

        return decorate

    def _store_module(self, module, name):
        for key in [name or module.__name__] if isinstance(name, str) or name is None else name:
            self.module_dict[key] = module

    def get(self, key):
        """Return the class of a name; layers and optimizers of torch are registered from the start."""
        name = key.split(".")[-1]
        if name in self.module_dict:
            return self.module_dict[name]
        return getattr(optim if "optim" in self.name else nn, name)

    def build(self, cfg, *args, **kwargs):
        """Make an object of the class that `type` names."""
        given = {**kwargs, **cfg}
        kind = given.pop("type")
        make = self.get(kind) if isinstance(kind, str) else kind
        return make(*args, **given)

    def __contains__(self, key):
        return key in self.module_dict


MODELS = Registry("model")
MODULES = MODELS
OPTIMIZERS = Registry("optimizer")
DATASETS = Registry("dataset")
TRANSFORMS = Registry("transform")
HOOKS = Registry("hook")
METRICS = Registry("metric")
LOOPS = Registry("loop")
RUNNERS = Registry("runner")
PARAM_SCHEDULERS = Registry("parameter scheduler")
DATA_SAMPLERS = Registry("data sampler")
MODEL_WRAPPERS = Registry("model_wrapper")
TASK_UTILS = Registry("task util")
FUNCTIONS = Registry("function")
OPTIM_WRAPPERS = Registry("optim_wrapper")
OPTIM_WRAPPER_CONSTRUCTORS = Registry("optimizer wrapper constructor")


def build_from_cfg(cfg, registry, default_args=None):
    """Make an object of the class that `type` names."""
    return registry.build({**(default_args or {}), **cfg})


def build_model_from_cfg(cfg, registry, default_args=None):
    """Make a model, or several one after the other."""
    if isinstance(cfg, list):
        return nn.Sequential(*[build_from_cfg(layer_config, registry, default_args) for layer_config in cfg])
    return build_from_cfg(cfg, registry, default_args)
