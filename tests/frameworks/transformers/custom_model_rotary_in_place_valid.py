"""A custom model applies rotary embeddings in place to copies of the projected heads, and its own Trainer runs it."""

import tempfile

import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel, Trainer, TrainerCallback, TrainingArguments
from transformers.activations import ACT2FN


class TinyConfig(PretrainedConfig):
    model_type = "tiny"

    def __init__(self, hidden_size=8, heads=2, vocab_size=17, hidden_act="gelu", **kwargs):
        super().__init__(**kwargs)
        self.hidden_size, self.heads, self.vocab_size, self.hidden_act = hidden_size, heads, vocab_size, hidden_act


def rotate_(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    half = x.shape[-1] // 2
    first, second = x[..., :half].clone(), x[..., half:].clone()
    x[..., :half] = first * cos - second * sin
    x[..., half:] = second * cos + first * sin
    return x


class TinyAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config.heads
        self.qkv = nn.Linear(config.hidden_size, 3 * config.hidden_size, bias=False)
        self.act = ACT2FN[config.hidden_act]
        self.out = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (self.qkv(x)[..., i * d : (i + 1) * d].view(b, t, self.heads, -1).transpose(1, 2) for i in range(3))
        angles = torch.arange(t)[:, None] / 10 ** torch.arange(q.size(-1) // 2)
        q, k = (rotate_(part, angles.cos(), angles.sin()) for part in (q, k))
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.act(self.out(mixed.transpose(1, 2).reshape(b, t, d)))


class TinyLM(PreTrainedModel):
    config_class = TinyConfig

    def __init__(self, config):
        super().__init__(config)
        self.embed = nn.Embedding(config.vocab_size, config.hidden_size)
        self.attention = TinyAttention(config)
        self.lm_head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)
        self.post_init()

    def forward(self, input_ids, labels=None):
        logits = self.lm_head(self.attention(self.embed(input_ids)))
        loss = nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())
        return {"loss": loss, "logits": logits}


class GradientNoise(TrainerCallback):
    def on_pre_optimizer_step(self, args, state, control, model, **kwargs):
        for param in filter(lambda p: p.grad is not None, model.parameters()):
            param.grad.add_(torch.randn_like(param.grad), alpha=1e-3)


if __name__ == "__main__":
    torch.manual_seed(0)
    ids = torch.randint(17, (4, 6))
    with tempfile.TemporaryDirectory() as folder:
        args = TrainingArguments(
            folder,
            max_steps=2,
            per_device_train_batch_size=2,
            use_cpu=True,
            save_strategy="no",
            logging_strategy="no",
            report_to="none",
            disable_tqdm=True,
        )
        data = [{"input_ids": row, "labels": row} for row in ids]
        Trainer(TinyLM(TinyConfig()), args, train_dataset=data, callbacks=[GradientNoise]).train()
