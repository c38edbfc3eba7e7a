#!/usr/bin/env bash
# Brings a database with ROWS rows (9 million unless told) of this version to a later one with one more
# index while others write to it, and says how long that took and how long a write waited. The first later
# server is killed in the middle of the index, then three start at once.
#
# LATER, a market-server of a later version that is there, spares building one.
source "$(dirname "$0")/cluster.sh"
rows=${1:-9000000}
build_later <<'END'
CREATE INDEX made_up_of_name ON seller (name, id);
END
start_cluster
sql -d postgres -c 'CREATE DATABASE market'
store="postgresql://market@/market?host=$folder"
start_server --store "$store"
kill "$started"
wait "$started"
sql -d market <<END
INSERT INTO seller (name) SELECT 'seller ' || n FROM generate_series(1, $rows::bigint) n;
CHECKPOINT;
END
echo "$rows rows, $(sql -d market -c "SELECT pg_size_pretty(pg_total_relation_size('seller'))")"

# Writes one row after the other, and keeps how long each took.
write_on() {
  "$bin/pgbench" -n -h "$folder" -U market -d market -T 600 -R 150 -l --log-prefix="$folder/writes" -f - <<'END'
INSERT INTO seller (name) VALUES ('one more');
END
}
(cd "$folder" && write_on) >/dev/null 2>&1 &
writer=$!
children+=("$writer")

"$later" --listen 127.0.0.1:0 --store "$store" >/dev/null 2>&1 &
first=$!
children+=("$first")
until [[ $(sql -d market -c 'SELECT count(*) FROM pg_stat_progress_create_index') != 0 ]]; do
  kill -0 $first
  sleep 0.1
done
sleep 0.5
kill -9 $first
echo 'killed the first server while it made an index'

begin=$(milliseconds)
for number in 1 2 3; do
  "$later" --listen 127.0.0.1:0 --store "$store" >"$folder/$number" 2>"$folder/$number.errors" &
  children+=("$!")
done
for number in 1 2 3; do
  until grep -q '^listening on ' "$folder/$number"; do
    kill -0 "${children[-1]}" || { cat "$folder"/*.errors >&2; exit 1; }
    sleep 0.1
  done
done
echo "three servers listen after $(($(milliseconds) - begin)) ms"
kill "$writer" 2>/dev/null || true
wait "$writer" 2>/dev/null || true
sql -d market -c "SELECT 'version ' || version FROM market_schema"
sql -d market -c "SELECT indexrelid::regclass || CASE WHEN indisvalid THEN ' is there' ELSE ' is INVALID' END
  FROM pg_index WHERE indexrelid = 'made_up_of_name'::regclass"
invalid=$(sql -d market -c 'SELECT count(*) FROM pg_index WHERE NOT indisvalid')
# The third number of a line is what one took, in microseconds.
cat "$folder"/writes* | sort -n -k 3 | awk '
  { took[NR] = $3 }
  END {
    printf "%d writes meanwhile: half took at most %.1f ms, the slowest %.1f ms\n", NR,
      took[int(NR / 2) + 1] / 1000, took[NR] / 1000
    exit NR == 0 || took[NR] > 2000000
  }'
[[ $invalid == 0 ]]
