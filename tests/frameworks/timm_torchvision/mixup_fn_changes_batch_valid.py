"""timm's Mixup and random erasing rewrite the input batch in place before the forward, and inputs that need no gradient may change."""

import random

import numpy as np
import torch
from timm.data.mixup import Mixup
from timm.data.random_erasing import RandomErasing
from timm.loss import SoftTargetCrossEntropy
from timm.models.mlp_mixer import MlpMixer
from timm.optim import create_optimizer_v2, param_groups_weight_decay
from timm.utils import AverageMeter, dispatch_clip_grad
from torch.utils.data import DataLoader, TensorDataset


class PrefetchLikeLoader:
    """Normalises and erases each batch in place, as the prefetching loader does."""

    def __init__(self, loader, mean, std, re_prob: float) -> None:
        self.loader = loader
        self.mean = torch.tensor(mean).view(1, -1, 1, 1) * 255
        self.std = torch.tensor(std).view(1, -1, 1, 1) * 255
        self.random_erasing = RandomErasing(probability=re_prob, mode="pixel", device="cpu")

    def __iter__(self):
        for images, target in self.loader:
            images = images.float().sub_(self.mean).div_(self.std)
            yield self.random_erasing(images), target

    def __len__(self):
        return len(self.loader)


def main() -> None:
    for seed in (random.seed, np.random.seed, torch.manual_seed):
        seed(0)
    model = MlpMixer(num_classes=4, img_size=16, patch_size=8, num_blocks=1, embed_dim=8, drop_path_rate=0.1)
    images = torch.randint(0, 256, (4, 3, 16, 16), dtype=torch.uint8)
    loader = PrefetchLikeLoader(
        DataLoader(TensorDataset(images, torch.randint(4, (4,))), batch_size=2),
        mean=(0.485, 0.456, 0.406),
        std=(0.229, 0.224, 0.225),
        re_prob=1.0,
    )
    mixup_fn = Mixup(mixup_alpha=0.2, cutmix_alpha=1.0, prob=1.0, num_classes=4)
    optimizer = create_optimizer_v2(param_groups_weight_decay(model, 0.05), opt="sgd", lr=0.1, momentum=0.9)
    criterion, losses = SoftTargetCrossEntropy(), AverageMeter()
    model.train()
    for input_, target in loader:
        input_, target = mixup_fn(input_, target)
        loss = criterion(model(input_), target)
        optimizer.zero_grad()
        loss.backward()
        dispatch_clip_grad(model.parameters(), value=1.0, mode="norm")
        optimizer.step()
        losses.update(loss.item(), input_.size(0))


if __name__ == "__main__":
    main()
