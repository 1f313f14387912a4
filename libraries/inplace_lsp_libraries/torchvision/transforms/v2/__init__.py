"""torchvision.transforms.v2: augmentations, some of which give views of the images or write them."""

import torch
from inplace_lsp.modelling import compute, data, ignores, is_known
from torch import nn
from torchvision.transforms.functional import center_crop, erase, normalize

DESCRIBES = "torchvision 0.20 to 0.28"

_CHANCE = "it may be applied, and what may happen counts"
_HOW = "how the pixels are computed does not matter"


class Transform(nn.Module):
    """Transforms all tensors in what it is given; of pictures that are no tensors it makes data."""

    def forward(self, *inputs):
        """Transform the images."""
        return (
            self._transform_part(inputs[0])
            if len(inputs) == 1
            else tuple(self._transform_part(part) for part in inputs)
        )

    def _transform_part(self, image):
        """Transform what is a tensor, and leave numbers and names as they are."""
        if not is_known(image):
            return data("an image")
        if isinstance(image, dict):
            return {name: self._transform_part(part) for name, part in image.items()}
        if isinstance(image, (list, tuple)):
            return [self._transform_part(part) for part in image]
        return self.transform(image, {}) if isinstance(image, torch.Tensor) else image

    @ignores("params", because=_HOW)
    def transform(self, inpt, params):
        """Make a new image."""
        return compute("a transform", inpt)


class _Copy(Transform):
    """Makes a new image."""

    @ignores("args", "kwargs", because=_HOW)
    def __init__(self, *args, **kwargs):
        super().__init__()


ColorJitter = _Copy
Grayscale = RandomGrayscale = RandomAdjustSharpness = RandomAutocontrast = RandomEqualize = RandomInvert = _Copy
RandomPhotometricDistort = RandomPosterize = RandomSolarize = RandomChannelPermutation = RGB = JPEG = _Copy
AutoAugment = RandAugment = TrivialAugmentWide = AugMix = ElasticTransform = Pad = RandomAffine = _Copy
RandomPerspective = RandomResize = RandomResizedCrop = RandomRotation = RandomShortestSize = RandomZoomOut = _Copy
RandomHorizontalFlip = RandomVerticalFlip = Resize = ScaleJitter = GaussianBlur = GaussianNoise = _Copy
LinearTransformation = RandomIoUCrop = CutMix = MixUp = _Copy


class _Conversion(nn.Module):
    """Makes a tensor of a picture."""

    @ignores("args", because=_HOW)
    def __init__(self, *args):
        super().__init__()

    def forward(self, pic):
        """Make a tensor of a picture."""
        return pic if is_known(pic) else data("an image")


ToTensor = _Conversion
PILToTensor = ToImage = ToPILImage = ToPureTensor = Identity = SanitizeBoundingBoxes = ClampBoundingBoxes = _Conversion
UniformTemporalSubsample = ConvertBoundingBoxFormat = _Conversion


class ToDtype(Transform):
    """Changes the type of the elements; the image itself where it has that type."""

    @ignores("scale", because=_HOW)
    def __init__(self, dtype, scale=False):
        super().__init__()
        self.dtype = dtype

    @ignores("params", because=_HOW)
    def transform(self, inpt, params):
        """Change the type of the elements."""
        return inpt.to(self.dtype)


class ConvertImageDtype(ToDtype):
    """The same with a default."""

    def __init__(self, dtype=torch.float32):
        super().__init__(dtype)


class CenterCrop(Transform):
    """Gives a view of the image."""

    def __init__(self, size):
        super().__init__()
        self.size = size

    @ignores("params", because=_HOW)
    def transform(self, inpt, params):
        """Take a view of a part of the image."""
        return center_crop(inpt, self.size)


class RandomCrop(CenterCrop):
    """Gives a view of the image, unless it pads it."""

    @ignores("pad_if_needed", "fill", "padding_mode", because=_CHANCE)
    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
        super().__init__(size)
        self.padding = padding

    @ignores("params", because=_HOW)
    def transform(self, inpt, params):
        """Take a view of a part of the image."""
        return center_crop(inpt if self.padding is None else compute("pad", inpt), self.size)


class Normalize(Transform):
    """Normalises the channels, in place if told so."""

    def __init__(self, mean, std, inplace=False):
        super().__init__()
        self.mean = mean
        self.std = std
        self.inplace = inplace

    @ignores("params", because=_HOW)
    def transform(self, inpt, params):
        """Normalise the channels."""
        return normalize(inpt, self.mean, self.std, self.inplace)


class RandomErasing(Transform):
    """Fills a rectangle, in place if told so."""

    @ignores("scale", "ratio", "value", because=_HOW)
    def __init__(self, p=0.5, scale=(0.02, 0.33), ratio=(0.3, 3.3), value=0.0, inplace=False):
        super().__init__()
        self.p = p
        self.inplace = inplace

    @ignores("params", because=_HOW)
    def transform(self, inpt, params):
        """Fill a rectangle."""
        return inpt if self.p == 0 else erase(inpt, 0, 0, 1, 1, 0.0, self.inplace)


class Lambda(nn.Module):
    """Calls a function."""

    @ignores("types", because="it is called with tensors")
    def __init__(self, lambd, *types):
        super().__init__()
        self.lambd = lambd

    def forward(self, *inputs):
        """Call the function."""
        return self.lambd(*inputs)


class Compose(nn.Module):
    """One transform after the other."""

    def __init__(self, transforms):
        super().__init__()
        self.transforms = transforms

    def forward(self, *inputs):
        """Apply one transform after the other."""
        for transform in self.transforms:
            result = transform(*inputs)
            inputs = result if len(inputs) > 1 else (result,)
        return inputs if len(inputs) > 1 else inputs[0]


class RandomApply(Compose):
    """All transforms, or none."""

    @ignores("p", because=_CHANCE)
    def __init__(self, transforms, p=0.5):
        super().__init__(transforms)


class RandomOrder(Compose):
    """All transforms, in any order."""


class RandomChoice(Compose):
    """One of the transforms: each is applied to the images, the last one's result counts."""

    @ignores("p", because=_CHANCE)
    def __init__(self, transforms, p=None):
        super().__init__(transforms)

    def forward(self, *inputs):
        """Apply each transform."""
        for transform in self.transforms:
            result = transform(*inputs)
        return result
