"""The model's train_step runs the preprocessor, the forward in loss mode, backward and the step in that order,
each graph once."""

import torch
import torch.nn.functional as F
from mmengine.model import BaseModel
from mmengine.optim import OptimWrapper
from torch import nn


class Classifier(BaseModel):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.head = nn.Linear(4, 3)

    def forward(self, inputs, labels=None, mode="tensor"):
        inputs -= inputs.mean()
        logits = self.head(self.backbone(inputs))
        if mode == "loss":
            return {"loss": F.cross_entropy(logits, labels), "top1": (logits.argmax(1) == labels).float()}
        return logits if mode == "tensor" else logits.argmax(1)


torch.manual_seed(0)
model = Classifier()
optim_wrapper = OptimWrapper(torch.optim.SGD(model.parameters(), lr=0.1), clip_grad=dict(max_norm=1.0))
for _ in range(2):
    data = {"inputs": torch.randn(2, 1, 6, 6), "labels": torch.tensor([0, 2])}
    log_vars = model.train_step(data, optim_wrapper)
    log_vars["loss"].detach().mul_(2.0)
