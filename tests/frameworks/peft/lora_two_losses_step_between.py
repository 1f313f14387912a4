"""Two losses share one LoRA forward, and the adapters are stepped after the first backward, so the second one meets other values of `lora_B`."""

import torch
from peft import LoraConfig, get_peft_model
from torch import nn
from transformers import BertConfig, BertModel

config = BertConfig(hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, vocab_size=50)
encoder = get_peft_model(BertModel(config), LoraConfig(r=2, target_modules=["query", "value"]))
intent_head = nn.Linear(16, 3)
slot_head = nn.Linear(16, 5)
trainable = [p for p in encoder.parameters() if p.requires_grad]
optimizer = torch.optim.AdamW([*trainable, *intent_head.parameters(), *slot_head.parameters()], lr=1e-3)

input_ids = torch.randint(0, 50, (2, 6))
outputs = encoder(input_ids=input_ids)
intent_loss = nn.functional.cross_entropy(intent_head(outputs.pooler_output), torch.tensor([0, 2]))
slot_logits = slot_head(outputs.last_hidden_state)
slot_loss = nn.functional.cross_entropy(slot_logits.flatten(0, 1), torch.randint(0, 5, (12,)))

for loss in (intent_loss, slot_loss):
    optimizer.zero_grad()
    loss.backward(retain_graph=True)
    optimizer.step()  # error: IP102
