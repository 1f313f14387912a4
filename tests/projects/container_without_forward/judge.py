import torch

import scene


def run(made):
    code = made.codes(torch.tensor([0, 1]))
    made.kernel(torch.randn(2, 3), code).square().sum().backward()
    return code


def raises_scene():
    run(scene.Scene(4, 8))


def runs_safe_scene():
    made = scene.SafeScene(4, 8)
    code = run(made).detach()
    made.watched(code).sum().backward()
