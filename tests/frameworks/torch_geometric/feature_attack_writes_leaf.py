"""An attack on node features asks for their gradient and then masks some of them in place, which torch refuses on a leaf."""

from copy import copy

import torch
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.nn.models import GCN
from torch_geometric.transforms import AddSelfLoops, BaseTransform, Compose, NormalizeFeatures


class HideNodes(BaseTransform):
    """Hides the features of some nodes."""

    def __init__(self, ratio: float) -> None:
        self.ratio = ratio

    def forward(self, data: Data) -> Data:
        hidden = torch.rand(data.num_nodes) < self.ratio
        hidden[0] = True
        data.x[hidden] = 0.0  # error: IP201
        return data


class FeatureAttack:
    def __init__(self, model: torch.nn.Module, epsilon: float = 0.1, steps: int = 2) -> None:
        self.model = model.eval()
        self.epsilon, self.steps = epsilon, steps
        self.transform = Compose([HideNodes(0.4), AddSelfLoops()])

    def __call__(self, data: Data) -> Data:
        data = copy(data)
        for _ in range(self.steps):
            data.x = data.x.clone().detach().requires_grad_(True)
            inputs = self.transform(data)
            loss = F.cross_entropy(self.model(inputs.x, inputs.edge_index), inputs.y)
            (grad,) = torch.autograd.grad(loss, data.x)
            data.x = data.x + self.epsilon * grad.sign()
        data.x = data.x.detach()
        return data


def main() -> None:
    torch.manual_seed(0)
    data = Data(
        x=torch.rand(5, 4),
        edge_index=torch.tensor([[0, 1, 2, 3, 4], [1, 2, 3, 4, 0]]),
        y=torch.randint(2, (5,)),
    )
    data = NormalizeFeatures()(data)
    FeatureAttack(GCN(4, 8, num_layers=2, out_channels=2))(data)


if __name__ == "__main__":
    main()
