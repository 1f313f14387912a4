import torch

import library


def runs_script():
    import script


def raises_with_the_option():
    library.Block(3, clip=True)(torch.randn(1, 3, 4, 4)).sum().backward()
