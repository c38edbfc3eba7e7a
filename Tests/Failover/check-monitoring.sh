#!/usr/bin/env bash
# The files in Resources/monitoring against the real thing: promtool reads the alert rules and tries them
# on made-up numbers, and each query of the dashboard has to return data from a Prometheus that scrapes
# two servers of one database under a little load, all on this machine.
here=$(realpath "$(dirname "$0")")
monitoring=$here/../../Resources/monitoring
source "$here/../Databases/cluster.sh"
for program in prometheus promtool; do
  which "$program" >/dev/null || { echo 'apt-get install prometheus' >&2; exit 1; }
done

cp "$monitoring/alerts.yml" "$here/alerts-test.yml" "$folder"
promtool check rules "$folder/alerts.yml"
promtool test rules "$folder/alerts-test.yml"

start_cluster
sql -d postgres -c 'CREATE DATABASE fleet'
store="postgresql://market@/fleet?host=$folder"
mkdir "$folder/pictures"
export MARKET_PICTURES=$folder/pictures
addresses=() targets=()
for number in 1 2; do
  start_server --store "$store" --metrics 127.0.0.1:0 --searches 120 --log-format json
  addresses+=("$address")
  log=$(grep -l "listening on $address\$" "$folder"/server-*)
  until grep -q '^metrics on ' "$log"; do sleep 0.1; done
  targets+=("'$(sed -n 's,^metrics on http://\(.*\)/metrics$,\1,p' "$log")'")
done

port=$(free_port)
cat >"$folder/prometheus.yml" <<END
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [$folder/alerts.yml]
scrape_configs:
  - job_name: market
    static_configs: [{targets: [$(IFS=,; echo "${targets[*]}")]}]
END
promtool check config "$folder/prometheus.yml"
prometheus --config.file="$folder/prometheus.yml" --storage.tsdb.path="$folder/series" \
  --web.listen-address="127.0.0.1:$port" --log.level=error 2>"$folder/prometheus.log" &
children+=("$!")
monitor="http://127.0.0.1:$port"
timeout 30 bash -c "until curl -sf '$monitor/-/ready' >/dev/null; do sleep 0.2; done"

# Asks everything for half a minute: what is found and what is not, changes, pictures and refusals.
load() {
  local market=$1 name=$2 id end=$((SECONDS + 25))
  local picture=$here/../Fixtures/Pictures/baseline.jpg
  curl -sN --max-time 27 -H 'Accept: text/event-stream' "$market/api/changes" >/dev/null &
  while ((SECONDS < end)); do
    id=$(curl -s -H "identifier: $name" "$market/api/products" -F "images=@$picture" \
      -F 'params={"name":"Desk lamp","description":"Warm light here.","price":42000,
        "currency":"KRW","discounted_price":2000,"stock":3,"secret":"open sesame"}' |
      grep -o '"id":[0-9]*' | head -n 1 | cut -d : -f 2)
    curl -s -H "identifier: $name" -X PATCH "$market/api/products/$id" \
      -d '{"secret":"open sesame","price":39000}' >/dev/null
    curl -s "$market/" "$market/api/products?page_no=[1-3]" \
      "$market/api/products/$id" "$market/api/products/0" "$market/items/1" \
      "$market/api/products?search_value=lamp$id" "$market/api/products?in_stock=1" >/dev/null
    curl -s "$market/api/products/$id" | grep -o '"thumbnail[^,]*' | head -n 1 | cut -d '"' -f 4 |
      xargs -r curl -s -o /dev/null || true
    sleep 0.1
  done
  wait
}
SECONDS=0
load "${addresses[0]}" one &
first=$!
load "${addresses[1]}" two &
second=$!
wait "$first" "$second" || true

for number in 0 1; do
  [[ $(curl -s -o /dev/null -w '%{http_code}' "${addresses[$number]}/metrics") == 404 ]] ||
    { echo 'The metrics are told at the address of the market, too' >&2; exit 1; }
done
python3 "$here/ask.py" "$monitor" "$monitoring/dashboard.json" || exit 1
python3 - "$folder"/server-*.errors <<'END'
import json, sys
count = 0
for path in sys.argv[1:]:
    for line in open(path):
        json.loads(line)["trace"]
        count += 1
print(f"{count} lines of the logs are objects with a trace")
END
