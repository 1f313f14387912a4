"""A trainer class calls its callbacks between forward and backward; one of them perturbs the weights."""

import torch
from torch import nn


class Callback:
    def on_after_forward(self, trainer):
        pass

    def on_after_backward(self, trainer):
        pass


class WeightNoise(Callback):
    def __init__(self, std):
        self.std = std

    def on_after_forward(self, trainer):
        with torch.no_grad():
            for p in trainer.model.parameters():
                p.add_(torch.randn_like(p) * self.std)  # error: IP101


class Trainer:
    def __init__(self, model, optimizer, loss_fn, callbacks=None):
        self.model = model
        self.optimizer = optimizer
        self.loss_fn = loss_fn
        self.callbacks = callbacks or []

    def _notify(self, hook):
        for callback in self.callbacks:
            getattr(callback, hook)(self)

    def fit(self, batches):
        for x, y in batches:
            loss = self.loss_fn(self.model(x), y)
            self._notify("on_after_forward")
            self.optimizer.zero_grad()
            loss.backward()
            self._notify("on_after_backward")
            self.optimizer.step()


model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
trainer = Trainer(model, torch.optim.Adam(model.parameters()), nn.MSELoss(), callbacks=[WeightNoise(0.01)])
trainer.fit([(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(2)])
