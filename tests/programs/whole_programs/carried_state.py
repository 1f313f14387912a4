"""Hidden state carried over batches."""

import torch
from torch import nn


class LSTMTagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(20, 8)
        self.lstm = nn.LSTM(8, 16, batch_first=True)
        self.fc = nn.Linear(16, 5)
        self.hidden = None

    def forward(self, x):
        e = self.emb(x)
        out, self.hidden = self.lstm(e, self.hidden)
        return self.fc(out)


net = LSTMTagger()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
for i in range(3):
    x = torch.randint(0, 20, (2, 6))
    y = torch.randint(0, 5, (2, 6))
    logits = net(x)
    loss = crit(logits.reshape(-1, 5), y.reshape(-1))
    opt.zero_grad()
    loss.backward()  # error: IP103
    opt.step()
