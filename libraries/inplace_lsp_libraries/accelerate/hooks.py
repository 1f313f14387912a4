"""accelerate.hooks: what is called round the forward of a module."""

import torch
from inplace_lsp.modelling import ignores, is_true

DESCRIBES = "accelerate 1.0 to 1.15"


class ModelHook:
    """Is called before and after the forward of the module that it is added to."""

    no_grad = False

    def init_hook(self, module):
        """Return the module that the hook is added to."""
        return module

    @ignores("module", because="it is for those who override the method")
    def pre_forward(self, module, *args, **kwargs):
        """Return the arguments of the forward."""
        return args, kwargs

    @ignores("module", because="it is for those who override the method")
    def post_forward(self, module, output):
        """Return the result of the forward."""
        return output

    def detach_hook(self, module):
        """Return the module that the hook is taken from."""
        return module


class SequentialHook(ModelHook):
    """Calls several hooks one after the other."""

    def __init__(self, *hooks):
        self.hooks = hooks

    def init_hook(self, module):
        """Return the module that the hooks are added to."""
        for hook in self.hooks:
            module = hook.init_hook(module)
        return module

    def pre_forward(self, module, *args, **kwargs):
        """Return the arguments of the forward."""
        for hook in self.hooks:
            args, kwargs = hook.pre_forward(module, *args, **kwargs)
        return args, kwargs

    def post_forward(self, module, output):
        """Return the result of the forward."""
        for hook in self.hooks:
            output = hook.post_forward(module, output)
        return output

    def detach_hook(self, module):
        """Return the module that the hooks are taken from."""
        for hook in self.hooks:
            module = hook.detach_hook(module)
        return module


def add_hook_to_module(module, hook, append=False):
    """Put the hook round the forward of the module."""
    if is_true(append) and is_true(hasattr(module, "_hf_hook")):
        hook = SequentialHook(module._hf_hook, hook)
    inside = module._old_forward if is_true(hasattr(module, "_old_forward")) else module.forward
    module._old_forward = inside
    module = hook.init_hook(module)
    module._hf_hook = hook

    def forward(*args, **kwargs):
        args, kwargs = hook.pre_forward(module, *args, **kwargs)
        if is_true(hook.no_grad):
            with torch.no_grad():
                output = inside(*args, **kwargs)
        else:
            output = inside(*args, **kwargs)
        return hook.post_forward(module, output)

    module.forward = forward
    return module


def remove_hook_from_module(module, recurse=False):
    """Give the module its own forward again."""
    if is_true(hasattr(module, "_hf_hook")):
        module._hf_hook.detach_hook(module)
        del module._hf_hook
    if is_true(hasattr(module, "_old_forward")):
        module.forward = module._old_forward
        del module._old_forward
    if is_true(recurse):
        for child in module.children():
            remove_hook_from_module(child, recurse)
    return module
