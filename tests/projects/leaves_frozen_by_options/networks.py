"""Networks whose layers an option freezes."""

from torch import nn


class Tagger(nn.Module):
    def __init__(self, words, width, freeze):
        super().__init__()
        self.emb = nn.Embedding(words, width)
        if freeze:
            self.emb.weight.requires_grad = False
        self.out = nn.Linear(width, 2)

    def forward(self, ids):
        return self.out(self.emb(ids))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])
        self.head = nn.Linear(4, 2)

    def freeze_layers(self):
        for layer in self.layers:
            layer.requires_grad_(False)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return self.head(x)
