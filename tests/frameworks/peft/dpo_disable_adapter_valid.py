"""DPO takes its reference from the same model with the adapter disabled and without gradients, and writes only those reference values in place."""

import torch
import torch.nn.functional as F
from peft import LoraConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

config = GPT2Config(n_embd=16, n_layer=1, n_head=2, vocab_size=50, n_positions=16, bos_token_id=0, eos_token_id=0)
lora = LoraConfig(task_type="CAUSAL_LM", r=2, target_modules=["c_attn", "c_proj"], fan_in_fan_out=True)
model = get_peft_model(GPT2LMHeadModel(config), lora)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


def sequence_log_probs(tokens, prompt_length=2):
    logits = model(input_ids=tokens).logits[:, :-1]
    per_token = logits.log_softmax(-1).gather(2, tokens[:, 1:, None]).squeeze(2)
    mask = torch.ones_like(per_token)
    mask[:, : prompt_length - 1] = 0
    return (per_token * mask).sum(-1)


for _ in range(2):
    chosen, rejected = torch.randint(0, 50, (2, 6)), torch.randint(0, 50, (2, 6))
    margin = sequence_log_probs(chosen) - sequence_log_probs(rejected)
    with torch.no_grad(), model.disable_adapter():
        reference = sequence_log_probs(chosen)
        reference -= sequence_log_probs(rejected)
    margin -= reference
    loss = -F.logsigmoid(0.1 * margin).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
