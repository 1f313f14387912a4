"""A library of networks and optimizers, as people keep them beside their training code.

The generated programs of level 6 import it. torch runs with these classes; the static analysis does not see them.
"""

from zoo.models import MODELS, build

__all__ = ["MODELS", "build", "create_model"]


def create_model(name: str, pretrained: bool = False, **options: object):
    """A network by its name, as model libraries make one."""
    model = build(name, **options)
    return model.eval().train() if pretrained else model
