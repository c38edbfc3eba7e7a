#!/usr/bin/env bash
# Brings a database with ROWS rows (9 million unless told) of the oldest version up to date while
# others write to it, and says how long that took and how long a write waited. The first server is
# killed in the middle of an index, then three start at once.
source "$(dirname "$0")/cluster.sh"
rows=${1:-9000000}
start_cluster
schema=$(dirname "$0")/../../Resources/schema
sql -d postgres -c 'CREATE DATABASE old'
store="postgresql://market@/old?host=$folder"
sql -d old -f "$schema/postgres-1.sql"
sql -d old <<END
CREATE TABLE market_schema (id bigint PRIMARY KEY CHECK (id = 1), version bigint NOT NULL);
INSERT INTO market_schema (id, version) VALUES (1, 1);
INSERT INTO idempotency SELECT n % 1000, int8send(n), n, 1700000000 + n
FROM generate_series(1, $rows::bigint) n;
CHECKPOINT;
END
echo "$rows rows, $(sql -d old -c "SELECT pg_size_pretty(pg_total_relation_size('idempotency'))")"

# Writes one row after the other, and keeps how long each took.
write_on() {
  "$bin/pgbench" -n -h "$folder" -U market -d old -T 600 -R 150 -l --log-prefix="$folder/writes" -f - <<'END'
INSERT INTO idempotency VALUES (-1, int8send((random() * 1e18)::bigint), 1, 1);
END
}
(cd "$folder" && write_on) >/dev/null 2>&1 &
writer=$!
children+=("$writer")

"$server" --listen 127.0.0.1:0 --store "$store" >/dev/null 2>&1 &
first=$!
children+=("$first")
until [[ $(sql -d old -c 'SELECT count(*) FROM pg_stat_progress_create_index') != 0 ]]; do
  kill -0 $first
  sleep 0.1
done
sleep 0.5
kill -9 $first
echo 'killed the first server while it made an index'

begin=$(milliseconds)
for number in 1 2 3; do
  "$server" --listen 127.0.0.1:0 --store "$store" >"$folder/$number" 2>"$folder/$number.errors" &
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
sql -d old -c "SELECT 'version ' || version FROM market_schema"
sql -d old -c "SELECT indexrelid::regclass || CASE WHEN indisvalid THEN ' is there' ELSE ' is INVALID' END
  FROM pg_index WHERE indexrelid IN ('idempotency_created'::regclass, 'seller_of_name'::regclass)"
invalid=$(sql -d old -c 'SELECT count(*) FROM pg_index WHERE NOT indisvalid')
# The third number of a line is what one took, in microseconds.
cat "$folder"/writes* | sort -n -k 3 | awk '
  { took[NR] = $3 }
  END {
    printf "%d writes meanwhile: half took at most %.1f ms, the slowest %.1f ms\n", NR,
      took[int(NR / 2) + 1] / 1000, took[NR] / 1000
    exit NR == 0 || took[NR] > 2000000
  }'
[[ $invalid == 0 ]]
