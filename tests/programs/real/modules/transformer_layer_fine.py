"""A stack of encoder layers; positional encodings added in place to the projection."""

import math

import torch
import torch.nn as nn


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=50):
        super().__init__()
        self.dropout = nn.Dropout(0.1)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x):
        x += self.pe[:, : x.size(1)]
        return self.dropout(x)


class Model(nn.Module):
    def __init__(self, vocab=12, d=8):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.pos = PositionalEncoding(d)
        layer = nn.TransformerEncoderLayer(d, nhead=2, dim_feedforward=16, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2)
        self.fc = nn.Linear(d, vocab)

    def forward(self, idx):
        x = self.emb(idx) * math.sqrt(8)
        mask = torch.triu(torch.full((idx.size(1), idx.size(1)), float("-inf")), diagonal=1)
        return self.fc(self.encoder(self.pos(x), mask=mask))


model = Model()
idx = torch.randint(0, 12, (2, 6))
nn.functional.cross_entropy(model(idx).transpose(1, 2), idx).backward()
