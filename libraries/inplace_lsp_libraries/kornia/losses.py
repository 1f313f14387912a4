"""kornia.losses: differences of images."""

import torch
from inplace_lsp.modelling import compute, ignores
from torch import nn
from torch.nn import functional

DESCRIBES = "kornia 0.7 to 0.9"

_NUMBERS = "they are numbers"


@ignores("window_size", "max_val", "eps", "reduction", "padding", because=_NUMBERS)
def ssim_loss(img1, img2, window_size, max_val=1.0, eps=1e-12, reduction="mean", padding="same"):
    """Compare local means and squares of both images."""
    return compute("ssim", (img1, img2), saves=(img1, img2))


@ignores("max_val", because=_NUMBERS)
def psnr_loss(image, target, max_val):
    """Compare images by their squared difference."""
    return 10.0 * torch.log10(1.0 / functional.mse_loss(image, target, reduction="mean"))


@ignores("reduction", because=_NUMBERS)
def total_variation(img, reduction="sum"):
    """Add up the differences of neighbours."""
    return (img[..., 1:] - img[..., :-1]).abs().sum()


class SSIMLoss(nn.Module):
    """`ssim_loss` as a layer."""

    @ignores("max_val", "eps", "reduction", "padding", because=_NUMBERS)
    def __init__(self, window_size, max_val=1.0, eps=1e-12, reduction="mean", padding="same"):
        super().__init__()
        self.window_size = window_size

    def forward(self, img1, img2):
        """Compare local means and squares of both images."""
        return ssim_loss(img1, img2, self.window_size)
