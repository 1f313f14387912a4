"""torchvision.transforms.functional: what transforms are made of. What is not here is an unknown function."""

from inplace_lsp.modelling import ignores

DESCRIBES = "torchvision 0.20 to 0.28"

_NUMBERS = "they are numbers"


@ignores("mean", "std", because=_NUMBERS)
def normalize(tensor, mean, std, inplace=False):
    """Subtract the mean and divide by the deviation."""
    tensor = tensor.sub_(0.5) if inplace else tensor - 0.5
    return tensor.div_(0.5)


@ignores("i", "j", "h", "w", "v", because="which part is written does not matter")
def erase(img, i, j, h, w, v, inplace=False):
    """Fill a rectangle."""
    if not inplace:
        img = img.clone()
    img[..., 1:, 1:] = 0.0
    return img


def crop(img, top, left, height, width):
    """Take a view of a rectangle."""
    return img[..., top : top + height, left : left + width]


@ignores("output_size", because="how large the rectangle is does not matter")
def center_crop(img, output_size):
    """Take a view of the middle."""
    return img[..., 1:, 1:]


def hflip(img):
    """Flip from left to right."""
    return img.flip(-1)


def vflip(img):
    """Flip upside down."""
    return img.flip(-2)
