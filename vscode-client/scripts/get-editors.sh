#!/usr/bin/env bash
# Fetch what the tests in real editors need: Node, two releases of VS Code (as code-server) and a look at Chromium.
#
#   scripts/get-editors.sh [current|older|all]      (default: all)
#
# All of it goes to a cache outside of the repository, about 1.2 GB: $INPLACE_EDITORS, or ~/.cache/inplace-lsp/editors.
# Needs npm (any from 9 on). Chromium is the system's: apt-get install chromium.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=editors.env
source "$here/editors.env"
which=${1:-all}

install() { # install DIR PACKAGE...: npm packages into a folder of their own, without running their scripts
    mkdir -p "$1"
    (cd "$1" && echo '{"private": true}' >package.json && shift && npm install --silent --ignore-scripts "$@")
}

code_server() { # code_server VERSION: VS Code's own server and its built-in extensions are packages inside of it
    local dir="$EDITORS/code-server-$1"
    [ -e "$dir/complete" ] && return
    echo "fetching code-server $1"
    rm -rf "$dir"
    install "$dir" "code-server@$1"
    local vscode="$dir/node_modules/code-server/lib/vscode"
    (cd "$vscode" && npm install --silent --omit=dev --ignore-scripts)
    (cd "$vscode/extensions" && npm install --silent --omit=dev --ignore-scripts && node ./postinstall.mjs >/dev/null)
    # native parts that VS Code starts or writes its logs with; npm fetches them or compiles them (make, g++)
    (cd "$vscode" && npm rebuild --silent @vscode/spdlog)
    if [ "$1" = "$OLDER" ]; then
        (cd "$dir" && npm rebuild --silent argon2)
        (cd "$vscode" && npm rebuild --silent node-pty)
    fi
    touch "$dir/complete"
}

command -v npm >/dev/null || { echo "npm is missing: apt-get install npm" >&2; exit 1; }
if [ ! -x "$EDITORS/node/bin/node" ]; then
    echo "fetching Node $NODE"
    install "$EDITORS/node" "node-$PLATFORM@$NODE" "npm@$NPM"
    mkdir -p "$EDITORS/node/bin"
    ln -sf "../node_modules/node-$PLATFORM/bin/node" "$EDITORS/node/bin/node"
    ln -sf ../node_modules/npm/bin/npm-cli.js "$EDITORS/node/bin/npm"
    ln -sf ../node_modules/npm/bin/npx-cli.js "$EDITORS/node/bin/npx"
fi
export PATH="$EDITORS/node/bin:$PATH" npm_config_nodedir="$EDITORS/node/node_modules/node-$PLATFORM"
case $which in
    current) code_server "$CURRENT" ;;
    older) code_server "$OLDER" ;;
    all) code_server "$CURRENT"; code_server "$OLDER" ;;
    *) echo "usage: $0 [current|older|all]" >&2; exit 2 ;;
esac
