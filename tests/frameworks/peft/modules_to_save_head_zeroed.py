"""`modules_to_save` keeps a trainable copy of the classifier, and zeroing that copy's weight with grad mode on is refused."""

import torch
from peft import LoraConfig, get_peft_model
from transformers import BertConfig, BertForSequenceClassification

config = BertConfig(
    hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, vocab_size=50, num_labels=3
)
lora = LoraConfig(r=2, target_modules=["query", "value"], modules_to_save=["classifier"])
model = get_peft_model(BertForSequenceClassification(config), lora)

head = model.base_model.model.classifier.modules_to_save["default"]
head.weight.zero_()  # error: IP201

optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
loss = model(input_ids=torch.randint(0, 50, (2, 5)), labels=torch.tensor([0, 2])).loss
loss.backward()
optimizer.step()
