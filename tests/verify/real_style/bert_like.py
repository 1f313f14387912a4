from dataclasses import dataclass
from typing import Optional, Tuple

import torch
from torch import nn


@dataclass
class EncoderConfig:
    vocab_size: int = 1000
    hidden_size: int = 64
    num_attention_heads: int = 4
    num_hidden_layers: int = 2
    max_position_embeddings: int = 128
    layer_norm_eps: float = 1e-12


class SelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.num_heads = config.num_attention_heads
        self.head_dim = config.hidden_size // config.num_attention_heads
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key = nn.Linear(config.hidden_size, config.hidden_size)
        self.value = nn.Linear(config.hidden_size, config.hidden_size)

    def split(self, x):
        return x.view(*x.shape[:-1], self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, hidden_states, attention_mask=None):
        q, k, v = (self.split(layer(hidden_states)) for layer in (self.query, self.key, self.value))
        scores = q @ k.transpose(-1, -2) / self.head_dim**0.5
        if attention_mask is not None:
            scores = scores + attention_mask
        probs = scores.softmax(dim=-1)
        probs *= 0.9  # confirmed, repaired: probs = probs * 0.9
        out = (probs @ v).transpose(1, 2)
        return out.reshape(*hidden_states.shape)


class Encoder(nn.Module):
    def __init__(self, config: EncoderConfig):
        super().__init__()
        self.config = config
        self.word = nn.Embedding(config.vocab_size, config.hidden_size)
        self.position = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.layers = nn.ModuleList(SelfAttention(config) for _ in range(config.num_hidden_layers))

    def forward(self, input_ids, attention_mask=None, return_dict=True):
        positions = torch.arange(input_ids.size(1), device=input_ids.device)
        x = self.word(input_ids) + self.position(positions)
        bias = None
        if attention_mask is not None:
            bias = (1.0 - attention_mask[:, None, None, :].to(x.dtype)) * -1e4
        for layer in self.layers:
            x = x + layer(x, bias)
        return (x, x[:, 0])
