import torch


def evaluate_bond_energy(positions: torch.Tensor, pairs: torch.Tensor, stiffness: float) -> torch.Tensor:
    bonds = positions[pairs[:, 0]] - positions[pairs[:, 1]]
    directions = bonds * 1.0
    directions /= directions.norm(dim=1, keepdim=True)  # error: IP101
    return stiffness * (bonds * directions).sum(1).square().sum()


def evaluate_angle_energy(positions: torch.Tensor, triples: torch.Tensor) -> torch.Tensor:
    first = positions[triples[:, 0]] - positions[triples[:, 1]]
    second = positions[triples[:, 2]] - positions[triples[:, 1]]
    first = first / first.norm(dim=1, keepdim=True)
    second = second / second.norm(dim=1, keepdim=True)
    energies = (first * second).sum(1)
    energies += 1
    return energies.sum()


def plot_energy(energies, steps):
    shown = torch.exp(-energies)
    shown /= shown.max()
    shown.clamp_(0, 1)
    return shown.tolist(), steps
