"""kornia.geometry: images under transformations."""

from kornia.geometry.transform import build_pyramid, hflip, pyrdown, pyrup, resize, vflip, warp_affine, warp_perspective

DESCRIBES = "kornia 0.7 to 0.9"
