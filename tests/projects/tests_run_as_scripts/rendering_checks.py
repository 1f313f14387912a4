import torch

import rendering


def test_projects_like_the_kernel():
    points = torch.randn(9, 3, requires_grad=True)
    flat, clipped = rendering.project(points, torch.eye(4))
    torch.testing.assert_close(flat, flat)
    torch.testing.assert_close(clipped, clipped)


if __name__ == "__main__":
    test_projects_like_the_kernel()
