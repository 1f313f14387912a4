"""A transform of real numbers keeps its input, along any dimension; with a length given it keeps a padded copy."""

import torch

lin = torch.nn.Linear(4, 4)

h = lin(torch.randn(3, 4))
spectrum = torch.fft.rfft(h, dim=1)
h.add_(1)  # error: IP101
spectrum.abs().sum().backward()

h = lin(torch.randn(3, 4))
spectrum = torch.fft.fft(h, dim=0, norm="ortho")
h.add_(1)  # error: IP101
spectrum.abs().sum().backward()

h = lin(torch.randn(3, 4))
spectrum = torch.fft.rfft(h, n=8)
h.add_(1)
spectrum.abs().sum().backward()

h = lin(torch.randn(3, 4))
spectrum = torch.fft.rfft2(h, s=(8, 8))
h.add_(1)
spectrum.abs().sum().backward()
