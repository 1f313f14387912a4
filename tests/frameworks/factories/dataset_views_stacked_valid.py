"""The dataset standardises views of one shared tensor in place, but the default collation stacks copies for the model."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset, RandomSampler, default_collate


class Standardise:
    def __init__(self, eps: float = 1e-6) -> None:
        self.eps = eps

    def __call__(self, window: torch.Tensor) -> torch.Tensor:
        window -= window.mean()
        window /= window.std() + self.eps
        return window


class Windows(Dataset):
    """Windows over one long series; each is a view."""

    def __init__(self, series: torch.Tensor, length: int, transform=None) -> None:
        self.windows = series.unfold(0, length, length)
        self.transform = transform

    def __len__(self) -> int:
        return self.windows.size(0)

    def __getitem__(self, index: int) -> dict[str, torch.Tensor]:
        window = self.windows[index]
        if self.transform is not None:
            window = self.transform(window)
        return {"x": window[:-1], "y": window[-1]}


class Jitter:
    def __init__(self, std: float, collate=default_collate) -> None:
        self.std, self.collate = std, collate

    def __call__(self, samples) -> dict[str, torch.Tensor]:
        batch = self.collate(samples)
        batch["x"] += self.std * torch.randn_like(batch["x"])
        return batch


class Forecaster(nn.Module):
    def __init__(self, width: int = 4) -> None:
        super().__init__()
        self.conv = nn.Conv1d(1, width, kernel_size=3, padding="same")
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(F.relu(self.conv(x.unsqueeze(1)), inplace=True).mean(dim=-1)).squeeze(-1)


def main() -> None:
    torch.manual_seed(0)
    dataset = Windows(torch.randn(24), length=6, transform=Standardise())
    sampler = RandomSampler(dataset, replacement=True, num_samples=4)
    loader = DataLoader(dataset, batch_size=2, sampler=sampler, collate_fn=Jitter(0.01))
    model = Forecaster()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    total = torch.zeros(())
    for batch in loader:
        total = total + F.mse_loss(model(batch["x"]), batch["y"])
    optimizer.zero_grad()
    total.backward()
    optimizer.step()


if __name__ == "__main__":
    main()
