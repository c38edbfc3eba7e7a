#!/usr/bin/env bash
# A rolling restart under load, from this version to one with a further table: two servers of one database
# behind the proxy that OPERATIONS.md describes, replaced one after the other while clients read, register,
# edit and delete. Not one request may fail.
#
# The later version is this commit with a made-up script of tables, built beside; or LATER, a market-server
# that is there.
here=$(realpath "$(dirname "$0")")
source "$here/../Databases/cluster.sh"
[[ -x /usr/sbin/nginx ]] || { echo 'apt-get install nginx-light' >&2; exit 1; }
if [[ -z ${LATER:-} ]]; then
  tree=$folder/later
  git -C "$here" worktree add --detach -f "$tree" HEAD >/dev/null
  name=postgres-$(($(ls "$tree"/Resources/schema/postgres-*.sql | wc -l) + 101))
  printf '%s\n' 'CREATE TABLE later (id bigint PRIMARY KEY);' \
    'CREATE INDEX product_of_stock ON product (stock);' >"$tree/Resources/schema/$name.sql"
  sed -i -e "/^static const struct {/i static const unsigned char schema_later_sql[] = {\n#embed \"../../Resources/schema/$name.sql\"\n};\n" \
    -e "/^} files\[\] = {/a \    {\"schema/$name.sql\", schema_later_sql, sizeof schema_later_sql}," \
    "$tree/Modules/CResources/resources.c"
  (cd "$tree" && .ci/build -c release --static-swift-stdlib --product market-server >&2)
  cp "$tree/.build/release/market-server" "$folder/market-server"
  git -C "$here" worktree remove --force "$tree"
  LATER=$folder/market-server
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
    "$here"/../../.github/{SERVING,OPERATIONS}.md | awk '/^map / || /^upstream / { on = 1 } on' |
    sed -e "s/10.0.0.1:8080/127.0.0.1:${ports[0]}/" -e "s/10.0.0.2:8080/127.0.0.1:${ports[1]}/" \
      -e "s/listen 443 ssl;/listen 127.0.0.1:$proxy;/" -e "s,/var/log/nginx/market.log,$folder/access.log,"
  echo '}'
} >"$folder/nginx.conf"
/usr/sbin/nginx -q -t -c "$folder/nginx.conf" -p "$folder" 2>&1 | grep -v 'could not open error log' || true
/usr/sbin/nginx -c "$folder/nginx.conf" -p "$folder" 2>"$folder/nginx.err" &
children+=("$!")

# Starts a program at the place of one of the servers; returns when it is ready.
serve() {
  "$1" --store "$store" --listen "127.0.0.1:${ports[$2]}" --drain 3 --trust-proxy --rate 0 \
    >/dev/null 2>"$folder/server-$2.errors" &
  running[$2]=$!
  children+=("$!")
  until curl -sf "http://127.0.0.1:${ports[$2]}/ready" >/dev/null; do
    kill -0 "${running[$2]}" || { cat "$folder/server-$2.errors" >&2; return 1; }
    sleep 0.1
  done
}
declare -a running
serve "$server" 0
serve "$server" 1
PYTHONDONTWRITEBYTECODE=1 python3 "$here/roll.py" "$proxy" "$here/../Fixtures/Pictures/baseline.jpg" 24 >"$folder/report" &
load=$!
sleep 4
for place in 0 1; do
  kill "${running[$place]}"
  wait "${running[$place]}"
  serve "$LATER" "$place"
  echo "server $((place + 1)) is of the later version"
  sleep 3
done
status=0
wait "$load" || status=$?
cat "$folder/report"
exit $status
