"""Plain objects that move points: what they are given has a gradient only where a network made it."""

import torch


class RigidField:
    def __init__(self, smallest=1e-8):
        self.smallest = smallest

    def move(self, points, rotation):
        angle = torch.linalg.norm(rotation, dim=-1, keepdim=True)
        angle += self.smallest  # error: IP101
        axis = rotation / angle
        return points + torch.linalg.cross(axis, points)


class SafeField:
    def __init__(self, smallest=1e-8):
        self.smallest = smallest

    def move(self, points, rotation):
        angle = torch.linalg.norm(rotation, dim=-1, keepdim=True)
        angle = angle + self.smallest
        return points + torch.linalg.cross(rotation / angle, points)


class Recorder:
    """Keeps the largest values that it was shown."""

    def __init__(self):
        self.largest = torch.zeros(3)

    def note(self, values):
        self.largest[values.detach().amax(0) > self.largest] = 1
        return values
