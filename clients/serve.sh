# Shared by clients/test, build/first-turn and build/mcp-check: a server on a free port and a directory of its own.
# Read with `source` under `set -euo pipefail`; the caller sets `root`, the folder of the repository.

# start_server DIR [PORT [OPTION...]]: sets SERVER to its process and SERVER_URL; builds it first if need be.
start_server() {
  local data="$1" port="${2:-0}" waited
  shift "$(( $# < 2 ? $# : 2 ))"
  mkdir -p "$data"
  "$root/contexture" serve --port "$port" --data "$data/store" --log off "$@" > "$data/out" 2> "$data/err" &
  SERVER=$!
  for (( waited = 0; waited < 6000; waited++ )); do
    ! grep -q '^contexture ready on ' "$data/out" || break
    kill -0 "$SERVER" 2> /dev/null || { cat "$data/err" >&2; return 1; }
    sleep 0.1
  done
  SERVER_URL="$(sed -n 's/^contexture ready on \([^ ]*\) .*/\1/p' "$data/out")"
  [[ -n "$SERVER_URL" ]]
}

# stop_server: ends it and waits for its end.
stop_server() {
  kill -TERM "$SERVER"
  wait "$SERVER"
}
