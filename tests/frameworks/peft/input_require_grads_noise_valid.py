"""The noise hook adds to a new tensor, so the embedding's output that `enable_input_require_grads` made a leaf is not written."""

import torch
from peft import LoraConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

config = GPT2Config(n_embd=16, n_layer=1, n_head=2, vocab_size=50, n_positions=16, bos_token_id=0, eos_token_id=0)
base = GPT2LMHeadModel(config)
lora = LoraConfig(task_type="CAUSAL_LM", r=2, target_modules=["c_attn"], fan_in_fan_out=True)
model = get_peft_model(base, lora)
model.enable_input_require_grads()


def neftune_hook(module, args, output):
    magnitude = 5.0 / (output.size(1) * output.size(2)) ** 0.5
    return output + torch.zeros_like(output).uniform_(-magnitude, magnitude)


model.get_input_embeddings().register_forward_hook(neftune_hook)
input_ids = torch.randint(0, 50, (2, 6))
model(input_ids=input_ids, labels=input_ids).loss.backward()
