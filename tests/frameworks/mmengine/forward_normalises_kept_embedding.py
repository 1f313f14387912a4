"""The forward in loss mode rescales the embedding in place for a second loss after the first loss has kept it."""

import torch
import torch.nn.functional as F
from mmengine.model import BaseModel
from mmengine.optim import OptimWrapper
from torch import nn


class Embedder(BaseModel):
    def __init__(self, temperature=0.1):
        super().__init__()
        self.temperature = temperature
        self.encoder = nn.Sequential(nn.Linear(5, 8), nn.ReLU(inplace=True), nn.Linear(8, 4))
        self.classifier = nn.Linear(4, 3)

    def forward(self, inputs, labels=None, mode="tensor"):
        embedding = self.encoder(inputs)
        if mode == "tensor":
            return embedding
        losses = {"loss_cls": F.cross_entropy(self.classifier(embedding), labels)}
        embedding /= embedding.detach().norm(dim=-1, keepdim=True)  # error: IP101
        similarity = embedding @ embedding.t() / self.temperature
        losses["loss_sim"] = F.binary_cross_entropy_with_logits(similarity, (labels[:, None] == labels).float())
        return losses


torch.manual_seed(0)
model = Embedder()
optim_wrapper = OptimWrapper(optimizer=torch.optim.AdamW(model.parameters(), lr=1e-3))
data = dict(inputs=torch.randn(4, 5), labels=torch.tensor([0, 1, 0, 2]))
model.train_step(data, optim_wrapper)
