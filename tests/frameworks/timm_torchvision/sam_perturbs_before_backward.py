"""A sharpness-aware step perturbs the weights in place between the second forward and its backward."""

from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import nn
from torchvision.models import resnet18
from torchvision.transforms import v2


class SAM:
    def __init__(self, params, base, rho: float = 0.05, **kwargs) -> None:
        self.params = [p for p in params if p.requires_grad]
        self.base = base(self.params, **kwargs)
        self.rho = rho

    def grad_norm(self) -> torch.Tensor:
        return torch.stack([p.grad.norm() for p in self.params if p.grad is not None]).norm()

    @contextmanager
    def perturbed(self):
        with torch.no_grad():
            scale = self.rho / (self.grad_norm() + 1e-12)
            shifts = [p.grad * scale if p.grad is not None else torch.zeros_like(p) for p in self.params]
            for param, shift in zip(self.params, shifts):
                param += shift
        self.base.zero_grad()
        yield
        with torch.no_grad():
            for param, shift in zip(self.params, shifts):
                param -= shift  # error: IP101

    def step(self) -> None:
        self.base.step()


class Finetune(nn.Module):
    def __init__(self, classes: int) -> None:
        super().__init__()
        self.backbone = resnet18(weights=None)
        self.backbone.requires_grad_(False)
        self.backbone.eval()
        self.backbone.fc = nn.Sequential(nn.Linear(512, 8), nn.ReLU(inplace=True), nn.Linear(8, classes))

    def forward(self, x):
        return self.backbone(x)


def train_step(model, optimizer: SAM, images, targets) -> None:
    F.cross_entropy(model(images), targets).backward()
    with optimizer.perturbed():
        loss = F.cross_entropy(model(images), targets)
    loss.backward()
    optimizer.step()


def main() -> None:
    torch.manual_seed(0)
    augment = v2.Compose([v2.RandomHorizontalFlip(), v2.Normalize(mean=[0.5] * 3, std=[0.25] * 3)])
    model = Finetune(classes=2)
    optimizer = SAM(model.parameters(), torch.optim.SGD, lr=0.1, momentum=0.9)
    train_step(model, optimizer, augment(torch.rand(2, 3, 32, 32)), torch.tensor([0, 1]))


if __name__ == "__main__":
    main()
