"""Labels are integers that the loss reads after the collator has written -100 into them, and the encoder's result is scaled before the decoder reads it, so torch objects to neither."""

import torch
from torch.utils.data import DataLoader
from transformers import T5Config, T5ForConditionalGeneration

config = T5Config(
    d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2, vocab_size=50, decoder_start_token_id=0, pad_token_id=0
)
model = T5ForConditionalGeneration(config)
optimizer = torch.optim.Adafactor(model.parameters())


def collate(examples):
    input_ids = torch.stack([source for source, _ in examples])
    labels = torch.stack([target for _, target in examples])
    labels[labels == config.pad_token_id] = -100
    return {"input_ids": input_ids, "attention_mask": input_ids.ne(0).long(), "labels": labels}


pairs = [(torch.randint(1, 50, (6,)), torch.randint(0, 50, (4,))) for _ in range(4)]
for batch in DataLoader(pairs, batch_size=2, collate_fn=collate):
    labels = batch.pop("labels")
    encoder_outputs = model.encoder(**batch)
    encoder_outputs.last_hidden_state.mul_(0.5)
    outputs = model(encoder_outputs=encoder_outputs, attention_mask=batch["attention_mask"], labels=labels)
    loss, logits = outputs[:2]
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    labels[labels == -100] = config.pad_token_id
