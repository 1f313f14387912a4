"""kornia.augmentation: each gives a copy of the images, even where it is not applied."""

from inplace_lsp.modelling import compute, ignores
from torch import nn

DESCRIBES = "kornia 0.7 to 0.9"

_HOW = "how the pixels are computed does not matter"


class _Augmentation(nn.Module):
    """Gives a new tensor."""

    @ignores("args", "kwargs", because=_HOW)
    def __init__(self, *args, **kwargs):
        super().__init__()

    @ignores("params", "kwargs", because=_HOW)
    def forward(self, input, params=None, **kwargs):
        """Make new images."""
        return compute("an augmentation", input)


RandomHorizontalFlip = RandomVerticalFlip = RandomAffine = RandomCrop = RandomResizedCrop = _Augmentation
RandomRotation = RandomPerspective = RandomErasing = CenterCrop = Resize = ColorJitter = ColorJiggle = _Augmentation
RandomGrayscale = RandomGaussianBlur = RandomGaussianNoise = RandomSolarize = RandomPosterize = _Augmentation
RandomEqualize = RandomSharpness = RandomInvert = RandomBrightness = RandomContrast = RandomGamma = _Augmentation
RandomHue = RandomSaturation = RandomMotionBlur = RandomElasticTransform = RandomThinPlateSpline = _Augmentation
Normalize = Denormalize = PadTo = _Augmentation


class AugmentationSequential(nn.Sequential):
    """One augmentation after the other, for images and for what belongs to them."""

    @ignores(
        "data_keys",
        "same_on_batch",
        "keepdim",
        "random_apply",
        "random_apply_weights",
        "transformation_matrix_mode",
        "extra_args",
        because=_HOW,
    )
    def __init__(
        self,
        *args,
        data_keys=("input",),
        same_on_batch=None,
        keepdim=None,
        random_apply=False,
        random_apply_weights=None,
        transformation_matrix_mode="silent",
        extra_args=None,
    ):
        super().__init__(*args)

    @ignores("params", "data_keys", because=_HOW)
    def forward(self, *args, params=None, data_keys=None):
        """Apply one augmentation after the other."""
        results = []
        for value in args:
            for module in self:
                value = module(value)
            results.append(value)
        return results[0] if len(results) == 1 else results


ImageSequential = VideoSequential = PatchSequential = AugmentationSequential
