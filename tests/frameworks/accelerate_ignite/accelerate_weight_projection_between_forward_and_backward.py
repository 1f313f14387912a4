"""The unit-norm projection of the unwrapped head runs between the forward and accelerator.backward."""

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class CosineHead(nn.Module):
    """ArcFace-like classifier whose rows are kept on the unit sphere."""

    def __init__(self, dim: int, classes: int, scale: float = 8.0) -> None:
        super().__init__()
        self.weight = nn.Parameter(F.normalize(torch.randn(classes, dim), dim=-1))
        self.scale = scale

    def forward(self, features):
        return self.scale * F.linear(F.normalize(features, dim=-1), self.weight)

    @torch.no_grad()
    def project(self) -> None:
        norms = self.weight.norm(dim=-1, keepdim=True).clamp_min(1e-8)
        self.weight.div_(norms)  # error: IP101


class FaceNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.PReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.head = CosineHead(4, 3)

    def forward(self, images):
        return self.head(self.stem(images))


def train_one_epoch(accelerator, model, loader, optimizer, scheduler) -> float:
    running = torch.zeros(())
    for images, targets in loader:
        optimizer.zero_grad(set_to_none=True)
        with accelerator.autocast():
            loss = F.cross_entropy(model(images), targets)
        accelerator.unwrap_model(model).head.project()
        accelerator.backward(loss)
        optimizer.step()
        scheduler.step()
        running += loss.detach()
    return running.item()


if __name__ == "__main__":
    set_seed(0)
    accelerator = Accelerator(cpu=True)
    net = FaceNet()
    sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(sgd, T_max=4)
    images = TensorDataset(torch.randn(4, 1, 5, 5), torch.randint(0, 3, (4,)))
    prepared = accelerator.prepare(net, DataLoader(images, batch_size=2), sgd, cosine)
    train_one_epoch(accelerator, *prepared)
