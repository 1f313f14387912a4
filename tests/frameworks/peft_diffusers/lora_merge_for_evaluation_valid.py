"""The LoRA weights are merged for an evaluation under no_grad and unmerged again, between two training steps."""

import contextlib

import torch
import torch.nn.functional as F
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM


@contextlib.contextmanager
def merged(model):
    model.merge_adapter()
    was_training = model.training
    model.eval()
    try:
        yield model
    finally:
        model.train(was_training)
        model.unmerge_adapter()


class Trainer:
    def __init__(self, model, lr: float) -> None:
        self.model = model
        self.optimizer = torch.optim.AdamW((p for p in model.parameters() if p.requires_grad), lr=lr)
        self.history: dict[str, list[float]] = {"train": [], "eval": []}

    def train_step(self, ids: torch.Tensor) -> None:
        self.model.train()
        logits = self.model(input_ids=ids).logits[:, :-1]
        logits -= logits.logsumexp(dim=-1, keepdim=True).detach()
        loss = F.nll_loss(logits.log_softmax(-1).flatten(0, 1), ids[:, 1:].flatten())
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        self.history["train"].append(loss.item())

    @torch.no_grad()
    def evaluate(self, ids: torch.Tensor) -> None:
        with merged(self.model) as model:
            self.history["eval"].append(model(input_ids=ids, labels=ids).loss.item())


def main() -> None:
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=16,
        hidden_size=8,
        intermediate_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=16,
    )
    adapter = LoraConfig(
        r=2, lora_alpha=4, lora_dropout=0.1, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM"
    )
    trainer = Trainer(get_peft_model(LlamaForCausalLM(config), adapter), lr=1e-3)
    for _ in range(2):
        ids = torch.randint(16, (2, 6))
        trainer.train_step(ids)
        trainer.evaluate(ids)


if __name__ == "__main__":
    main()
