import torch
import torch.nn as nn
import torch.nn.functional as F


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(8, 6)
        self.cell = nn.GRUCell(6, 6)
        self.out = nn.Linear(6, 8)

    def forward(self, token, hidden):
        hidden = self.cell(self.embed(token), hidden)
        return self.out(hidden), hidden


def train_sentence(decoder, optimizer, tokens):
    optimizer.zero_grad()
    hidden = torch.zeros(1, 6)
    for i in range(len(tokens) - 1):
        logits, hidden = decoder(tokens[i].view(1), hidden)
        loss = F.cross_entropy(logits, tokens[i + 1].view(1))
        loss.backward()  # error: IP103
    optimizer.step()


def main():
    torch.manual_seed(2)
    decoder = Decoder()
    optimizer = torch.optim.SGD(decoder.parameters(), lr=0.1)
    for _ in range(3):
        train_sentence(decoder, optimizer, torch.randint(0, 8, (5,)))
    return decoder


decoder = main()
