#!/usr/bin/env bash
# A rolling restart under load, from this version to a later one with one more table: two servers of one
# database behind the proxy that OPERATIONS.md describes, replaced one after the other while clients read,
# register, edit and delete. Not one request may fail.
#
# LATER, a market-server of a later version that is there, spares building one.
here=$(realpath "$(dirname "$0")")
source "$here/../Databases/cluster.sh"
[[ -x /usr/sbin/nginx ]] || { echo 'apt-get install nginx-light' >&2; exit 1; }
later=${LATER:-}
if [[ -z $later ]]; then
  tree=$folder/tree
  mkdir "$tree"
  cp -r "$here"/../../{.ci,Modules,Package.swift,Resources,Sources,Tests} "$tree"
  last=$(cd "$tree/Resources/schema" && ls postgres-*.sql | tr -dc '0-9\n' | sort -n | tail -n 1)
  next=$((last + 1))
  cat >"$tree/Resources/schema/postgres-$next.sql" <<'END'
CREATE TABLE made_up (
  product bigint PRIMARY KEY REFERENCES product ON DELETE CASCADE,
  text text NOT NULL
);
CREATE INDEX made_up_of_product ON product (id);
END
  sed -i -e "/schema_postgres_${last}_sql\[\]/{N;N;p;s/$last/$next/g}" \
    -e "/{\"schema\/postgres-$last.sql\"/{p;s/$last/$next/g}" "$tree/Modules/CResources/resources.c"
  (cd "$tree" && .ci/build -c release --static-swift-stdlib --product market-server >&2)
  later=$folder/market-server
  cp "$tree/.build/release/market-server" "$later"
  rm -rf "$tree"
fi

start_cluster
sql -d postgres -c 'CREATE DATABASE roll'
store="postgresql://market@/roll?host=$folder"
ports=("$(free_port)" "$(free_port)")
proxy=$(free_port)

# What SERVING.md and OPERATIONS.md say, at addresses of this machine and without encryption.
{
  echo "daemon off; error_log $folder/nginx-error.log; pid $folder/nginx.pid; events {}"
  [[ $(id -u) != 0 ]] || echo 'user root;'
  echo 'http {'
  for kind in client_body proxy fastcgi uwsgi scgi; do echo "${kind}_temp_path $folder/nginx-$kind;"; done
  awk '/^```nginx$/ { inside = 1; next } /^```$/ { inside = 0 } inside' \
    "$here"/../../Documentation/{SERVING,OPERATIONS}.md | awk '/^map / || /^upstream / { on = 1 } on' |
    sed -e "s/10.0.0.1:8080/127.0.0.1:${ports[0]}/" -e "s/10.0.0.2:8080/127.0.0.1:${ports[1]}/" \
      -e "s/listen 443 ssl;/listen 127.0.0.1:$proxy;/" -e "s,/var/log/nginx/market.log,$folder/access.log,"
  echo '}'
} >"$folder/nginx.conf"
/usr/sbin/nginx -q -t -c "$folder/nginx.conf" -p "$folder" 2>&1 | grep -v 'could not open error log' || true
/usr/sbin/nginx -c "$folder/nginx.conf" -p "$folder" 2>"$folder/nginx.err" &
children+=("$!")

# Starts a program at the place of one of the servers; returns when it is ready.
serve() {
  "$1" --store "$store" --listen "127.0.0.1:${ports[$2]}" --drain-timeout 3 --trust-proxy \
    --rate 0 >/dev/null 2>"$folder/server-$2.errors" &
  running[$2]=$!
  children+=("$!")
  until curl -sf "http://127.0.0.1:${ports[$2]}/ready" >/dev/null; do
    kill -0 "${running[$2]}" || { cat "$folder/server-$2.errors" >&2; return 1; }
    sleep 0.1
  done
}
declare -a running
version() { sql -d roll -c 'SELECT version FROM market_schema'; }
serve "$server" 0
serve "$server" 1
before=$(version)
PYTHONDONTWRITEBYTECODE=1 python3 "$here/roll.py" "$proxy" "$here/../Fixtures/Pictures/baseline.jpg" 24 >"$folder/report" &
load=$!
sleep 4
for place in 0 1; do
  kill "${running[$place]}"
  wait "${running[$place]}"
  serve "$later" "$place"
  echo "server $((place + 1)) is of the later version"
  sleep 3
done
status=0
wait "$load" || status=$?
cat "$folder/report"
(($(version) == before + 1)) || { echo 'the later table is not there' >&2; status=1; }
exit $status
