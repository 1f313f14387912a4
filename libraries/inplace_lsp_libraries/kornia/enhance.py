"""kornia.enhance: brighter, sharper or normalised images, which are new tensors."""

from inplace_lsp.modelling import compute, ignores

DESCRIBES = "kornia 0.7 to 0.9"

_HOW = "how the pixels are computed does not matter"


def normalize(data, mean, std):
    """Subtract the mean and divide by the deviation."""
    return compute("normalize", (data, mean, std), saves=std)


denormalize = normalize


@ignores("clip_output", because=_HOW)
def adjust_brightness(image, factor, clip_output=True):
    """Compute the pixels anew."""
    return compute("a change of pixels", (image, factor))


adjust_contrast = adjust_brightness


def adjust_saturation(image, factor):
    """Compute the pixels anew."""
    return compute("a change of pixels", (image, factor))


adjust_hue = adjust_saturation


def adjust_gamma(input, gamma, gain=1.0):
    """Take a power of the pixels, which are kept."""
    return compute("a power", (input, gamma, gain), saves=input)


@ignores("min_val", "max_val", "eps", because=_HOW)
def normalize_min_max(input, min_val=0.0, max_val=1.0, eps=1e-06):
    """Stretch the pixels to a range."""
    return compute("a change of pixels", input)


def invert(image, max_val=None):
    """Subtract the pixels from the largest value."""
    return compute("a change of pixels", (image, max_val))


def add_weighted(src1, alpha, src2, beta, gamma):
    """Add two images up."""
    return compute("a change of pixels", (src1, alpha, src2, beta, gamma))
