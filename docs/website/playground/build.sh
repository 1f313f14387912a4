#!/usr/bin/env bash
# Build the playground into docs/website/playground/dist, from where the site takes it: $1 is the Python that has inplace-lsp.
# Without Node the site has the page, which says that this copy has no playground; with CI set that is a failure.
set -euo pipefail
python=$1
cd "$(dirname "$0")"

if ! source ../../../vscode-client/scripts/node.sh; then
    echo "left out, for want of Node 22 or later with npm: the playground"
    [ -z "${CI:-}" ] || exit 1
    exit 0
fi
# npm writes that file when it is through
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --silent --ignore-scripts
rm -rf dist
"$python" ../playground_parts.py dist
node build.mjs
