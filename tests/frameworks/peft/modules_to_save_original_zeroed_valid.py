"""The classifier that `modules_to_save` has set aside is frozen and takes no part in the forward, so zeroing it in place is fine, as is initialising the trained copy with `nn.init`."""

import torch
from peft import LoraConfig, get_peft_model
from torch import nn
from transformers import BertConfig, BertForSequenceClassification

config = BertConfig(
    hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, vocab_size=50, num_labels=3
)
lora = LoraConfig(r=2, target_modules=["query", "value"], modules_to_save=["classifier"])
model = get_peft_model(BertForSequenceClassification(config), lora)

classifier = model.base_model.model.classifier
classifier.original_module.weight.zero_()
nn.init.zeros_(classifier.modules_to_save["default"].weight)

optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
loss = model(input_ids=torch.randint(0, 50, (2, 5)), labels=torch.tensor([0, 2])).loss
classifier.original_module.bias.zero_()
loss.backward()
optimizer.step()
