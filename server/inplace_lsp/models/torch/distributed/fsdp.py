"""torch.distributed.fsdp: modules whose weights are spread over processes compute what they compute in one."""

from contextlib import nullcontext

from inplace_lsp.modelling import ignores
from torch.nn.parallel import _SPREAD, _Wrapper

DESCRIBES = "torch 2.13"


class FullyShardedDataParallel(_Wrapper):
    """Calls a module whose weights are gathered from all processes."""

    @ignores(
        "process_group",
        "sharding_strategy",
        "cpu_offload",
        "auto_wrap_policy",
        "backward_prefetch",
        "mixed_precision",
        "ignored_modules",
        "param_init_fn",
        "device_id",
        "sync_module_states",
        "forward_prefetch",
        "limit_all_gathers",
        "use_orig_params",
        "ignored_states",
        "device_mesh",
        because=_SPREAD,
    )
    def __init__(
        self,
        module,
        process_group=None,
        sharding_strategy=None,
        cpu_offload=None,
        auto_wrap_policy=None,
        backward_prefetch=None,
        mixed_precision=None,
        ignored_modules=None,
        param_init_fn=None,
        device_id=None,
        sync_module_states=False,
        forward_prefetch=False,
        limit_all_gathers=True,
        use_orig_params=False,
        ignored_states=None,
        device_mesh=None,
    ):
        super().__init__(module)

    def no_sync(self):
        """Leave gradients as they are in each process."""
        return nullcontext()


@ignores(
    "mesh",
    "reshard_after_forward",
    "shard_placement_fn",
    "mp_policy",
    "offload_policy",
    "ignored_params",
    "dp_mesh_dims",
    because=_SPREAD,
)
def fully_shard(
    module,
    *,
    mesh=None,
    reshard_after_forward=None,
    shard_placement_fn=None,
    mp_policy=None,
    offload_policy=None,
    ignored_params=None,
    dp_mesh_dims=None,
):
    """Leave the module as it is, its weights spread."""
    return module
