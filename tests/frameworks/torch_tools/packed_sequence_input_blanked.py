"""The packed input of a recurrent layer is overwritten before backward: the layer has saved its steps as they are."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(3, 4, batch_first=True)
        self.head = nn.Linear(4, 2)

    def forward(self, words, lengths):
        packed = pack_padded_sequence(words * 1.0, lengths, batch_first=True)
        output, _ = self.rnn(packed)
        packed.data.zero_()  # error: IP101
        padded, _ = pad_packed_sequence(output, batch_first=True)
        return self.head(padded)


net = Tagger()
net(torch.rand(2, 5, 3), [5, 3]).sum().backward()
