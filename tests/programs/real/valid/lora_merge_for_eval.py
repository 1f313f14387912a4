import torch
from torch import nn


class LoRALinear(nn.Linear):
    def __init__(self, i, o, r=2, alpha=4):
        super().__init__(i, o)
        self.lora_A = nn.Parameter(torch.randn(r, i) * 0.01)
        self.lora_B = nn.Parameter(torch.zeros(o, r))
        self.scaling, self.merged = alpha / r, False
        self.weight.requires_grad = False

    def train(self, mode: bool = True):
        super().train(mode)
        if mode and self.merged:
            self.weight.data -= (self.lora_B @ self.lora_A) * self.scaling
            self.merged = False
        elif not mode and not self.merged:
            self.weight.data += (self.lora_B @ self.lora_A) * self.scaling
            self.merged = True
        return self

    def forward(self, x):
        y = nn.functional.linear(x, self.weight, self.bias)
        if not self.merged:
            y += (x @ self.lora_A.T @ self.lora_B.T) * self.scaling
        return y


model = nn.Sequential(LoRALinear(3, 4), nn.Tanh(), LoRALinear(4, 1))
opt = torch.optim.AdamW([p for n, p in model.named_parameters() if "lora_" in n], lr=1e-2)
for epoch in range(2):
    model.train()
    loss = model(torch.randn(5, 3)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    model.eval()
    with torch.no_grad():
        model(torch.randn(2, 3))
