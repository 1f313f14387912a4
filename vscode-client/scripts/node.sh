# Put a Node that is new enough, and its npm, on the PATH: those that `make editors` fetched, else the machine's own.
# Fails if there is none.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=editors.env
source "$here/editors.env"
[ ! -x "$EDITORS/node/bin/node" ] || PATH="$EDITORS/node/bin:$PATH"
command -v npm >/dev/null && node -e 'process.exit(process.versions.node.split(".")[0] < 22 ? 1 : 0)' 2>/dev/null
