"""torchvision: models, transforms and ops stand in modules of their own."""
