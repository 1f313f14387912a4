"""transformers.modeling_utils: what all models can do."""

import torch
from inplace_lsp.modelling import ignores
from torch import nn
from transformers.configuration_utils import PretrainedConfig

DESCRIBES = "transformers 4.40 to 5.23"
_NO_TENSORS = "files, memory and speed say nothing of graphs"


class PreTrainedModel(nn.Module):
    """A module with a configuration, the base of all models."""

    @ignores("inputs", "kwargs", because="models of the user's own take what they need of them")
    def __init__(self, config, *inputs, **kwargs):
        super().__init__()
        self.config = config

    @classmethod
    @ignores(
        "pretrained_model_name_or_path", "cache_dir", "ignore_mismatched_sizes", "force_download",
        "local_files_only", "token", "revision", "use_safetensors", "weights_only", "fusion_config", "disable_mmap",
        because=_NO_TENSORS,
    )  # fmt: skip
    def from_pretrained(
        cls, pretrained_model_name_or_path, *model_args, config=None, cache_dir=None, ignore_mismatched_sizes=False,
        force_download=False, local_files_only=False, token=None, revision="main", use_safetensors=None,
        weights_only=True, fusion_config=None, disable_mmap=None, **kwargs,
    ):  # fmt: skip
        """Build the model and read its weights."""
        return cls(PretrainedConfig(**kwargs) if config is None else config, *model_args).eval()

    @classmethod
    @ignores("kwargs", because=_NO_TENSORS)
    def _from_config(cls, config, **kwargs):
        """Build the model."""
        return cls(config)

    from_config = _from_config

    def post_init(self):
        """Initialise the weights."""

    def init_weights(self):
        """Initialise the weights."""

    @ignores("missing_keys", "recompute_mapping", because="which weights are one is not known here")
    def tie_weights(self, missing_keys=None, recompute_mapping=True):
        """Use one weight for the embeddings and the head."""

    @ignores(
        "save_directory", "is_main_process", "state_dict", "push_to_hub", "max_shard_size", "variant", "token",
        "save_peft_format", "save_original_format", "distributed_checkpoint", "kwargs", because=_NO_TENSORS,
    )  # fmt: skip
    def save_pretrained(
        self, save_directory, is_main_process=True, state_dict=None, push_to_hub=False, max_shard_size="50GB",
        variant=None, token=None, save_peft_format=True, save_original_format=True, distributed_checkpoint=False,
        **kwargs,
    ):  # fmt: skip
        """Write the weights to files."""

    @ignores("gradient_checkpointing_kwargs", "kwargs", because=_NO_TENSORS)
    def gradient_checkpointing_enable(self, gradient_checkpointing_kwargs=None, **kwargs):
        """Compute the layers again at backward."""

    def gradient_checkpointing_disable(self):
        """Keep what the layers save."""

    def get_input_embeddings(self):
        """Return the lookup table of the tokens."""
        for module in self.modules():
            if isinstance(module, nn.Embedding):
                return module
        return nn.Embedding(self.config.vocab_size, self.config.hidden_size)

    def get_output_embeddings(self):
        """Return the layer that makes logits."""
        return self.lm_head

    @ignores(
        "new_num_tokens", "pad_to_multiple_of", "mean_resizing", because="the weight is another one, of whatever size"
    )
    def resize_token_embeddings(self, new_num_tokens=None, pad_to_multiple_of=None, mean_resizing=True):
        """Put a lookup table of another size in place of the one there is."""
        embeddings = self.get_input_embeddings()
        embeddings.weight = nn.Parameter(torch.empty(()))
        return embeddings

    def enable_input_require_grads(self):
        """Make what the embeddings give a leaf that requires grad."""
        self.get_input_embeddings().register_forward_hook(_require_grad)

    @ignores("only_trainable", "exclude_embeddings", because="a number has no graph")
    def num_parameters(self, only_trainable=False, exclude_embeddings=False):
        """Count the weights."""
        return len([parameter.numel() for parameter in self.parameters()])

    @ignores("args", "kwargs", because="tokens are integers, which have no graph")
    def generate(self, *args, **kwargs):
        """Write tokens: integers, without a graph."""
        with torch.no_grad():
            return torch.argmax(torch.empty(()), -1)


@ignores("module", "args", because="only the result is changed")
def _require_grad(module, args, output):
    output.requires_grad_(True)
