"""Soft prompt rows that requires-grad tracking already covers are filled in place from the vocabulary, a write to a leaf's view."""

import torch
from torch import nn
from transformers import GPT2Config, GPT2LMHeadModel


class SoftPrompt(nn.Module):
    """Learned vectors that stand before the embedded tokens."""

    def __init__(self, length: int, wte: nn.Embedding) -> None:
        super().__init__()
        self.length = length
        self.weight = nn.Parameter(torch.empty(length, wte.embedding_dim))
        nn.init.normal_(self.weight, std=0.02)

    def init_from_tokens(self, wte: nn.Embedding, token_ids: list[int]) -> None:
        for row, token in enumerate(token_ids[: self.length]):
            self.weight[row] = wte.weight[token].detach()  # error: IP202

    def forward(self, embedded: torch.Tensor) -> torch.Tensor:
        prompt = self.weight.unsqueeze(0).expand(embedded.size(0), -1, -1)
        return torch.cat([prompt, embedded], dim=1)


class PromptTuned(nn.Module):
    def __init__(self, lm: GPT2LMHeadModel, length: int) -> None:
        super().__init__()
        self.lm = lm.requires_grad_(False)
        self.prompt = SoftPrompt(length, lm.transformer.wte)

    def forward(self, input_ids, labels):
        embedded = self.prompt(self.lm.get_input_embeddings()(input_ids))
        padding = labels.new_full((labels.size(0), self.prompt.length), -100)
        return self.lm(inputs_embeds=embedded, labels=torch.cat([padding, labels], dim=1)).loss


def main() -> None:
    torch.manual_seed(0)
    config = GPT2Config(vocab_size=12, n_positions=16, n_embd=8, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0)
    model = PromptTuned(GPT2LMHeadModel(config), length=3)
    model.prompt.init_from_tokens(model.lm.transformer.wte, token_ids=[4, 7, 9])
    optimizer = torch.optim.Adam(model.prompt.parameters(), lr=0.3)
    ids = torch.randint(12, (2, 5))
    for _ in range(2):
        optimizer.zero_grad()
        model(ids, labels=ids).backward()
        optimizer.step()


if __name__ == "__main__":
    main()
