import types

import models
import torch

OPTIONS = types.SimpleNamespace(
    width=4, dropout=False, classes=2, init_type="normal", init_gain=0.02, gpu_ids=[], lr=1e-3
)


def train(model):
    model.set_input({"real": torch.randn(1, 3, 8, 8), "labels": torch.zeros(1, 8, 8, dtype=torch.long)})
    model.optimize_parameters()


def raises_early_steps():
    train(models.EarlySteps(OPTIONS))


def runs_late_steps():
    train(models.LateSteps(OPTIONS))
