"""tqdm.notebook of tqdm 4.60 to 4.70."""

from tqdm import tqdm, trange

DESCRIBES = "tqdm 4.60 to 4.70"
