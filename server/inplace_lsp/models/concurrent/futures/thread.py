"""concurrent.futures.thread of Python 3.10 to 3.14."""

from concurrent.futures import ThreadPoolExecutor

DESCRIBES = "Python 3.10 to 3.14"
