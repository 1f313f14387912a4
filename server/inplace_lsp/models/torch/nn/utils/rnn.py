"""torch.nn.utils.rnn: sequences of different lengths, packed one step after the other."""

import torch
from inplace_lsp.modelling import compute, data, ignores

DESCRIBES = "torch 2.13"

_ORDER = "in which order the sequences lie says nothing of what they share memory with"


class PackedSequence:
    """Steps of several sequences; recurrent layers take it and give one."""

    def __init__(self, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        self.data = data
        self.batch_sizes = batch_sizes
        self.sorted_indices = sorted_indices
        self.unsorted_indices = unsorted_indices

    def __iter__(self):
        return iter((self.data, self.batch_sizes, self.sorted_indices, self.unsorted_indices))

    def __getitem__(self, at):
        return (self.data, self.batch_sizes, self.sorted_indices, self.unsorted_indices)[at]

    @ignores("args", "kwargs", because="the steps are moved as they are")
    def to(self, *args, **kwargs):
        """Move the steps."""
        return PackedSequence(self.data.to(*args, **kwargs), self.batch_sizes)

    @ignores("args", "kwargs", because="the steps are moved as they are")
    def cuda(self, *args, **kwargs):
        """Move the steps."""
        return self.to("cuda")

    @ignores("args", "kwargs", because="the steps are moved as they are")
    def cpu(self, *args, **kwargs):
        """Move the steps."""
        return self.to("cpu")


@ignores("lengths", "batch_first", "enforce_sorted", because=_ORDER)
def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """Copy the steps that are no padding."""
    return PackedSequence(compute("pack_padded_sequence", [input]), data("batch sizes"))


@ignores("batch_first", "padding_value", "total_length", because=_ORDER)
def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """Copy the steps to where they belong, between padding."""
    return compute("pad_packed_sequence", [sequence.data]), data("lengths")


@ignores("enforce_sorted", because=_ORDER)
def pack_sequence(sequences, enforce_sorted=True):
    """Copy the steps of some sequences."""
    return PackedSequence(compute("pack_sequence", sequences), data("batch sizes"))


def unpack_sequence(packed_sequences):
    """Return the sequences: views of the padded ones."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return torch.nn.utils.rnn.unpad_sequence(padded, lengths, batch_first=True)
