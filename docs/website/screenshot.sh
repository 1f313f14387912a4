#!/usr/bin/env bash
# Take the pictures that need Chromium: the table of ops that docs/ops.md shows to those who read it in the repository, for
# which `make site` comes first, and the page of `verify --memory` in docs/in-place.md.
set -euo pipefail
cd "$(dirname "$0")/../.."
.venv/bin/python -m http.server 8765 --bind 127.0.0.1 --directory site >/dev/null 2>&1 &
server=$!
trap 'kill $server' EXIT
sleep 1

shoot() {  # FILE WIDTH,HEIGHT ADDRESS
    chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync --hide-scrollbars --user-data-dir="$(mktemp -d)" \
        --window-size="$2" --virtual-time-budget=15000 --screenshot="docs/pictures/$1" "$3"
}

shoot ops.png 1200,820 "http://127.0.0.1:8765/ops/#op=relu"
page="$(mktemp --suffix .html)"
.venv/bin/inplace-lsp verify --memory examples/net.py:15 --output-format html >"$page"
shoot memory.png 1100,400 "file://$page"
