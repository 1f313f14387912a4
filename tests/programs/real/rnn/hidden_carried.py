"""A language model carries its hidden state over batches without detaching it."""

import torch
import torch.nn as nn


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid):
        super().__init__()
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.GRU(ninp, nhid)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid = nhid

    def forward(self, input, hidden):
        emb = self.encoder(input)
        output, hidden = self.rnn(emb, hidden)
        return self.decoder(output), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return weight.new_zeros(1, bsz, self.nhid)


def repackage_hidden(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


model = RNNModel(10, 4, 6)
criterion = nn.CrossEntropyLoss()
data = torch.randint(0, 10, (9, 2))


def train():
    model.train()
    hidden = model.init_hidden(2)
    for i in range(0, data.size(0) - 1, 4):
        inputs, targets = data[i : i + 4], data[i + 1 : i + 5]
        model.zero_grad()
        output, hidden = model(inputs, hidden)
        loss = criterion(output.view(-1, 10), targets.reshape(-1))
        loss.backward()  # error: IP103
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-0.1)


train()
