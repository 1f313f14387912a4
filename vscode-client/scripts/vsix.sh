#!/usr/bin/env bash
# Make the .vsix for this machine: $1 is the Python whose pip fetches the server's packages. With --demo, show it at work.
set -euo pipefail
export PYTHON=$1
cd "$(dirname "$0")/.."

source scripts/node.sh || { echo "Node 22 or later with npm is missing: make editors fetches one" >&2; exit 1; }
npm ci --silent --ignore-scripts
npm run --silent package
[ "${2:-}" != --demo ] || npm run --silent demo
