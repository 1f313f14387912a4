"""One adapter's optimizer steps before the loss of a sum over both adapters' outputs has gone back through it."""

import torch
import torch.nn.functional as F
from peft import LoraConfig, get_peft_model
from torch import nn


class Backbone(nn.Module):
    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.up = nn.Linear(dim, 2 * dim)
        self.act = nn.GELU()
        self.down = nn.Linear(2 * dim, dim)

    def forward(self, x):
        return self.down(self.act(self.up(x)))


def lora(rank: int = 2) -> LoraConfig:
    return LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=["up", "down"], init_lora_weights=False)


def adapter_parameters(model, name: str):
    return [p for key, p in model.named_parameters() if f".{name}." in key]


class StyleMixer:
    def __init__(self, names=("style", "content")) -> None:
        self.model = get_peft_model(Backbone(), lora(), adapter_name=names[0])
        for name in names[1:]:
            self.model.add_adapter(name, lora())
        for key, param in self.model.named_parameters():
            param.requires_grad_("lora_" in key)
        self.optimizers = {n: torch.optim.SGD(adapter_parameters(self.model, n), lr=0.1) for n in names}

    def run(self, name: str, x: torch.Tensor) -> torch.Tensor:
        self.model.set_adapter(name)
        self.model.requires_grad_(True)
        return self.model(x)

    def fit(self, x, style_target, content_target) -> None:
        style = self.run("style", x)
        mixed = style + self.run("content", x)
        style_loss = F.mse_loss(style, style_target)
        content_loss = F.l1_loss(mixed, content_target)

        self.optimizers["style"].zero_grad()
        style_loss.backward(retain_graph=True)
        self.optimizers["style"].step()  # error: IP102

        self.optimizers["content"].zero_grad()
        content_loss.backward()
        self.optimizers["content"].step()


def main() -> None:
    torch.manual_seed(0)
    x = torch.randn(3, 6)
    StyleMixer().fit(x, torch.randn(3, 6), torch.randn(3, 6))


if __name__ == "__main__":
    main()
