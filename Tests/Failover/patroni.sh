#!/usr/bin/env bash
# Two servers of a market on a database that Patroni looks after: three machines, each with a member of
# etcd and a PostgreSQL, behind HAProxy; each machine dies in turn under load, and comes back.
set -euo pipefail
here=$(realpath "$(dirname "$0")")
for program in patroni etcd /usr/sbin/haproxy; do
  command -v "$program" >/dev/null || { echo 'apt-get install patroni etcd-server haproxy' >&2; exit 1; }
done
source "$here/../Databases/cluster.sh"
PYTHONDONTWRITEBYTECODE=1 python3 "$here/patroni.py" "$server" "$bin" "$folder" \
  "$here/../Fixtures/Pictures/baseline.jpg" "${as[*]}"
