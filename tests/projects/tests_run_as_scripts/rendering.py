"""The reference for kernels: nothing here asks for gradients."""

import torch


def to_camera(points, view):
    return points @ view[:3, :3].T + view[:3, 3]


def flatten_covariance(points, view, focal):
    t = to_camera(points, view)
    t[..., 0] = t[..., 2] * torch.clamp(t[..., 0] / t[..., 2], -1.3, 1.3)  # error: IP101
    return focal * t[..., 0] / t[..., 2]


def clip_depth(points, view):
    t = to_camera(points, view)
    t[..., 2] = 1.0
    return t


def project(points, view, focal=1.0):
    return flatten_covariance(points, view, focal), clip_depth(points, view)
