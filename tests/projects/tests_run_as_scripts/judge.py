import torch

import rendering
import rendering_checks


def runs_the_test_itself():
    rendering_checks.test_projects_like_the_kernel()


def raises_for_who_trains():
    points = torch.randn(9, 3, requires_grad=True)
    rendering.project(points, torch.eye(4))[0].sum().backward()


def runs_clip_depth():
    points = torch.randn(9, 3, requires_grad=True)
    rendering.clip_depth(points, torch.eye(4)).sum().backward()
