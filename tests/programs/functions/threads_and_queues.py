"""Threads run outside of every context; what is put into a queue comes out again."""

import queue
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.pool import ThreadPool
from queue import LifoQueue

import torch


def in_a_thread(x):
    made = []

    def work(scale):
        made.append((x * scale).sigmoid())

    with torch.no_grad():
        thread = threading.Thread(target=work, kwargs={"scale": 2})
        thread.start()
        thread.join()
    made[0].add_(1)  # error: IP101
    return made[0]


def submitted(x):
    with torch.no_grad(), ThreadPoolExecutor(max_workers=1) as pool:
        y = pool.submit(torch.sigmoid, input=x).result()
    y.add_(1)  # error: IP101
    return y


def mapped(x):
    with ThreadPool(1) as pool:
        y = pool.map(func=torch.sigmoid, iterable=[x], chunksize=1)[0]
    y.add_(1)  # error: IP101
    return y


def queued(x):
    y = x.sigmoid()
    waiting = queue.Queue(maxsize=2)
    waiting.put(x * 2)
    waiting.put(item=y, block=True)
    waiting.get().add_(1)
    waiting.get(timeout=1).add_(1)  # error: IP101
    return y


def stacked(x):
    y = x.sigmoid()
    waiting = LifoQueue()
    waiting.put(y)
    waiting.put(x * 2)
    waiting.get().add_(1)
    waiting.get_nowait().add_(1)  # error: IP101
    return y


for f in (in_a_thread, submitted, mapped, queued, stacked):
    try:
        f(torch.rand(3, requires_grad=True)).sum().backward()
    except RuntimeError as error:
        print(error)
