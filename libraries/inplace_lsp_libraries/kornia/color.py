"""kornia.color: images in other colour spaces, which are new tensors."""

from inplace_lsp.modelling import compute, ignores

DESCRIBES = "kornia 0.7 to 0.9"

_HOW = "how the pixels are computed does not matter"


def _convert(image):
    """Compute the channels anew."""
    return compute("a change of colours", image)


bgr_to_grayscale = hsv_to_rgb = rgb_to_lab = rgb_to_ycbcr = ycbcr_to_rgb = rgb_to_yuv = yuv_to_rgb = hls_to_rgb = (
    _convert
)
rgb_to_xyz = xyz_to_rgb = rgb_to_bgr = bgr_to_rgb = grayscale_to_rgb = rgb_to_linear_rgb = _convert
linear_rgb_to_rgb = _convert


def rgb_to_grayscale(image, rgb_weights=None):
    """Add up the weighted channels."""
    return compute("a change of colours", (image, rgb_weights))


@ignores("eps", because=_HOW)
def rgb_to_hsv(image, eps=1e-08):
    """Compute the channels anew."""
    return _convert(image)


rgb_to_hls = rgb_to_hsv


@ignores("eps", because=_HOW)
def rgb_to_luv(image, eps=1e-12):
    """Compute the channels anew."""
    return _convert(image)


luv_to_rgb = rgb_to_luv


@ignores("clip", because=_HOW)
def lab_to_rgb(image, clip=True):
    """Compute the channels anew."""
    return _convert(image)
