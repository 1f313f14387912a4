"""parse_losses adds the losses up, so one update_params walks their common graph once and steps behind it."""

import torch
import torch.nn.functional as F
from mmengine.model import BaseModel
from mmengine.optim import OptimWrapper
from torch import nn


class MultiTask(BaseModel):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(5, 8), nn.GELU())
        self.depth_head, self.label_head = nn.Linear(8, 1), nn.Linear(8, 3)

    def forward(self, inputs, depth=None, labels=None, mode="tensor"):
        features = self.trunk(inputs)
        return {
            "loss_depth": F.l1_loss(self.depth_head(features).squeeze(-1), depth),
            "loss_label": F.cross_entropy(self.label_head(features), labels),
        }

    def train_step(self, data, optim_wrapper):
        with optim_wrapper.optim_context(self):
            losses = self._run_forward(self.data_preprocessor(data, True), mode="loss")
        total, log_vars = self.parse_losses(losses)
        optim_wrapper.update_params(total)
        return log_vars


torch.manual_seed(0)
model = MultiTask()
optim_wrapper = OptimWrapper(torch.optim.SGD(model.parameters(), lr=0.1), accumulative_counts=2)
optim_wrapper.initialize_count_status(model, init_counts=0, max_counts=4)
for _ in range(4):
    data = dict(inputs=torch.randn(4, 5), depth=torch.rand(4), labels=torch.tensor([0, 1, 0, 2]))
    model.train_step(data, optim_wrapper)
