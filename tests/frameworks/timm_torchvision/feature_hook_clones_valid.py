"""A forward hook clones what it records before normalising it in place, so the saved activation stays whole."""

from __future__ import annotations

import timm
import torch
import torch.nn.functional as F
from timm.layers import create_act_layer
from timm.optim import create_optimizer_v2
from timm.scheduler import create_scheduler_v2
from timm.utils import ModelEmaV3, accuracy
from torch import nn


class FeatureTap:
    """Keeps a normalised copy of what a layer gives out."""

    def __init__(self, module: nn.Module) -> None:
        self.features: list[torch.Tensor] = []
        self.handle = module.register_forward_hook(self._record)

    def _record(self, module, args, output) -> None:
        features = output.detach().clone()
        features -= features.mean(dim=0)
        self.features.append(features)

    def __enter__(self) -> FeatureTap:
        return self

    def __exit__(self, *exc) -> None:
        self.handle.remove()


class Classifier(nn.Module):
    def __init__(self, backbone: str, classes: int) -> None:
        super().__init__()
        self.backbone = timm.create_model(
            backbone,
            pretrained=False,
            num_classes=0,
            in_chans=1,
            img_size=16,
            patch_size=8,
            embed_dim=12,
            depth=1,
            num_heads=2,
        )
        self.gate = create_act_layer("sigmoid")
        self.head = nn.Linear(self.backbone.num_features, classes)

    def forward(self, x):
        return self.head(self.gate(self.backbone(x)))


def train_one_epoch(model, batches, optimizer, ema) -> float:
    model.train()
    correct = torch.zeros(())
    for images, target in batches:
        output = model(images)
        loss = F.cross_entropy(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema.update(model)
        correct += accuracy(output.detach(), target)[0]
    return correct.item()


def main() -> None:
    torch.manual_seed(0)
    model = Classifier("vit_tiny_patch16_224", classes=3)
    ema = ModelEmaV3(model, decay=0.99)
    optimizer = create_optimizer_v2(model, opt="adamw", lr=1e-3, weight_decay=0.05)
    scheduler, epochs = create_scheduler_v2(optimizer, sched="cosine", num_epochs=1)
    batches = [(torch.randn(2, 1, 16, 16), torch.randint(3, (2,))) for _ in range(2)]
    with FeatureTap(model.gate) as tap:
        for epoch in range(min(epochs, 1)):
            train_one_epoch(model, batches, optimizer, ema)
            scheduler.step(epoch + 1)
    torch.cat(tap.features).clamp_(-1, 1)


if __name__ == "__main__":
    main()
