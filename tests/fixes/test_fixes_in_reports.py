"""With `--show-fixes` the JSON of the command line carries the best repair of every finding that has one."""

import json
import subprocess
import sys

PROGRAM = "import torch\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\ny.add_(1)\ny.sum().backward()\n"


def test_the_best_repair_stands_in_the_json(tmp_path):
    file = tmp_path / "a.py"
    file.write_text(PROGRAM)
    command = [sys.executable, "-m", "inplace_lsp", "check", "-q", "--output-format", "json", "--show-fixes", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    (finding,) = json.loads(done.stdout)
    start, end = {"row": 4, "column": 1}, {"row": 4, "column": 10}
    assert finding["fix"] == {
        "applicability": "safe",
        "message": "Write out of place: `y = y.add(1)`",
        "edits": [{"content": "y = y.add(1)", "location": start, "end_location": end}],
    }
