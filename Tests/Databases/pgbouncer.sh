#!/usr/bin/env bash
# Two servers behind pgbouncer, in each of its modes that keep transactions together: each request has
# to be answered as by the database itself. Says how many were, and how many a second.
source "$(dirname "$0")/cluster.sh"
which pgbouncer >/dev/null || { echo 'apt-get install pgbouncer' >&2; exit 1; }
start_cluster
port=$(free_port)

configure() {
  cat >"$folder/pgbouncer.ini" <<END
[databases]
* = host=$folder port=5432
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $port
unix_socket_dir =
auth_type = any
pool_mode = $1
default_pool_size = $2
max_client_conn = 200
user = 
END
  sed -i '/^user = $/d' "$folder/pgbouncer.ini"
  sed -i "s/^\* = .*/* = host=${folder//\//\\/} port=5432 user=market/" "$folder/pgbouncer.ini"
}

# Asks both servers for everything, several clients at a time; prints the statuses with their counts.
ask() {
  local picture
  picture=$(dirname "$0")/../Fixtures/Pictures/baseline.jpg
  for client in 1 2 3 4; do
    (
      for number in $(seq 1 15); do
        for address in "$@"; do
          id=$(curl -s -H "identifier: seller-$client" "$address/api/products" -F "images=@$picture" \
            -F 'params={"name":"Desk lamp","description":"Warm light here.","price":42000,
              "currency":"KRW","discounted_price":2000,"stock":3,"secret":"open sesame"}' \
            | grep -o '"id":[0-9]*' | head -n 1 | cut -d : -f 2)
          [[ -n $id ]] && echo registered || echo 'NOT registered'
          for path in "api/products?page_no=1&items_per_page=20" "api/products/$id" \
            "api/products?page_no=1&items_per_page=20&search_value=lamp" \
            "api/products?page_no=2&items_per_page=10&sort=cheapest" ready; do
            curl -s -o /dev/null -w '%{http_code}\n' "$address/$path"
          done
          curl -s -o /dev/null -w '%{http_code}\n' -H "identifier: seller-$client" -X PATCH \
            "$address/api/products/$id" -d '{"secret":"open sesame","price":39000}'
        done
      done
    ) &
    clients+=("$!")
  done
  for client in "${clients[@]}"; do wait "$client"; done
}

# How many first pages one client is given a second.
pages_a_second() {
  local begin
  begin=$(milliseconds)
  curl -s -o /dev/null "$1/api/products?page_no=[1-1]&items_per_page=20&round=[1-500]"
  echo "$((500000 / ($(milliseconds) - begin))) first pages a second for one client"
}

status=0
try() {
  local mode=$1 store=$2
  clients=()
  start_server --store "$store"
  local one=$address
  local first=$started
  start_server --store "$store"
  ask "$one" "$address" | sort | uniq -c | sed "s/^/$mode: /" | tee "$folder/outcome"
  grep -qE 'NOT registered| [45][0-9][0-9]$| 000$' "$folder/outcome" && status=1
  echo "$mode: $(pages_a_second "$one")"
  kill "$first" "$started"
  wait "$first" "$started" || status=1
}

sql -d postgres -c 'CREATE DATABASE direct' -c 'CREATE DATABASE pooled'
try direct "postgresql://market@/direct?host=$folder"
for mode in transaction session; do
  size=$([[ $mode == session ]] && echo 30 || echo 4)
  configure $mode "$size"
  (cd "$folder" && exec "${as[@]}" pgbouncer -q "$folder/pgbouncer.ini") >"$folder/pgbouncer.log" 2>&1 &
  bouncer=$!
  children+=("$bouncer")
  try $mode "postgresql://market@127.0.0.1:$port/pooled"
  kill "$bouncer"
  wait "$bouncer" || true
done
exit $status
