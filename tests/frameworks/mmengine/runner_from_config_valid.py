"""A runner made by `from_cfg`, with a hook that changes weights before each iteration and one without any harm."""

import tempfile
from pathlib import Path

import torch
from mmengine.hooks import Hook
from mmengine.model import BaseModel
from mmengine.registry import DATASETS, HOOKS, MODELS
from mmengine.runner import Runner
from torch import nn
from torch.utils.data import Dataset


@MODELS.register_module(force=True)
class Regressor(BaseModel):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, dim), nn.ReLU(inplace=True), nn.Linear(dim, 1))

    def forward(self, x, y=None, mode="tensor"):
        out = self.net(x)
        out += 1
        return {"loss": (out - y).pow(2).mean()} if mode == "loss" else out


@DATASETS.register_module(force=True)
class Points(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return torch.randn(3), torch.ones(1)


@HOOKS.register_module(force=True)
class Clip(Hook):
    priority = "VERY_HIGH"

    def before_train_iter(self, runner, batch_idx, data_batch=None):
        with torch.no_grad():
            for p in runner.model.parameters():
                p.clamp_(-1, 1)

    def after_train_iter(self, runner, batch_idx, data_batch=None, outputs=None):
        data_batch[0].zero_()


with tempfile.TemporaryDirectory() as work:
    cfg = {
        "model": {"type": "Regressor", "dim": 4},
        "work_dir": work,
        "train_dataloader": {
            "dataset": {"type": "Points"},
            "batch_size": 2,
            "sampler": {"type": "DefaultSampler", "shuffle": False},
            "collate_fn": {"type": "default_collate"},
        },
        "train_cfg": {"by_epoch": True, "max_epochs": 1},
        "optim_wrapper": {"optimizer": {"type": "SGD", "lr": 0.1}, "clip_grad": {"max_norm": 1.0}},
        "custom_hooks": [{"type": "Clip"}, {"type": "EmptyCacheHook"}],
        "default_hooks": {"logger": None, "checkpoint": None},
        "log_level": "ERROR",
        "experiment_name": Path(work).name,  # a visualizer of its own for each run
    }
    Runner.from_cfg(cfg).train()
