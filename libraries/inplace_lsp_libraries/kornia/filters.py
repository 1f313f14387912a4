"""kornia.filters: images filtered by convolutions of padded copies."""

from inplace_lsp.modelling import compute, ignores
from torch import nn

DESCRIBES = "kornia 0.7 to 0.9"

_KERNEL = "the kernel is a constant"


@ignores("normalized", "eps", because=_KERNEL)
def sobel(input, normalized=True, eps=1e-06):
    """Take the root of the sum of both squared gradients, which is kept."""
    gradients = compute("conv3d", input)
    return compute("sqrt", compute("mul", gradients, saves=gradients), saves_result=True)


class Sobel(nn.Module):
    """`sobel` as a layer."""

    @ignores("normalized", "eps", because=_KERNEL)
    def __init__(self, normalized=True, eps=1e-06):
        super().__init__()

    def forward(self, input):
        """Take the root of the sum of both squared gradients."""
        return sobel(input)


@ignores("args", "kwargs", because=_KERNEL)
def _filter_padded(input, *args, **kwargs):
    """Filter a padded copy."""
    return compute("conv2d", input)


gaussian_blur2d = box_blur = median_blur = laplacian = unsharp_mask = filter2d = filter2d_separable = filter3d = (
    _filter_padded
)
spatial_gradient = spatial_gradient3d = motion_blur = max_blur_pool2d = blur_pool2d = _filter_padded


class _Filter(nn.Module):
    """A filter as a layer."""

    @ignores("args", "kwargs", because=_KERNEL)
    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        """Filter a padded copy."""
        return compute("conv2d", input)


GaussianBlur2d = BoxBlur = MedianBlur = Laplacian = UnsharpMask = SpatialGradient = MotionBlur = _Filter
