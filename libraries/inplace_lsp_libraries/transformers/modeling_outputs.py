"""transformers.modeling_outputs: what models return, read by attribute, by key, by index, or unpacked as a tuple."""

from inplace_lsp.modelling import opaque

DESCRIBES = "transformers 4.40 to 5.23"

_OFTEN_NOT_THERE = (
    "loss",
    "logits",
    "past_key_values",
    "hidden_states",
    "attentions",
    "cross_attentions",
    "decoder_hidden_states",
    "encoder_hidden_states",
    "decoder_attentions",
    "encoder_attentions",
)


class ModelOutput:
    """Fields of a result, in order; those that are None are left out."""

    fields: dict

    def __init__(self, *args, **kwargs):
        self.fields = dict(args[0]) if args else {}
        for name, value in kwargs.items():
            if value is not None:
                self.fields[name] = value

    def __getattr__(self, name):
        if name in self.fields:
            return self.fields[name]
        if name in _OFTEN_NOT_THERE:
            return None
        return opaque(*self.fields.values())

    def __getitem__(self, key):
        if isinstance(key, str):
            return self.__getattr__(key)
        return self.to_tuple()[key]

    def __setitem__(self, key, value):
        self.fields[key] = value

    def __contains__(self, key):
        return key in self.fields

    def __iter__(self):
        return iter(self.fields)

    def __len__(self):
        return len(self.fields)

    def to_tuple(self):
        """Return all fields that are not None."""
        return tuple(self.fields.values())

    def keys(self):
        """Return the names of the fields."""
        return self.fields.keys()

    def values(self):
        """Return the fields."""
        return self.fields.values()

    def items(self):
        """List names and fields."""
        return self.fields.items()

    def get(self, key, default=None, /):
        """Return a field, or the default."""
        return self.fields.get(key, default)


def __getattr__(name):
    if "Output" in name:
        return ModelOutput
    raise AttributeError(name)
