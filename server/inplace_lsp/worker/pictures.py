"""Made-up pictures, where the files or the library that would read them are missing: what PIL's images, torchvision's
transforms and OpenCV's functions do to them, as far as sizes and channels go."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.nn import functional

from inplace_lsp.worker import arrays

HEIGHT, WIDTH = 96, 128
"""The size of a picture of which nothing is known: larger than what programs crop, and no square."""
_CHANNELS = {"1": 1, "L": 1, "P": 1, "I": 1, "F": 1, "RGBA": 4, "CMYK": 4}
_MODES = {1: "L", 4: "RGBA"}
sizes_asked_for: list[tuple[int, int]] = []
"""The heights and widths to which transforms of the program change pictures."""


class Picture:
    """A picture as PIL has it, of random pixels. `pixels`: channels, rows and columns, from 0 to 1."""

    def __init__(self, pixels: torch.Tensor) -> None:
        self.pixels = pixels

    @property
    def mode(self) -> str:
        """The kind of the pixels."""
        return _MODES.get(len(self.pixels), "RGB")

    @property
    def size(self) -> tuple[int, int]:
        """The width and the height."""
        return self.width, self.height

    @property
    def width(self) -> int:
        """The number of columns."""
        return int(self.pixels.shape[2])

    @property
    def height(self) -> int:
        """The number of rows."""
        return int(self.pixels.shape[1])

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array of it."""
        return tuple(self.to_bytes().shape)

    def convert(self, mode: str = "RGB", *_how: object, **_named: object) -> Picture:
        """Return the picture with the channels of a mode."""
        channels = _CHANNELS.get(mode, 3)
        return Picture(
            self.pixels[:1].expand(channels, -1, -1).clone() if channels != len(self.pixels) else self.pixels
        )

    def resize(self, size: Sequence[int], *_how: object, **_named: object) -> Picture:
        """Return the picture in another width and height."""
        return Picture(_scale(self.pixels, int(size[1]), int(size[0])))

    def crop(self, box: Sequence[float]) -> Picture:
        """Return the part in a box: left, top, right, bottom."""
        left, top, right, bottom = map(int, box)
        return Picture(_cut(self.pixels, top, left, bottom - top, right - left))

    def copy(self, *_how: object, **_named: object) -> Picture:
        """Return the picture."""
        return self

    rotate = transpose = filter = load = copy

    def save(self, *_where: object, **_named: object) -> None:
        """Save nothing."""

    close = verify = save

    def __enter__(self) -> Picture:
        return self

    def __exit__(self, *_error: object) -> None:
        return None

    def to_bytes(self) -> torch.Tensor:
        """Return the pixels as whole numbers up to 255: rows, columns, and channels if there are several."""
        whole = (self.pixels * 255).to(torch.uint8)
        return whole[0].clone() if len(whole) == 1 else whole.permute(1, 2, 0).contiguous()

    def __array__(self, *_how: object, **_named: object) -> object:
        return arrays.array_over(self.to_bytes())


def make_picture(channels: int = 3, height: int = HEIGHT, width: int = WIDTH) -> Picture:
    """Return a picture of random pixels."""
    return Picture(torch.rand(channels, height, width))


def _scale(pixels: torch.Tensor, height: int, width: int) -> torch.Tensor:
    return functional.interpolate(pixels[None].float(), (height, width))[0]


def _cut(pixels: torch.Tensor, top: int, left: int, height: int, width: int) -> torch.Tensor:
    """Return a part of the pixels; what lies outside is black."""
    padding = [
        max(0, -left),
        max(0, left + width - pixels.shape[-1]),
        max(0, -top),
        max(0, top + height - pixels.shape[-2]),
    ]
    padded = functional.pad(pixels, padding)
    top, left = max(0, top), max(0, left)
    return padded[..., top : top + height, left : left + width]


# What torchvision.transforms has


def _on_pixels(change: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[Any], Any]:
    """Return a change of pixels as one of pictures and tensors."""

    def changed(given: Any) -> Any:
        return Picture(change(given.pixels)) if isinstance(given, Picture) else change(given)

    return changed


def _pair(size: Any) -> tuple[int, int]:
    """Return a height and a width."""
    return (int(size), int(size)) if isinstance(size, (int, float)) else (int(size[0]), int(size[-1]))


def _resize(size: Any, *_how: object, **_named: object) -> Callable[[Any], Any]:
    sizes_asked_for.append(_pair(size))

    def resized(pixels: torch.Tensor) -> torch.Tensor:
        height, width = pixels.shape[-2:]
        if isinstance(size, int):  # of the shorter side
            share = size / min(height, width)
            return _scale(pixels, max(1, round(height * share)), max(1, round(width * share)))
        return _scale(pixels, *_pair(size))

    return _on_pixels(resized)


def _crop(size: Any, *_how: object, **_named: object) -> Callable[[Any], Any]:
    sizes_asked_for.append(_pair(size))

    def cropped(pixels: torch.Tensor) -> torch.Tensor:
        height, width = _pair(size)
        return _cut(pixels, (pixels.shape[-2] - height) // 2, (pixels.shape[-1] - width) // 2, height, width)

    return _on_pixels(cropped)


def _resized_crop(size: Any, *_how: object, **_named: object) -> Callable[[Any], Any]:
    sizes_asked_for.append(_pair(size))
    return _on_pixels(lambda pixels: _scale(pixels, *_pair(size)))


def _compose(changes: Sequence[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    def composed(given: Any) -> Any:
        for change in changes:
            given = change(given)
        return given

    return composed


def to_tensor(given: Any) -> Any:
    """Do what `ToTensor` does: return channels, rows and columns of numbers from 0 to 1."""
    if isinstance(given, Picture):
        return given.pixels.clone()
    if isinstance(given, torch.Tensor):
        return given
    tensor = torch.as_tensor(arrays.tensor_over(given))
    tensor = tensor[:, :, None] if tensor.dim() == 2 else tensor
    scaled = tensor.float() / 255 if tensor.dtype == torch.uint8 else tensor
    return scaled.permute(2, 0, 1).contiguous()


def _normalize(mean: Any, std: Any, *_how: object, **_named: object) -> Callable[[Any], Any]:
    def normalized(tensor: torch.Tensor) -> torch.Tensor:
        first, second = (torch.as_tensor(one, dtype=tensor.dtype).reshape(-1, 1, 1) for one in (mean, std))
        return (tensor - first) / second

    return normalized


def _grayscale(channels: int = 1, *, num_output_channels: int = 0) -> Callable[[Any], Any]:
    return _on_pixels(
        lambda pixels: pixels[..., :1, :, :].expand(*pixels.shape[:-3], num_output_channels or channels, -1, -1).clone()
    )


def _keep(*_how: object, **_named: object) -> Callable[[Any], Any]:
    return lambda given: given


def _to_picture(*_how: object, **_named: object) -> Callable[[Any], Any]:
    return lambda given: given if isinstance(given, Picture) else Picture(to_tensor(given))


_SAME = """RandomHorizontalFlip RandomVerticalFlip ColorJitter RandomRotation RandomAffine RandomErasing GaussianBlur
    RandomGrayscale RandomPerspective AutoAugment RandAugment TrivialAugmentWide"""
_TRANSFORMS: Mapping[str, object] = {
    "Compose": _compose,
    "Resize": _resize,
    "Scale": _resize,
    "CenterCrop": _crop,
    "RandomCrop": _crop,
    "RandomResizedCrop": _resized_crop,
    "ToTensor": lambda: to_tensor,
    "ToPILImage": _to_picture,
    "Normalize": _normalize,
    "Grayscale": _grayscale,
    "Lambda": lambda function: function,
    **dict.fromkeys(_SAME.split(), _keep),
    "functional.to_tensor": to_tensor,
    "functional.resize": lambda given, size, *_how, **_named: _resize(size)(given),
    "functional.center_crop": lambda given, size: _crop(size)(given),
    "functional.normalize": lambda given, mean, std, *_how, **_named: _normalize(mean, std)(given),
    "functional.hflip": lambda given: given,
}


# What torchvision.datasets has


class PictureSet(torch.utils.data.Dataset):  # type: ignore[type-arg, misc, unused-ignore]
    """A data set of pictures with labels. `transform` and `target_transform` are the program's."""

    channels, height, width, labels = 3, HEIGHT, WIDTH, 10
    count = 512
    """Number of pictures: some batches."""

    def __init__(self, *given: Any, **named: Any) -> None:
        self.root = given[0] if given else named.get("root")
        self.transform = named.get("transform") or next((one for one in given[1:] if callable(one)), None)
        self.target_transform = named.get("target_transform")
        self.targets = [at % self.labels for at in range(self.count)]
        self.classes = [str(at) for at in range(self.labels)]
        self.class_to_idx = {name: at for at, name in enumerate(self.classes)}
        self.imgs = self.samples = [(f"{at}.png", label) for at, label in enumerate(self.targets)]
        self.loader = open_picture

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        if not 0 <= index < self.count:
            raise IndexError(index)
        picture, label = make_picture(self.channels, self.height, self.width), self.targets[index]
        return (
            self.transform(picture) if self.transform is not None else picture,
            self.target_transform(label) if self.target_transform is not None else label,
        )


def _data_set(name: str, channels: int, height: int, width: int, labels: int = 10) -> type:
    return type(
        name,
        (PictureSet,),
        {"channels": channels, "height": height, "width": width, "labels": labels, "__module__": __name__},
    )


_DATA_SETS = {
    **{name: _data_set(name, 1, 28, 28) for name in "MNIST FashionMNIST KMNIST QMNIST EMNIST".split()},
    "CIFAR10": _data_set("CIFAR10", 3, 32, 32),
    "CIFAR100": _data_set("CIFAR100", 3, 32, 32, 100),
    "SVHN": _data_set("SVHN", 3, 32, 32),
    "STL10": _data_set("STL10", 3, 96, 96),
    **{name: _data_set(name, 3, HEIGHT, WIDTH) for name in "ImageFolder DatasetFolder ImageNet LSUN FakeData".split()},
}


def open_picture(*_where: object, **_named: object) -> Picture:
    """Return a picture in place of the one in a file."""
    return make_picture()


# What OpenCV has


def _read_array(_file: object, flag: int = 1) -> object:
    """Do what `cv2.imread` does: return rows, columns and channels, in gray if the flag is 0."""
    return arrays.array_over(make_picture(3 if flag != 0 else 1).to_bytes())


def _resize_array(array: object, size: Sequence[int], *_how: object, **_named: object) -> object:
    tensor = torch.as_tensor(arrays.tensor_over(array))
    stacked = tensor[None] if tensor.dim() == 2 else tensor.permute(2, 0, 1)
    scaled = _scale(stacked, int(size[1]), int(size[0])).to(tensor.dtype)
    return arrays.array_over(scaled[0] if tensor.dim() == 2 else scaled.permute(1, 2, 0).contiguous())


def _convert_array(array: Any, code: object, *_how: object, **_named: object) -> object:
    """Do what `cv2.cvtColor` does to the shape. `code` is named by what it converts to."""
    return array[:, :, 0] if str(getattr(code, "_name", code)).endswith("2GRAY") else array


def _keep_first(first: object, *_rest: object, **_named: object) -> object:
    return first


KNOWN: Mapping[str, object] = {
    **{f"torchvision.transforms.{name}": made for name, made in _TRANSFORMS.items()},
    **{f"torchvision.datasets.{name}": made for name, made in _DATA_SETS.items()},
    "PIL.Image.open": open_picture,
    "cv2.imread": _read_array,
    "cv2.resize": _resize_array,
    "cv2.cvtColor": _convert_array,
}
"""Members of modules that may be missing, by their full names."""
