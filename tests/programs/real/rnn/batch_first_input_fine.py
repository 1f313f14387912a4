"""With batch_first, recurrent nets and attention keep a transposed copy of their input: the input may be written."""

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, vocabulary, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.lstm = nn.LSTM(dim, dim // 2, batch_first=True, bidirectional=True)
        self.attention = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.out = nn.Linear(dim, 3)

    def forward(self, ids, lengths):
        x = self.embedding(ids)
        x += self.rnn(x)[0]
        states, _ = self.lstm(x)
        for row, length in enumerate(lengths):
            states[row, length:] = 0
        x += states
        x += self.attention(x, x, x)[0]
        return self.out(x)


tagger = Tagger(20, 8)
tagger(torch.randint(0, 20, (2, 5)), [5, 3]).sum().backward()
