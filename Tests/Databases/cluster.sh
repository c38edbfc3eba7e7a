# A PostgreSQL server of its own for the scripts beside this file, thrown away when they end.
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
# The one that was built last.
server=$(ls -t "$(dirname "${BASH_SOURCE[0]}")"/../../.build/{release,debug}/market-server 2>/dev/null |
  head -n 1 || true)
server=$(realpath "$server")
folder=$(mktemp -d "${TMPDIR:-/tmp}/market-database-XXXXXX")
as=()
if [[ $(id -u) == 0 ]]; then
  # PostgreSQL and pgbouncer refuse to run as root.
  as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
  chown postgres "$folder"
fi
chmod 711 "$folder"
children=()
finish() {
  for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
  for child in "${children[@]}"; do wait "$child" 2>/dev/null || true; done
  [[ ! -d $folder/data ]] || (cd "$folder" && "${as[@]}" "$bin/pg_ctl" -s -w -D "$folder/data" stop -m immediate) || true
  rm -rf "$folder"
}
trap finish EXIT

# A port of this machine that is free now.
free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

start_cluster() {
  (
    cd "$folder"
    "${as[@]}" "$bin/initdb" -D data -U market -A trust -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null
    cat >>data/postgresql.conf <<END
listen_addresses = ''
unix_socket_directories = '$folder'
fsync = off
max_wal_size = 4GB
END
    "${as[@]}" "$bin/pg_ctl" -s -w -D "$folder/data" start -l data/log
  )
}

sql() { "$bin/psql" -q -X -A -t -v ON_ERROR_STOP=1 -h "$folder" -U market "$@"; }

# Starts a server; returns when it listens. Its address is in $address, its number in $started.
start_server() {
  local log
  log=$(mktemp "$folder/server-XXXXXX")
  "$server" --listen 127.0.0.1:0 "$@" >"$log" 2>"$log.errors" &
  started=$!
  children+=("$started")
  until grep -q '^listening on ' "$log"; do
    kill -0 "$started" 2>/dev/null || { cat "$log.errors" >&2; return 1; }
    sleep 0.1
  done
  address=$(sed -n 's/^listening on //p' "$log")
}

milliseconds() { echo $(($(date +%s%N) / 1000000)); }
