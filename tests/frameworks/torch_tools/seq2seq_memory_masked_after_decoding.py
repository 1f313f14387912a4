"""The encoder's memory is zeroed at padded places for an auxiliary loss, after the decoder's cross-attention has kept it."""

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence


class PositionalEncoding(nn.Module):
    def __init__(self, dim: int, max_len: int = 32) -> None:
        super().__init__()
        position = torch.arange(max_len).unsqueeze(1)
        frequency = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
        table = torch.zeros(max_len, 1, dim)
        table[:, 0, 0::2] = torch.sin(position * frequency)
        table[:, 0, 1::2] = torch.cos(position * frequency)
        self.register_buffer("table", table)

    def forward(self, x):
        return x + self.table[: x.size(0)]


class Translator(nn.Module):
    def __init__(self, vocab: int = 12, dim: int = 8) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=0)
        self.position = PositionalEncoding(dim)
        options = {"d_model": dim, "nhead": 2, "dim_feedforward": 16, "dropout": 0.0}
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(**options), num_layers=1)
        self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(**options), num_layers=1)
        self.generator = nn.Linear(dim, vocab)
        self.length = nn.Linear(dim, 1)

    def encode(self, source, padding):
        return self.encoder(self.position(self.embed(source)), src_key_padding_mask=padding)

    def decode(self, target, memory, padding):
        causal = nn.Transformer.generate_square_subsequent_mask(target.size(0))
        embedded = self.position(self.embed(target))
        return self.generator(self.decoder(embedded, memory, tgt_mask=causal, memory_key_padding_mask=padding))

    def predict_length(self, memory, padding):
        memory.masked_fill_(padding.t().unsqueeze(-1), 0.0)  # error: IP101
        return self.length(memory.sum(dim=0)).squeeze(-1)


def loss_of(model, sources, targets):
    source = pad_sequence(sources)
    target = pad_sequence(targets)
    padding = source.eq(0).t()
    memory = model.encode(source, padding)
    logits = model.decode(target[:-1], memory, padding)
    lengths = torch.tensor([len(t) for t in targets], dtype=torch.float)
    token_loss = F.cross_entropy(logits.flatten(0, 1), target[1:].flatten(), ignore_index=0)
    return token_loss + 0.01 * F.l1_loss(model.predict_length(memory, padding), lengths)


if __name__ == "__main__":
    torch.manual_seed(0)
    model = Translator()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    texts = [torch.randint(1, 12, (n,)) for n in (5, 3)]
    loss = loss_of(model, texts, [t.flip(0) for t in texts])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
