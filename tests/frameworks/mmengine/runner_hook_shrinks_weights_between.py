"""A hook of the runner's changes the weights after every iteration, but two iterations share one walk back."""

import tempfile
from pathlib import Path

import torch
from mmengine.hooks import Hook
from mmengine.model import BaseModel
from mmengine.runner import Runner
from torch import nn
from torch.utils.data import DataLoader


class Net(BaseModel):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(3, 4)
        self.fc2 = nn.Linear(4, 1)
        self.cache = []

    def forward(self, x, mode="tensor"):
        return self.fc2(torch.tanh(self.fc1(x))).mean()

    def train_step(self, data, optim_wrapper):
        self.cache.append(self(torch.stack(list(data))))
        if len(self.cache) == 2:
            optim_wrapper.update_params(sum(self.cache))
            self.cache.clear()
        return {"loss": torch.zeros(())}


class Shrink(Hook):
    def after_train_iter(self, runner, batch_idx, data_batch=None, outputs=None):
        with torch.no_grad():
            for p in runner.model.parameters():
                p.mul_(0.99)  # error: IP101


with tempfile.TemporaryDirectory() as work:
    runner = Runner(
        model=Net(),
        work_dir=work,
        train_dataloader=DataLoader([torch.randn(3) for _ in range(4)], batch_size=2),
        train_cfg={"by_epoch": True, "max_epochs": 1},
        optim_wrapper={"optimizer": {"type": "SGD", "lr": 0.1}},
        custom_hooks=[Shrink()],
        default_hooks={"logger": None, "checkpoint": None},
        log_level="ERROR",
        experiment_name=Path(work).name,  # a visualizer of its own for each run
    )
    runner.train()
