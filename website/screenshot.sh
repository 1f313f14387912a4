#!/usr/bin/env bash
# Take the picture of the table of ops that docs/ops.md shows to those who read it in the repository. Needs Chromium;
# `make site` comes first.
set -euo pipefail
cd "$(dirname "$0")/.."
.venv/bin/python -m http.server 8765 --bind 127.0.0.1 --directory site >/dev/null 2>&1 &
server=$!
trap 'kill $server' EXIT
sleep 1
chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update \
    --disable-sync --hide-scrollbars --user-data-dir="$(mktemp -d)" --window-size=1200,820 --virtual-time-budget=15000 \
    --screenshot=docs/pictures/ops.png "http://127.0.0.1:8765/ops/#op=relu"
