import torch


class Cache:
    def __init__(self):
        self.value = None

    def get(self, w):
        if not hasattr(self, "kept"):
            self.kept = w.exp()
        return self.kept

    def drop(self):
        del self.kept


cache = Cache()
w = torch.rand(3, requires_grad=True)
for _ in range(2):
    cache.get(w).sum().backward()
    cache.drop()
for _ in range(2):
    cache.get(w).sum().backward()  # error: IP103
