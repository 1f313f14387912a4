"""Containers: their parts are called by somebody who is not in sight."""

from torch import nn

from fields import Recorder, RigidField, SafeField
from kernels import BlurKernel, Watched


class Scene(nn.Module):
    def __init__(self, pictures, width):
        super().__init__()
        self.codes = nn.Embedding(pictures, width)
        self.field = RigidField()
        self.kernel = BlurKernel(width, field=self.field)


class SafeScene(nn.Module):
    def __init__(self, pictures, width):
        super().__init__()
        self.codes = nn.Embedding(pictures, width)
        self.kernel = BlurKernel(width, field=SafeField())
        self.watched = Watched(width, Recorder())
