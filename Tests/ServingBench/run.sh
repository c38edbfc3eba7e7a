#!/usr/bin/env bash
# Measures the server beside nginx, which serves the same bytes as a file, with wrk at 16 connections:
# run.sh [STORE]. Without a store one of 1,000,000 products is generated and kept beside the build.
# Build market and market-server in release mode first. Prints ratios of requests per second; a target
# that is missed is marked.
set -euo pipefail
cd "$(dirname "$0")/../.."

programs=${PROGRAMS:-.build/release}
bench=$programs/bench
store=${1:-$bench/market-1000000.db}
seconds=${SECONDS_EACH:-3}
rounds=${ROUNDS:-3}
mkdir -p "$bench/www"
work=$(mktemp -d)
pids=() files=0
trap 'for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done; rm -rf "$work"' EXIT

if [[ ! -e $store ]]; then "$programs/market" generate 1000000 --store "$store"; fi

"$programs/market-server" --store "$store" --listen 127.0.0.1:0 >"$work/said" 2>/dev/null &
server=$!
pids+=("$server")
until market=$(sed -n 's/^listening on //p' "$work/said") && [[ $market ]]; do sleep 0.05; done

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$work/nginx.conf" <<CONF
daemon off; worker_processes 2; pid $work/nginx.pid; error_log $work/nginx.log;
events { worker_connections 256; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; open_file_cache max=8;
  server { listen 127.0.0.1:$port; root $(realpath "$bench")/www; default_type application/json; }
}
CONF
nginx -c "$work/nginx.conf" &
pids+=($!)
until curl -so /dev/null "http://127.0.0.1:$port/"; do sleep 0.05; done

# Changes the store a hundred times a second or so, as another program would.
change() {
  while :; do
    sqlite3 "$store" 'PRAGMA busy_timeout = 1000; UPDATE product SET price = price + 100
      WHERE id = (SELECT max(id) FROM product)' >/dev/null
    sleep 0.005
  done
}

# Requests per second, and median and 99th percentile in microseconds.
load() {
  wrk -t 1 -c 16 -d "$seconds" --latency "$1" | awk '
    function us(t) { return t ~ /us$/ ? t + 0 : t ~ /ms$/ ? t * 1000 : t * 1000000 }
    $1 == "50%" { median = us($2) } $1 == "99%" { last = us($2) }
    $1 == "Requests/sec:" { print $2, median, last }'
}

# One row: the middle one of some rounds, each with nginx right after the market.
row() {
  local name=$1 target=$2 path=$3 file=$((++files)) market_line nginx_line
  curl -s "$market$path" >"$bench/www/$file"
  for _ in $(seq "$rounds"); do
    market_line=$(load "$market$path")
    nginx_line=$(load "http://127.0.0.1:$port/$file")
    awk -v m="$market_line" -v n="$nginx_line" 'BEGIN {
      split(m, x, " "); split(n, y, " "); print x[1] / y[1], x[1], y[1], x[2], x[3] }'
  done | sort -n | sed -n "$((rounds / 2 + 1))p" | awk -v name="$name" -v target="$target" '{
    printf "%-28s %5.2f of nginx (%.0f / %.0f a second), median %d us, p99 %d us%s\n",
      name, $1, $2, $3, $4, $5, $1 < target ? "  MISSED " target : "" }'
}

page='/api/products?page_no=1&items_per_page=20'
row 'page of 20' 0.5 "$page"
row 'page 50,000' 0.5 '/api/products?page_no=50000&items_per_page=20'
row 'detail' 0.5 /api/products/500000
change &
changer=$!
pids+=("$changer")
row 'page of 20, data changes' 0.25 "$page"
row 'detail, data changes' 0.25 /api/products/500000
kill "$changer"
awk '/VmHWM/ { printf "most memory %.1f MB%s\n", $2 / 1024, $2 > 65536 ? "  MISSED 64 MB" : "" }' \
  "/proc/$server/status"
