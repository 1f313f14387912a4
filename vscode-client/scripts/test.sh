#!/usr/bin/env bash
# All tests of the VS Code extension, as `make test` runs them: $1 is the Python that packages it and that has torch.
# What is missing on a person's machine is left out, by name and with the way to get it; with CI set that is a failure.
set -euo pipefail
export PYTHON=$1
cd "$(dirname "$0")/.."

if ! source scripts/node.sh; then
    echo "left out, for want of Node 22 or later with npm: all tests of the VS Code extension"
    echo "  make editors (which needs any npm: apt-get install npm)"
    [ -z "${CI:-}" ] || exit 1
    exit 0
fi
# npm writes that file when it is through
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --silent --ignore-scripts
npm run --silent build -- --tests
npm run --silent check
npm run --silent package
npm run --silent test:editors
