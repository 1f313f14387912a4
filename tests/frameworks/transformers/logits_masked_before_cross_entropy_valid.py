"""A causal model's logits are scaled and masked in place before the loss, and the layers before them saved their inputs only."""

from functools import partial

import torch
import torch.nn.functional as F
from torch.optim import AdamW
from torch.utils.data import DataLoader
from transformers import LlamaConfig, LlamaForCausalLM, get_cosine_schedule_with_warmup

IGNORE = -100


def collate(rows, pad_id: int):
    longest = max(map(len, rows))
    ids = torch.full((len(rows), longest), pad_id)
    mask = torch.zeros(len(rows), longest, dtype=torch.long)
    for i, row in enumerate(rows):
        ids[i, : len(row)] = torch.as_tensor(row)
        mask[i, : len(row)] = 1
    labels = ids.clone()
    labels[mask == 0] = IGNORE
    return {"input_ids": ids, "attention_mask": mask, "labels": labels}


def constrained_loss(model, batch, banned: torch.Tensor, softcap: float | None = None) -> torch.Tensor:
    labels = batch.pop("labels")
    logits = model(**batch).logits.float()
    if softcap is not None:
        logits.div_(softcap).tanh_()
        logits = logits * softcap
    logits[..., banned] = torch.finfo(logits.dtype).min
    shift_logits = logits[..., :-1, :].contiguous()
    shift_labels = labels[..., 1:].contiguous()
    return F.cross_entropy(shift_logits.view(-1, shift_logits.size(-1)), shift_labels.view(-1), ignore_index=IGNORE)


def main() -> None:
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=24,
        hidden_size=8,
        intermediate_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=32,
    )
    model = LlamaForCausalLM(config)
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    model.config.use_cache = False
    rows = [list(range(2, 2 + n)) for n in (4, 6, 3, 5)]
    loader = DataLoader(rows, batch_size=2, collate_fn=partial(collate, pad_id=0))
    optimizer = AdamW(model.parameters(), lr=1e-3)
    scheduler = get_cosine_schedule_with_warmup(optimizer, num_warmup_steps=1, num_training_steps=2)
    model.train()
    for batch in loader:
        loss = constrained_loss(model, batch, banned=torch.tensor([0, 1]), softcap=30.0)
        loss.backward()
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    main()
