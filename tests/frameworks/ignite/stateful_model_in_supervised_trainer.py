"""The model carries its hidden state with its graph, so the supervised trainer's second backward reaches the first, freed graph."""

import torch
from ignite.engine import Events, create_supervised_trainer
from torch import nn


class StatefulGRU(nn.Module):
    def __init__(self, features=3, hidden=6):
        super().__init__()
        self.gru = nn.GRU(features, hidden, batch_first=True)
        self.head = nn.Linear(hidden, features)
        self.hidden = None

    def reset(self):
        self.hidden = None

    def forward(self, x):
        out, self.hidden = self.gru(x, self.hidden)
        return self.head(out)


model = StatefulGRU()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
trainer = create_supervised_trainer(model, optimizer, nn.SmoothL1Loss())
trainer.add_event_handler(Events.EPOCH_STARTED, lambda engine: model.reset())

series = torch.randn(2, 9, 3)
data = [(part[:, :-1], part[:, 1:]) for part in series.split(3, dim=1)]
trainer.run(data, max_epochs=1)  # error: IP103
