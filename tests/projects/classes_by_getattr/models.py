"""Networks that a script chooses by name; a probability is 0 unless somebody says otherwise."""

import torch
from torch import nn
from torch.nn import functional as F


class Recurrent(nn.Module):
    def __init__(self, words, width, classes, dropout=0.0):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.rnn = nn.LSTM(width, width, batch_first=True)
        self.gate = nn.Linear(width, width)
        self.last = nn.Linear(width, classes)
        self.dropout = dropout

    def forward(self, ids):
        states, _ = self.rnn(self.embed(ids))
        gate = torch.sigmoid(self.gate(states))
        if self.dropout > 0:
            gate = F.dropout(gate, self.dropout, self.training, inplace=True)  # error: IP101
        return self.last((gate * states).mean(1))


class Convolved(nn.Module):
    def __init__(self, words, width, classes, dropout=0.0):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.conv = nn.Conv1d(width, width, 3, padding=1)
        self.dropout = nn.Dropout(dropout)
        self.last = nn.Linear(width, classes)

    def forward(self, ids):
        states = self.conv(self.embed(ids).transpose(1, 2)).relu()
        return self.last(self.dropout(states).mean(2))
