"""transformers.configuration_utils: options of a model."""

from inplace_lsp.modelling import ignores

DESCRIBES = "transformers 4.40 to 5.23"


class PretrainedConfig:
    """The options a model is built from."""

    @ignores(
        "transformers_version", "architectures", "dtype", "chunk_size_feed_forward", "id2label", "label2id",
        because="names and sizes say nothing of graphs",
    )  # fmt: skip
    def __init__(
        self, transformers_version=None, architectures=None, output_hidden_states=False, return_dict=True, dtype=None,
        chunk_size_feed_forward=0, is_encoder_decoder=False, id2label=None, label2id=None, problem_type=None,
        **kwargs,
    ):  # fmt: skip
        self.output_hidden_states, self.return_dict = output_hidden_states, return_dict
        self.is_encoder_decoder, self.problem_type = is_encoder_decoder, problem_type
        for name, value in kwargs.items():
            setattr(self, name, value)

    @classmethod
    @ignores(
        "pretrained_model_name_or_path", "cache_dir", "force_download", "local_files_only", "token", "revision",
        because="nobody knows here what a file of options says",
    )  # fmt: skip
    def from_pretrained(
        cls, pretrained_model_name_or_path, cache_dir=None, force_download=False, local_files_only=False, token=None,
        revision="main", **kwargs,
    ):  # fmt: skip
        """Read the options."""
        return PretrainedConfig(**kwargs)


PreTrainedConfig = PretrainedConfig
