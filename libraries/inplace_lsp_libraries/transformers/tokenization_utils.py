"""transformers.tokenization_utils: texts, images and sounds become tensors that carry no graph."""

from inplace_lsp.modelling import data, ignores

DESCRIBES = "transformers 4.40 to 5.23"
_READ = "what is read from outside of the program carries no graph"


class _Tokenizer:
    """Makes inputs of a model."""

    @classmethod
    @ignores("pretrained_model_name_or_path", "args", "kwargs", because=_READ)
    def from_pretrained(cls, pretrained_model_name_or_path, *args, **kwargs):
        """Read the vocabulary."""
        return cls()

    @ignores("args", "kwargs", because=_READ)
    def __init__(self, *args, **kwargs):
        pass

    @ignores("args", "kwargs", because=_READ)
    def __call__(self, *args, **kwargs):
        """Make the inputs of a batch."""
        return data("a batch of inputs")

    @ignores("name", because=_READ)
    def __getattr__(self, name):
        return data("a tokenizer's result")
