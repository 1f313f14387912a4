"""kornia.geometry.transform: images sampled at other places, which keeps the image."""

from inplace_lsp.modelling import compute, ignores

DESCRIBES = "kornia 0.7 to 0.9"

_HOW = "how the pixels are computed does not matter"


@ignores("dsize", "mode", "padding_mode", "align_corners", "fill_value", because=_HOW)
def warp_affine(src, M, dsize, mode="bilinear", padding_mode="zeros", align_corners=True, fill_value=None):
    """Sample the image, which is kept, at places computed from the matrix."""
    grid = compute("affine_grid", compute("a normalised matrix", M))
    return compute("grid_sampler_2d", (src, grid), saves=(src, grid))


warp_perspective = warp_affine


@ignores("mode", "padding_mode", "align_corners", "normalized_coordinates", because=_HOW)
def remap(image, map_x, map_y, mode="bilinear", padding_mode="zeros", align_corners=None, normalized_coordinates=False):
    """Sample the image, which is kept."""
    grid = compute("stack", (map_x, map_y))
    return compute("grid_sampler_2d", (image, grid), saves=(image, grid))


@ignores("mode", "padding_mode", "align_corners", because=_HOW)
def rotate(tensor, angle, center=None, mode="bilinear", padding_mode="zeros", align_corners=True):
    """Sample the image, which is kept, at turned places."""
    return _sample(tensor, (angle, center))


@ignores("mode", "padding_mode", "align_corners", because=_HOW)
def translate(tensor, translation, mode="bilinear", padding_mode="zeros", align_corners=True):
    """Sample the image, which is kept, at moved places."""
    return _sample(tensor, translation)


@ignores("mode", "padding_mode", "align_corners", because=_HOW)
def scale(tensor, scale_factor, center=None, mode="bilinear", padding_mode="zeros", align_corners=True):
    """Sample the image, which is kept, at closer or wider places."""
    return _sample(tensor, (scale_factor, center))


@ignores("mode", "padding_mode", "align_corners", because=_HOW)
def shear(tensor, shear, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Sample the image, which is kept, at sheared places."""
    return _sample(tensor, shear)


@ignores("mode", "padding_mode", "align_corners", because=_HOW)
def affine(tensor, matrix, mode="bilinear", padding_mode="zeros", align_corners=True):
    """Sample the image, which is kept, at the places of a matrix."""
    return _sample(tensor, matrix)


def _sample(image, places):
    grid = compute("affine_grid", places)
    return compute("grid_sampler_2d", (image, grid), saves=(image, grid))


@ignores("border_type", "align_corners", "factor", because=_HOW)
def pyrdown(input, border_type="reflect", align_corners=False, factor=2.0):
    """Blur a padded copy and make it smaller."""
    return compute("interpolate", compute("conv2d", input))


@ignores("args", "kwargs", because=_HOW)
def _resample_image(input, *args, **kwargs):
    return compute("interpolate", input)


pyrup = resize = rescale = _resample_image


@ignores("border_type", "align_corners", because=_HOW)
def build_pyramid(input, max_level, border_type="reflect", align_corners=False):
    """Make smaller and smaller images; the first is the image itself."""
    levels = [input]
    for _ in range(max_level - 1):
        levels.append(pyrdown(levels[-1]))
    return levels


def hflip(input):
    """Flip from left to right."""
    return input.flip(-1)


def vflip(input):
    """Flip upside down."""
    return input.flip(-2)
