"""multiprocessing.dummy of Python 3.10 to 3.14: threads in place of processes."""

from multiprocessing.pool import ThreadPool
from queue import Queue
from threading import Thread as Process

DESCRIBES = "Python 3.10 to 3.14"


def Pool(processes=None, initializer=None, initargs=()):
    """Make a pool of threads."""
    return ThreadPool(processes, initializer, initargs)
