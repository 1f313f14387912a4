"""A plain LoRA fine-tuning loop: only the adapters require grad and they are stepped after backward."""

import torch
from peft import LoraConfig, TaskType, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=16,
    intermediate_size=16,
    num_hidden_layers=2,
    num_attention_heads=2,
    num_key_value_heads=2,
    vocab_size=50,
    max_position_embeddings=32,
)
lora = LoraConfig(
    task_type=TaskType.CAUSAL_LM,
    r=4,
    lora_alpha=8,
    lora_dropout=0.1,
    target_modules=["q_proj", "v_proj"],
)
model = get_peft_model(LlamaForCausalLM(config), lora)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
accumulation = 2

model.train()
for step in range(4):
    input_ids = torch.randint(0, 50, (2, 6))
    labels = input_ids.clone()
    labels[:, :2] = -100
    loss = model(input_ids=input_ids, labels=labels).loss / accumulation
    loss.backward()
    if (step + 1) % accumulation == 0:
        torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], 1.0)
        optimizer.step()
        optimizer.zero_grad()
