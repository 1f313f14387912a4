"""accelerate: modules, optimizers and loaders as they are, prepared for devices and precisions."""

from contextlib import contextmanager

import torch
from accelerate.optimizer import AcceleratedOptimizer
from accelerate.utils import gather, pad_across_processes, reduce
from inplace_lsp.modelling import data, ignores, is_true
from lightning.fabric.wrappers import _FabricModule, _is_mixed

DESCRIBES = "accelerate 1.0 to 1.15"


class Accelerator:
    """Prepares what a training loop works with, and walks back."""

    is_main_process = is_local_main_process = is_last_process = True
    num_processes = 1
    process_index = local_process_index = 0
    optimizer_step_was_skipped = use_distributed = False

    @ignores(
        "device_placement", "split_batches", "cpu", "dataloader_config", "deepspeed_plugin", "fsdp_plugin",
        "torch_tp_plugin", "megatron_lm_plugin", "rng_types", "log_with", "project_dir", "project_config",
        "gradient_accumulation_plugin", "step_scheduler_with_optimizer", "kwargs_handlers", "dynamo_backend",
        "dynamo_plugin", "deepspeed_plugins", "parallelism_config", because="where it runs changes no graph",
    )  # fmt: skip
    def __init__(
        self, device_placement=True, split_batches=None, mixed_precision=None, gradient_accumulation_steps=1,
        cpu=False, dataloader_config=None, deepspeed_plugin=None, fsdp_plugin=None, torch_tp_plugin=None,
        megatron_lm_plugin=None, rng_types=None, log_with=None, project_dir=None, project_config=None,
        gradient_accumulation_plugin=None, step_scheduler_with_optimizer=True, kwargs_handlers=None,
        dynamo_backend=None, dynamo_plugin=None, deepspeed_plugins=None, parallelism_config=None,
    ):  # fmt: skip
        self._mixed = _is_mixed(mixed_precision)
        self.mixed_precision = mixed_precision
        self.gradient_accumulation_steps = gradient_accumulation_steps
        several = is_true(isinstance(gradient_accumulation_steps, int)) and gradient_accumulation_steps > 1
        self._period = 2 if several else 1  # the end of an accumulation comes within the two passes of a loop
        self._count = 0
        self.sync_gradients = True
        self._modules = []

    @ignores("device_placement", because="devices change no graph")
    def prepare(self, *args, device_placement=None):
        """Prepare modules, optimizers, loaders and schedulers."""
        prepared = tuple([self._prepare_part(part) for part in args])
        return prepared[0] if len(prepared) == 1 else prepared

    def _prepare_part(self, given):
        if is_true(isinstance(given, torch.nn.Module)):
            return self.prepare_model(given)
        if is_true(isinstance(given, torch.optim.Optimizer)):
            return self.prepare_optimizer(given)
        return given

    @ignores("device_placement", "evaluation_mode", because="devices change no graph")
    def prepare_model(self, model, device_placement=None, evaluation_mode=False):
        """Prepare a module."""
        self._modules.append(model)
        return _FabricModule(model, True) if self._mixed else model

    @ignores("device_placement", because="devices change no graph")
    def prepare_optimizer(self, optimizer, device_placement=None):
        """Prepare an optimizer."""
        if self._period == 1:
            return optimizer
        prepared = AcceleratedOptimizer(optimizer)
        prepared._accelerator = self
        return prepared

    @ignores("device_placement", "slice_fn_for_dispatch", because="batches have no graph")
    def prepare_data_loader(self, data_loader, device_placement=None, slice_fn_for_dispatch=None):
        """Prepare a loader."""
        return data_loader

    def prepare_scheduler(self, scheduler):
        """Prepare a scheduler."""
        return scheduler

    @ignores("num_batches", because="batches have no graph")
    def skip_first_batches(self, dataloader, num_batches=0):
        """Skip batches."""
        return dataloader

    @ignores("keep_fp32_wrapper", "keep_torch_compile", because="weights are the same in and out of their wrappers")
    def unwrap_model(self, model, keep_fp32_wrapper=True, keep_torch_compile=True):
        """Hand back the module itself."""
        return model.module if is_true(isinstance(model, _FabricModule)) else model

    def backward(self, loss, **kwargs):
        """Walk back from the loss."""
        if self._period > 1:
            loss = loss / self.gradient_accumulation_steps
        loss.backward(**kwargs)

    @contextmanager
    @ignores("models", because="gradients are kept apart, not the graph")
    def accumulate(self, *models):
        """Accumulate gradients over some batches."""
        self._count += 1
        self.sync_gradients = self._count % self._period == 0
        yield

    @contextmanager
    @ignores("model", because="gradients are kept apart, not the graph")
    def no_sync(self, model):
        """Keep the gradients on this process."""
        yield

    @ignores("autocast_handler", because="which casts are made says nothing of who saves them")
    def autocast(self, autocast_handler=None):
        """Work in the precision that was told."""
        return torch.autocast("cpu", enabled=self._mixed)

    def clip_grad_norm_(self, parameters, max_norm, norm_type=2):
        """Clip the norm of gradients."""
        return torch.nn.utils.clip_grad_norm_(parameters, max_norm, norm_type)

    def clip_grad_value_(self, parameters, clip_value):
        """Clip the values of gradients."""
        torch.nn.utils.clip_grad_value_(parameters, clip_value)

    @ignores("optimizer", because="gradients are divided by a factor, of which a next backward makes new ones")
    def unscale_gradients(self, optimizer=None):
        """Divide the gradients by the scaler's factor."""

    def gather(self, tensor):
        """Gather what all processes have: with one process, the very tensors."""
        return gather(tensor)

    @ignores("use_gather_object", because="one process gathers what it has")
    def gather_for_metrics(self, input_data, use_gather_object=False):
        """Gather what all processes have: with one process, the very tensors."""
        return gather(input_data)

    def reduce(self, tensor, reduction="sum", scale=1.0):
        """Reduce what all processes have, into copies."""
        return reduce(tensor, reduction, scale)

    def pad_across_processes(self, tensor, dim=0, pad_index=0, pad_first=False):
        """Pad to the size of the other processes' tensors: with one process, the very tensors."""
        return pad_across_processes(tensor, dim, pad_index, pad_first)

    def on_main_process(self, function=None):
        """Run a function on the main process."""
        return function

    def on_local_main_process(self, function=None):
        """Run a function on the main process of the machine."""
        return function

    def on_last_process(self, function):
        """Run a function on the last process."""
        return function

    @contextmanager
    def main_process_first(self):
        """Let the main process run first."""
        yield

    @contextmanager
    def local_main_process_first(self):
        """Let the main process of the machine run first."""
        yield

    @contextmanager
    @ignores("joinables", "even_batches", because="who waits for whom changes no graph")
    def join_uneven_inputs(self, joinables, even_batches=None):
        """Train with batches of different number."""
        yield

    @contextmanager
    @ignores("apply_padding", because="one process has everything")
    def split_between_processes(self, inputs, apply_padding=False):
        """Give each process its part of the inputs."""
        yield inputs

    @contextmanager
    @ignores("profile_handler", because="profiling changes nothing")
    def profile(self, profile_handler=None):
        """Profile."""
        yield data("a profiler")

    @ignores("input_dir", "load_kwargs", "load_model_func_kwargs", because="values say nothing of who saves them")
    def load_state(self, input_dir=None, load_kwargs=None, **load_model_func_kwargs):
        """Load a checkpoint into the prepared modules."""
        for module in self._modules:
            module.load_state_dict(data("a checkpoint"))

    @ignores("output_dir", "safe_serialization", "save_model_func_kwargs", because="reading changes nothing")
    def save_state(self, output_dir=None, safe_serialization=True, **save_model_func_kwargs):
        """Save a checkpoint."""

    @ignores("obj", "f", "safe_serialization", because="reading changes nothing")
    def save(self, obj, f, safe_serialization=False):
        """Save an object."""

    @ignores("model", "save_directory", "max_shard_size", "safe_serialization", because="reading changes nothing")
    def save_model(self, model, save_directory, max_shard_size="10GB", safe_serialization=True):
        """Save a module."""

    @ignores("unwrap", because="weights are the same in and out of their wrappers")
    def get_state_dict(self, model, unwrap=True):
        """List the weights of a module."""
        return model.state_dict()

    def free_memory(self, *objects):
        """Let go of objects."""
        return objects

    def wait_for_everyone(self):
        """Wait for the other processes."""

    @ignores("args", "kwargs", because="printing changes nothing")
    def print(self, *args, **kwargs):
        """Print."""

    @ignores("values", "step", "log_kwargs", because="reading changes nothing")
    def log(self, values, step=None, log_kwargs=None):
        """Log values."""

    def end_training(self):
        """Let go of everything."""


@ignores(
    "num_processes", "mixed_precision", "use_port", "master_addr", "node_rank", "num_nodes", "rdzv_backend",
    "rdzv_endpoint", "rdzv_conf", "rdzv_id", "max_restarts", "monitor_interval", "log_line_prefix_template",
    because="how many processes there are, and where",
)  # fmt: skip
def notebook_launcher(
    function, args=(), num_processes=None, mixed_precision="no", use_port="29500", master_addr="127.0.0.1",
    node_rank=0, num_nodes=1, rdzv_backend="static", rdzv_endpoint="", rdzv_conf=None, rdzv_id="none",
    max_restarts=0, monitor_interval=0.1, log_line_prefix_template=None,
):  # fmt: skip
    """Start the processes, each of which calls the function."""
    function(*args)
