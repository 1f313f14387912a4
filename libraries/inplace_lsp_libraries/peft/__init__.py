"""peft: a frozen model with a few trained weights beside its own: LoRA stands for all the ways to do so."""

from contextlib import contextmanager

import torch
from inplace_lsp.modelling import ignores, is_known, is_true, update
from peft.tuners import _Adapted, _SavedCopy, _find_targets
from torch import nn
from transformers.modeling_utils import PreTrainedModel

DESCRIBES = "peft 0.10 to 0.21"
_FILES = "names, files, sizes and types say nothing of graphs"


class PeftConfig:
    """The options of an adapter."""

    @ignores("peft_type", "auto_mapping", "peft_version", "base_model_name_or_path", "revision", because=_FILES)
    def __init__(
        self, task_type=None, peft_type=None, auto_mapping=None, peft_version=None, base_model_name_or_path=None,
        revision=None, inference_mode=False, **kwargs,
    ):  # fmt: skip
        self.task_type, self.inference_mode = task_type, inference_mode
        for name, value in kwargs.items():
            setattr(self, name, value)
        self.options = kwargs

    @classmethod
    @ignores("pretrained_model_name_or_path", "subfolder", because=_FILES)
    def from_pretrained(cls, pretrained_model_name_or_path, subfolder=None, **kwargs):
        """Read the options."""
        return cls(**kwargs)


class _Tuner(nn.Module):
    """The model inside, its layers replaced by adapted ones."""

    def __init__(self, model, config, adapter_name):
        super().__init__()
        self.model = model
        model.requires_grad_(False)
        self.adapt(config, adapter_name)
        self.set_adapter(adapter_name)

    def adapt(self, config, adapter_name):
        """Add an adapter to each layer that the options name."""
        options = config.options if is_known(config) else {}
        for path, layer in _find_targets(self.model, options.get("target_modules")):
            if isinstance(layer, _Adapted):
                layer.add(adapter_name)
            else:
                parent, _, name = path.rpartition(".")
                owner = self.model.get_submodule(parent) if parent else self.model
                adapted = _Adapted(layer)
                adapted.add(adapter_name)
                setattr(owner, name, adapted)
        for name in options.get("modules_to_save") or ():
            for path, owner, layer in _find_named(self.model, name):
                setattr(owner, path, _SavedCopy(layer, adapter_name))

    def set_adapter(self, adapter_name):
        """Use and train these adapters only."""
        names = adapter_name if isinstance(adapter_name, (list, tuple)) else [adapter_name]
        for module in list(self.model.modules()):
            if isinstance(module, (_Adapted, _SavedCopy)):
                module.set_adapter(names)

    def forward(self, *args, **kwargs):
        """Run the model inside."""
        return self.model(*args, **kwargs)

    def layers(self):
        """Return the adapted layers."""
        return [module for module in self.model.modules() if isinstance(module, _Adapted)]

    def switch(self, on):
        """Use the adapters, or not."""
        for layer in self.layers():
            layer.disable_adapters = not on

    @ignores("adapter_names", because="all active adapters are merged")
    def merge_adapter(self, adapter_names=None, safe_merge=False):
        """Add the adapters to the frozen weights, through `.data`."""
        for layer in self.layers():
            layer.merge(is_true(safe_merge))

    def unmerge_adapter(self):
        """Subtract the adapters from the frozen weights, through `.data`."""
        for layer in self.layers():
            layer.unmerge()

    @ignores("progressbar", "adapter_names", because="all active adapters are merged")
    def merge_and_unload(self, progressbar=False, safe_merge=False, adapter_names=None):
        """Add the adapters to the frozen weights, and give the model inside as it was."""
        self.merge_adapter(safe_merge=safe_merge)
        return self.unload()

    def unload(self):
        """Give the model inside as it was, without adapters."""
        for path, module in list(self.model.named_modules()):
            if isinstance(module, (_Adapted, _SavedCopy)):
                parent, _, name = path.rpartition(".")
                owner = self.model.get_submodule(parent) if parent else self.model
                setattr(owner, name, module.release())
        return self.model

    def __getattr__(self, name):
        return getattr(self.model, name)


class PeftModel(nn.Module):
    """A frozen model with adapters."""

    @ignores("autocast_adapter_dtype", "low_cpu_mem_usage", "kwargs", because=_FILES)
    def __init__(
        self, model, peft_config, adapter_name="default", autocast_adapter_dtype=True, low_cpu_mem_usage=False,
        **kwargs,
    ):  # fmt: skip
        super().__init__()
        self.base_model = _Tuner(model, peft_config, adapter_name)
        self.peft_config = {adapter_name: peft_config}
        self.active_adapter = adapter_name

    @classmethod
    @ignores(
        "model_id", "autocast_adapter_dtype", "ephemeral_gpu_offload", "low_cpu_mem_usage", "key_mapping", "kwargs",
        because=_FILES,
    )  # fmt: skip
    def from_pretrained(
        cls, model, model_id, adapter_name="default", is_trainable=False, config=None, autocast_adapter_dtype=True,
        ephemeral_gpu_offload=False, low_cpu_mem_usage=False, key_mapping=None, **kwargs,
    ):  # fmt: skip
        """Add an adapter that was trained before; it is frozen unless it is to be trained on."""
        made = cls(model, PeftConfig() if config is None else config, adapter_name)
        if not is_true(is_trainable):
            made.requires_grad_(False)
        return made

    def forward(self, *args, **kwargs):
        """Run the model inside."""
        return self.base_model(*args, **kwargs)

    @ignores("low_cpu_mem_usage", "autocast_adapter_dtype", because=_FILES)
    def add_adapter(self, adapter_name, peft_config, low_cpu_mem_usage=False, autocast_adapter_dtype=True):
        """Add an adapter, which is not used yet."""
        self.base_model.adapt(peft_config, adapter_name)
        self.base_model.set_adapter(self.active_adapter)

    @ignores(
        "model_id", "torch_device", "autocast_adapter_dtype", "ephemeral_gpu_offload", "low_cpu_mem_usage",
        "key_mapping", "kwargs", because=_FILES,
    )  # fmt: skip
    @ignores("is_trainable", because="the adapter is not used yet")
    def load_adapter(
        self, model_id, adapter_name, is_trainable=False, torch_device=None, autocast_adapter_dtype=True,
        ephemeral_gpu_offload=False, low_cpu_mem_usage=False, key_mapping=None, **kwargs,
    ):  # fmt: skip
        """Add an adapter that was trained before, which is not used yet."""
        self.add_adapter(adapter_name, PeftConfig())

    def set_adapter(self, adapter_name, inference_mode=False):
        """Use this adapter only, and train it, unless it is for inference."""
        self.active_adapter = adapter_name
        self.base_model.set_adapter(adapter_name)
        if is_true(inference_mode):
            self.requires_grad_(False)

    @contextmanager
    def disable_adapter(self):
        """Run the model inside without adapters for a while."""
        self.base_model.switch(False)
        yield
        self.base_model.switch(True)

    def get_base_model(self):
        """Return the model inside."""
        return self.base_model.model

    def print_trainable_parameters(self):
        """Print how many weights are trained."""

    def get_nb_trainable_parameters(self):
        """Count the weights."""
        return len(list(self.parameters())), len(list(self.parameters()))

    @ignores(
        "save_directory", "safe_serialization", "selected_adapters", "save_embedding_layers", "is_main_process",
        "path_initial_model_for_weight_conversion", "kwargs", because=_FILES,
    )  # fmt: skip
    def save_pretrained(
        self, save_directory, safe_serialization=True, selected_adapters=None, save_embedding_layers="auto",
        is_main_process=True, path_initial_model_for_weight_conversion=None, **kwargs,
    ):  # fmt: skip
        """Write the adapters to files."""

    def __getattr__(self, name):
        return getattr(self.base_model, name)


@ignores("mixed", "autocast_adapter_dtype", "revision", "low_cpu_mem_usage", because=_FILES)
def get_peft_model(
    model, peft_config, adapter_name="default", mixed=False, autocast_adapter_dtype=True, revision=None,
    low_cpu_mem_usage=False,
):  # fmt: skip
    """Freeze the model and add an adapter that is trained."""
    return PeftModel(model, peft_config, adapter_name)


@ignores("state_dict", "adapter_name", "unwrap_compiled", "save_embedding_layers", because=_FILES)
def get_peft_model_state_dict(
    model, state_dict=None, adapter_name="default", unwrap_compiled=False, save_embedding_layers="auto"
):
    """Return the adapters' weights, detached."""
    return {name: weight.detach() for name, weight in model.named_parameters() if _is_of_adapter(name)}


@ignores(
    "peft_model_state_dict", "adapter_name", "ignore_mismatched_sizes", "low_cpu_mem_usage",
    because="whatever is loaded, all adapters are written",
)  # fmt: skip
def set_peft_model_state_dict(
    model, peft_model_state_dict, adapter_name="default", ignore_mismatched_sizes=False, low_cpu_mem_usage=False
):
    """Write the adapters' weights."""
    update([weight for name, weight in model.named_parameters() if _is_of_adapter(name)], "load_state_dict")


@ignores(
    "use_gradient_checkpointing", "gradient_checkpointing_kwargs", "auto_clear_cache",
    because="layers are only computed again",
)  # fmt: skip
def prepare_model_for_kbit_training(
    model, use_gradient_checkpointing=True, gradient_checkpointing_kwargs=None, auto_clear_cache=True
):
    """Freeze the model."""
    model.requires_grad_(False)
    return model


@ignores("low_cpu_mem_usage", "state_dict", because=_FILES)
def inject_adapter_in_model(peft_config, model, adapter_name="default", low_cpu_mem_usage=False, state_dict=None):
    """Freeze the model and replace its layers by adapted ones."""
    _Tuner(model, peft_config, adapter_name)
    return model


def _is_of_adapter(name):
    return "lora_" in name or "modules_to_save" in name


def _find_named(model, name):
    """List name, owner and layer of what an attribute of some module is called so."""
    found = []
    for owner in list(model.modules()):
        if not isinstance(owner, (_Adapted, _SavedCopy)):
            for path, layer in list(owner.named_children()):
                if path == name or (isinstance(owner, PreTrainedModel) and getattr(owner, name, None) is layer):
                    found.append((path, owner, layer))
    return found


def __getattr__(name):
    if name.startswith("PeftModel"):
        return PeftModel
    if name.endswith("Config"):
        return PeftConfig
    if name in ("LoraLayer", "BaseTunerLayer"):
        return _Adapted
    raise AttributeError(name)
