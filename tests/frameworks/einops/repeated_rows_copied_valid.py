"""einops.repeat inside an axis copies, so adding to its result in place touches memory of its own."""

import torch
from einops import rearrange, repeat
from torch import einsum, nn


class PerceiverAttention(nn.Module):
    def __init__(self, dim: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm_media, self.norm_latents = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, dim * 2, bias=False)
        self.to_out = nn.Linear(dim, dim, bias=False)

    def forward(self, x, latents):
        x, latents = self.norm_media(x), self.norm_latents(latents)
        k, v = self.to_kv(torch.cat((x, latents), dim=-2)).chunk(2, dim=-1)
        q, k, v = (rearrange(t, "b n (h d) -> b h n d", h=self.heads) for t in (self.to_q(latents), k, v))
        sim = einsum("b h i d, b h j d -> b h i j", q, k)
        sim.mul_(q.shape[-1] ** -0.5)
        out = einsum("b h i j, b h j d -> b h i d", sim.softmax(dim=-1), v)
        return self.to_out(rearrange(out, "b h n d -> b n (h d)"))


class Resampler(nn.Module):
    def __init__(self, *, dim: int = 8, depth: int = 2, heads: int = 2, num_latents: int = 3, max_media: int = 4):
        super().__init__()
        self.latents = nn.Parameter(torch.randn(num_latents, dim))
        self.media_pos = nn.Parameter(torch.randn(max_media, dim))
        self.layers = nn.ModuleList(PerceiverAttention(dim, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(dim)

    def start(self, batch: int, shift: torch.Tensor) -> torch.Tensor:
        latents = repeat(self.latents, "n d -> (b n) d", b=batch)
        latents += repeat(shift, "b d -> (b n) d", n=self.latents.shape[0])
        return rearrange(latents, "(b n) d -> b n d", b=batch)

    def forward(self, media):
        x = media + self.media_pos[: media.shape[1]]
        latents = self.start(media.shape[0], shift=x.mean(dim=1))
        for attn in self.layers:
            out = attn(x, latents)
            out += latents
            latents = out
        return self.norm(latents)


def main() -> None:
    torch.manual_seed(0)
    resampler = Resampler()
    head = nn.Linear(8, 1)
    optimizer = torch.optim.AdamW([*resampler.parameters(), *head.parameters()], lr=1e-3)
    target = torch.randn(2, 3, 1)
    for _ in range(2):
        loss = nn.functional.mse_loss(head(resampler(torch.randn(2, 4, 8))), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
