import detector
import torch


def raises_flags_of_all():
    detector.Detector()(torch.randn(2, 8)).sum().backward()


def runs_flags_of_none():
    detector.Plain()(torch.randn(2, 8)).sum().backward()
