"""Normalize with inplace=True writes the prompted images after their squares were taken for the penalty."""

import torch
import torch.nn.functional as F
from torch import nn
from torchvision.transforms import v2


class PaddingPrompter(nn.Module):
    """Learns the border of the images, as visual prompting does."""

    def __init__(self, image_size: int, border: int) -> None:
        super().__init__()
        self.border = border
        inner = image_size - 2 * border
        self.pad_up = nn.Parameter(torch.randn(1, 3, border, image_size))
        self.pad_down = nn.Parameter(torch.randn(1, 3, border, image_size))
        self.pad_left = nn.Parameter(torch.randn(1, 3, inner, border))
        self.pad_right = nn.Parameter(torch.randn(1, 3, inner, border))
        self.register_buffer("base", torch.zeros(1, 3, inner, inner))

    def forward(self, x):
        middle = torch.cat([self.pad_left, self.base, self.pad_right], dim=3)
        prompt = torch.cat([self.pad_up, middle, self.pad_down], dim=2)
        return x + prompt.expand(x.size(0), -1, -1, -1)


class FrozenProbe(nn.Module):
    def __init__(self, classes: int) -> None:
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 4, 3, stride=2), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(1))
        self.classifier = nn.Linear(4, classes)
        for param in self.parameters():
            param.requires_grad = False

    def forward(self, x):
        return self.classifier(torch.flatten(self.features(x), 1))


def objective(prompter, probe, normalise, images, targets, weight: float):
    prompted = prompter(images)
    penalty = prompted.square().mean()
    logits = probe(normalise(prompted))  # error: IP101
    return F.cross_entropy(logits, targets) + weight * penalty


def main() -> None:
    torch.manual_seed(0)
    prompter, probe = PaddingPrompter(8, border=2), FrozenProbe(3).eval()
    normalise = v2.Normalize((0.48, 0.46, 0.41), (0.27, 0.26, 0.28), inplace=True)
    optimizer = torch.optim.SGD(prompter.parameters(), lr=1.0)
    loss = objective(prompter, probe, normalise, torch.rand(2, 3, 8, 8), torch.tensor([0, 2]), weight=1e-3)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


if __name__ == "__main__":
    main()
