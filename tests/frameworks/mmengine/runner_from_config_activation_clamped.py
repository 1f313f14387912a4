"""A runner whose model, optimizer and hook are built of one config; the model's loss writes what its head has saved."""

import tempfile
from pathlib import Path

import torch
from mmengine.config import Config
from mmengine.hooks import Hook
from mmengine.model import BaseModel
from mmengine.registry import HOOKS, MODELS
from mmengine.runner import Runner
from torch import nn
from torch.utils.data import DataLoader


@MODELS.register_module(force=True)
class Embedder(BaseModel):
    def __init__(self, dim=4, data_preprocessor=None, init_cfg=None):
        super().__init__(data_preprocessor=data_preprocessor, init_cfg=init_cfg)
        self.fc = nn.Linear(3, dim)
        self.head = nn.Linear(dim, 2)

    def forward(self, x, y=None, mode="tensor"):
        feats = self.fc(x).sigmoid()
        if mode != "loss":
            return self.head(feats)
        logits = self.head(feats)
        feats.clamp_(0.1, 0.9)  # error: IP101
        return {"loss_cls": nn.functional.cross_entropy(logits, y), "loss_reg": feats.mean()}


@HOOKS.register_module(force=True)
class Decay(Hook):
    def after_train_iter(self, runner, batch_idx, data_batch=None, outputs=None):
        for p in runner.model.parameters():
            p.data.mul_(0.999)


cfg = Config(
    {
        "model": {"type": "Embedder", "dim": 4},
        "optim_wrapper": {"type": "OptimWrapper", "optimizer": {"type": "AdamW", "lr": 1e-3}},
        "custom_hooks": [{"type": "Decay", "priority": "LOW"}],
    }
)
with tempfile.TemporaryDirectory() as work:
    runner = Runner(
        model=cfg.model,
        work_dir=work,
        train_dataloader=DataLoader([(torch.randn(3), 1) for _ in range(4)], batch_size=2),
        train_cfg={"by_epoch": True, "max_epochs": 1},
        optim_wrapper=cfg.optim_wrapper,
        custom_hooks=cfg.custom_hooks,
        default_hooks={"logger": None, "checkpoint": None},
        log_level="ERROR",
        experiment_name=Path(work).name,  # a visualizer of its own for each run
    )
    runner.train()
