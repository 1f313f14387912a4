"""The dataset hands out views of one shared tensor, and a transform rescales them in place while a convolution still keeps them."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Standardise:
    def __init__(self, eps: float = 1e-6) -> None:
        self.eps = eps

    def __call__(self, window: torch.Tensor) -> torch.Tensor:
        window -= window.mean()  # error: IP101
        window /= window.std() + self.eps  # error: IP101
        return window


class Windows(Dataset):
    """Windows over one long series; each is a view."""

    def __init__(self, series: torch.Tensor, length: int, transform=None) -> None:
        self.windows = series.unfold(0, length, length)
        self.transform = transform

    def __len__(self) -> int:
        return self.windows.size(0)

    def __getitem__(self, index: int) -> torch.Tensor:
        window = self.windows[index]
        return self.transform(window) if self.transform else window


class Forecaster(nn.Module):
    def __init__(self, width: int = 4) -> None:
        super().__init__()
        self.conv = nn.Conv1d(1, width, kernel_size=3, padding="same")
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(F.relu(self.conv(x.unsqueeze(1))).mean(dim=-1)).squeeze(-1)


def first(items):
    """Batches of one need no stacking."""
    return items[0].unsqueeze(0)


def consecutive_loss(model, loader) -> torch.Tensor:
    """Neighbouring windows, read in two passes, should get like forecasts."""
    loss = torch.zeros(())
    for anchor, positive in zip(loader, loader):
        loss = loss + F.smooth_l1_loss(model(anchor), model(positive))
    return loss


def main() -> None:
    torch.manual_seed(0)
    dataset = Windows(torch.randn(18), length=6, transform=Standardise())
    loader = DataLoader(dataset, batch_size=1, collate_fn=first)
    model = Forecaster()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    loss = consecutive_loss(model, loader)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


if __name__ == "__main__":
    main()
